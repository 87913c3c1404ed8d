// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gathers in EJ_alpha^(n) whose loads are known in closed form: one class, and for every
/// algorithm a rule, which says in which step and through which port a block comes to each
/// displacement from its source.
///
///     inline constexpr EjGatherRule simultaneous{.info = ..., .loads = ..., .last_hops = ...};
///     using EjSimultaneous = EjGather<simultaneous>;
///
/// The loads, what every processor sends through each of its ports in each step, are coefficients
/// of polynomials in which z^w stands for the residues, or displacements, of weight w. No plan is
/// built for them; the plans are held against these.
///
/// With P_k the residues whose last hop in the tree of one dimension is port k, and W = 1 + P_0 +
/// .. + P_5, the improved broadcast from all processors at once sends [z^s] P_k W^(n-d) blocks
/// through port k of dimension d in step s = 1, 2, ..: lower dimensions are untouched, higher ones
/// done. The three phases have P_k and W of their sectors alone.
///
/// Source: Z. Hussain, "An improved one-to-all broadcasting in higher dimensional
/// Eisenstein-Jacobi networks", 2018, section 4.2, has no such figures; derived.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/program/phases.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"

namespace lockstep {

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

/// What goes through a port in a step: [step][port], in blocks or parts of blocks.
using EjLoads = std::vector<std::vector<std::uint64_t>>;

/// The phase, 0..2, in which the paper serves a sector, 1..6: sectors 6 and 1, 2 and 3, 4 and 5.
[[nodiscard]] constexpr std::size_t ej_phase_of(int sector) noexcept {
  return static_cast<std::size_t>(sector % 6) / 2;
}
/// The first of the two halves of a step in which no link is used both ways: ports +1, rho, -rho^2.
[[nodiscard]] constexpr bool ej_first_substep(std::size_t port_of_dimension) noexcept {
  return port_of_dimension < 2 || port_of_dimension == 5;
}
/// Port k of dimension d, both counted from 0.
[[nodiscard]] constexpr Port ej_port(std::size_t d, Port k) noexcept {
  return port(6 * d + index(k));
}
/// The largest weight in the sectors of each phase.
[[nodiscard]] std::array<std::uint64_t, 3> ej_phase_depths(const EisensteinJacobiTree& tree);

/// The improved broadcast from all at once.
[[nodiscard]] EjLoads ej_simultaneous_loads(const EisensteinJacobiTree& tree, std::size_t n);
/// The same in n parts, the dimensions in an order rotated from part to part; in parts.
[[nodiscard]] EjLoads ej_rotated_loads(const EisensteinJacobiTree& tree, std::size_t n);
/// Each step cut in two.
[[nodiscard]] EjLoads ej_in_substeps(const EjLoads& loads);

/// What is sent anew when a phase begins.
enum class EjRelaunch : std::uint8_t { own_block, all_blocks };
/// Three phases one after the other.
[[nodiscard]] EjLoads ej_three_phase_loads(const EisensteinJacobiTree& tree, std::size_t n,
                                           EjRelaunch relaunch);

/// The paper's, each of n times as many steps as its sectors are deep.
[[nodiscard]] std::vector<Phase> ej_three_phases(const EisensteinJacobiTree& tree, std::size_t n);

/// The last hop of a part of a block to the displacement of these coordinates, dimension 1 first.
using EjLastHops =
    std::function<EjGatherPlan::Hop(std::span<const NodeId> coordinates, std::uint32_t part)>;

struct EjGatherRule {
  AlgorithmInfo info;
  EjLoads (*loads)(const EisensteinJacobiTree& tree, std::size_t n);
  EjLastHops (*last_hops)(const EisensteinJacobiTree& tree, std::size_t n);  ///< keeps the tree
  std::vector<Phase> (*phases)(const EisensteinJacobiTree& tree, std::size_t n) = nullptr;
  bool in_parts = false;     ///< blocks are cut in n parts
  bool in_substeps = false;  ///< every step is cut in two (ej_first_substep)
};

class EjGatherByRule : public Algorithm {
 public:
  using TopologyType = EisensteinJacobiNetwork;

  [[nodiscard]] std::optional<Cost> promise() const override { return promise_; }
  [[nodiscard]] Footprint footprint() const override { return footprint_; }
  [[nodiscard]] EjGatherPlan plan() const;
  [[nodiscard]] NodeInvariantProgram program() const { return {network_, plan().schedule()}; }

 protected:
  EjGatherByRule(const EisensteinJacobiNetwork& network, const EjGatherRule& rule);

 private:
  EisensteinJacobiNetwork network_;
  const EjGatherRule* rule_;
  Cost promise_;
  Footprint footprint_;
};

template <const EjGatherRule& rule>
class EjGather final : public EjGatherByRule {
 public:
  static constexpr AlgorithmInfo info = rule.info;

  /// Throws InvalidParameter where all blocks do not fit the memory of a processor.
  explicit EjGather(const EisensteinJacobiNetwork& network, const Settings& = {})
      : EjGatherByRule(network, rule) {}
};

}  // namespace lockstep
