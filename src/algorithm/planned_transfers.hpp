// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Algorithms that are a plan of transfers (program/plan/transfers.hpp): cost, memory and program
/// follow from it.
///
///     class RingExchange final : public PlannedExchange {
///       static constexpr AlgorithmInfo info{...};
///       explicit RingExchange(const Torus& ring)
///           : PlannedExchange(info.name, ring, ring_exchange(ring.node_count())) {}
///     };

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/class_schedule.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/program/schedule_program.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "program/plan/transfers.hpp"

namespace lockstep {

/// An operation among all processors: total exchange, all-gather.
class PlannedTransfers : public Algorithm {
 public:
  using TopologyType = ErasedTopology;
  using Programs = std::variant<ScheduleProgram, NodeInvariantProgram, ClassScheduleProgram>;

  [[nodiscard]] std::optional<Cost> promise() const override { return cost_; }
  [[nodiscard]] Footprint footprint() const override { return footprint_; }
  [[nodiscard]] std::uint64_t planning_bytes() const override { return planning_bytes_; }
  [[nodiscard]] Programs program() const;
  /// Its place in Programs.
  [[nodiscard]] std::size_t program_type() const;

 protected:
  /// Throws InvalidParameter where there are too many transfers, or blocks do not fit a region.
  PlannedTransfers(std::string_view name, const ErasedTopology& network, Transfers plan);

  [[nodiscard]] const ErasedTopology& network() const noexcept { return network_; }

 private:
  ErasedTopology network_;
  Cost cost_{};
  Footprint footprint_{};
  std::uint64_t planning_bytes_ = 0;
  std::shared_ptr<const Schedule> by_node_;
  std::shared_ptr<const ClassSchedule> by_class_;
  std::vector<std::uint32_t> class_of_;
};

/// A total exchange, in which the longest queue is reported: all blocks wait in their processor
/// before the first step.
class PlannedExchange : public PlannedTransfers {
 public:
  [[nodiscard]] std::optional<std::uint64_t> own_blocks() const override {
    return network().node_count() - 1;
  }

 protected:
  using PlannedTransfers::PlannedTransfers;
};

}  // namespace lockstep
