// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Algorithms that are a plan of transfers (program/plan/transfers.hpp): cost, memory and program
/// follow from it.
///
///     const PlannedTransfers bruck("bruck", network, plan, Operation::all_gather);
///     bruck.footprint().steps;

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/grouped_schedule_program.hpp"
#include "lockstep/program/plan/transfers.hpp"
#include "lockstep/program/schedule_program.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// The plan is ranked by its cost, and lowered when more is asked of it.
class PlannedTransfers : public Algorithm {
 public:
  using TopologyType = ErasedTopology;
  using Programs = std::variant<ScheduleProgram, GroupedScheduleProgram>;

  /// Throws InvalidParameter where there are too many transfers. `again`: makes the plan again, so
  /// that it need not be kept beside the schedule.
  PlannedTransfers(std::string_view name, const ErasedTopology& network, Transfers plan,
                   Operation operation, std::function<Transfers()> again = {});
  /// The same, where the cost is known before there is a plan: footprint() and program() throw
  /// where there are too many nodes or transfers.
  PlannedTransfers(std::string_view name, const ErasedTopology& network, const Cost& cost,
                   std::function<Transfers()> make, Operation operation);
  ~PlannedTransfers() override;

  [[nodiscard]] std::optional<Cost> promise() const override { return cost_; }
  [[nodiscard]] std::uint64_t parts_per_block() const override { return plan().parts; }
  [[nodiscard]] std::optional<bool> keeps(const PortModel& model) const override;
  /// Throws InvalidParameter where blocks do not fit a region.
  [[nodiscard]] Footprint footprint() const override;
  [[nodiscard]] std::uint64_t planning_bytes() const override;
  [[nodiscard]] Programs program() const;
  /// Its place in Programs.
  [[nodiscard]] std::size_t program_type() const;

 protected:
  [[nodiscard]] const ErasedTopology& network() const noexcept { return network_; }

 private:
  struct Lowered;
  [[nodiscard]] const Transfers& plan() const;
  void check_nodes() const;
  void check(const Transfers& plan) const;
  [[nodiscard]] Lowered& lowered() const;

  std::string name_;
  ErasedTopology network_;
  Operation operation_;
  Cost cost_{};
  std::function<Transfers()> make_{};
  mutable std::optional<Transfers> plan_;         // used by one thread
  mutable std::optional<PortModel> least_model_;  // used by one thread
  mutable std::shared_ptr<Lowered> lowered_;      // used by one thread
};

}  // namespace lockstep
