// SPDX-License-Identifier: Apache-2.0
#pragma once

/// EjGatherPlan: an all-gather in EJ_alpha^(n) in which all processors do alike. One entry per
/// displacement says all of it: in which step, and through which port, the block of a source comes
/// to the processor that lies there from it. Blocks that want one link in one step are one message.
///
///     EjGatherPlan plan(network, 4);                        // 4 steps
///     plan.set(displacement, {.step = 1, .through = Port{2}});
///     NodeInvariantProgram program(network, plan.schedule());
///
/// Blocks may be cut in parts, each with entries of its own; then the parts of a block lie side by
/// side in memory, and it is delivered where they are complete.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/node_invariant_schedule.hpp"
#include "lockstep/program/phases.hpp"
#include "lockstep/topology/eisenstein_jacobi_network.hpp"

namespace lockstep {

class EjGatherPlan {
 public:
  static constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

  struct Hop {
    std::uint32_t step = never;  ///< of the send
    Port through{};              ///< where it is sent

    friend bool operator==(const Hop&, const Hop&) = default;
  };

  /// `phases` are named in the schedule. Nothing comes anywhere yet. Throws InvalidParameter where
  /// the parts of all blocks do not fit the memory of a processor.
  EjGatherPlan(const EisensteinJacobiNetwork& network, std::uint64_t steps, std::uint32_t parts = 1,
               std::vector<Phase> phases = {});

  /// Throws InvalidParameter as above; `who` is named.
  static void check_size(const std::string& who, const EisensteinJacobiNetwork& network,
                         std::uint64_t parts);

  [[nodiscard]] const EisensteinJacobiNetwork& network() const noexcept { return network_; }
  [[nodiscard]] std::uint64_t step_count() const noexcept { return steps_; }
  [[nodiscard]] std::uint32_t parts() const noexcept { return parts_; }
  [[nodiscard]] const std::vector<Phase>& phases() const noexcept { return phases_; }

  /// The last hop to that displacement.
  [[nodiscard]] Hop hop(NodeId displacement, std::uint32_t part = 0) const {
    return hops_[index(displacement) * parts_ + part];
  }
  void set(NodeId displacement, Hop hop, std::uint32_t part = 0) {
    hops_[index(displacement) * parts_ + part] = hop;
  }
  /// Where the last hop to that displacement comes from.
  [[nodiscard]] NodeId before(NodeId displacement, Hop hop) const {
    return network_.neighbor(displacement, network_.reverse_port(displacement, hop.through));
  }

  /// For all processors. Precondition: what is sent has come in an earlier step, in all parts or
  /// not at all.
  [[nodiscard]] NodeInvariantSchedule schedule() const;

  /// Bytes that such a schedule takes for `received` parts, which come in `messages` messages to
  /// each processor.
  [[nodiscard]] static std::uint64_t schedule_bytes(std::uint64_t received, std::uint64_t messages,
                                                    std::uint64_t steps, std::uint64_t parts);

 private:
  EisensteinJacobiNetwork network_;
  std::uint64_t steps_;
  std::uint32_t parts_;
  std::vector<Phase> phases_;
  std::vector<Hop> hops_;
};

}  // namespace lockstep
