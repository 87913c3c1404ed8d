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
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/grouped_schedule_program.hpp"
#include "lockstep/program/plan/transfers.hpp"
#include "lockstep/program/schedule_program.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// Figures of a plan, small enough to be kept when the plan is not. Several runs may share them.
struct PlanFigures {
  Cost cost{};
  std::optional<std::uint32_t> parts{};       ///< of a block; empty: no plan was made yet
  std::optional<std::uint64_t> steps{};       ///< the same
  std::optional<std::size_t> program_type{};  ///< the same
  std::once_flag model_asked{};
  std::optional<PortModel> least_model{};
};

/// The plan is ranked by its cost, and lowered when more is asked of it.
class PlannedTransfers : public Algorithm {
 public:
  using TopologyType = ErasedTopology;
  using Programs = std::variant<ScheduleProgram, GroupedScheduleProgram>;

  /// Throws InvalidParameter where there are too many transfers. `again`: makes the plan again, so
  /// that it need not be kept beside the schedule.
  PlannedTransfers(std::string_view name, const ErasedTopology& network, Transfers plan,
                   std::function<Transfers()> again, Operation operation);
  /// The same, where the cost is known before there is a plan, or such a plan was made before:
  /// footprint() and program() throw where there are too many nodes or transfers.
  PlannedTransfers(std::string_view name, const ErasedTopology& network,
                   std::shared_ptr<PlanFigures> figures, std::function<Transfers()> make,
                   Operation operation);
  ~PlannedTransfers() override;

  [[nodiscard]] std::optional<Cost> promise() const override { return figures_->cost; }
  [[nodiscard]] std::uint64_t parts_per_block() const override {
    return figures_->parts ? *figures_->parts : plan().parts;
  }
  [[nodiscard]] std::uint64_t steps() const override {
    return figures_->steps ? *figures_->steps : plan().steps;
  }
  [[nodiscard]] std::optional<bool> keeps(const PortModel& model) const override;
  /// Throws InvalidParameter where blocks do not fit a region.
  [[nodiscard]] Footprint footprint() const override;
  [[nodiscard]] std::uint64_t planning_bytes() const override;
  [[nodiscard]] Programs program() const;
  /// Its place in Programs.
  [[nodiscard]] std::size_t program_type() const;
  /// Figures of a plan that takes long to make; null where it does not.
  [[nodiscard]] std::shared_ptr<PlanFigures> long_plan_figures() const;

 protected:
  [[nodiscard]] const ErasedTopology& network() const noexcept { return network_; }
  [[nodiscard]] Operation operation() const noexcept { return operation_; }

 private:
  struct Lowered;
  [[nodiscard]] const Transfers& plan() const;
  void check_nodes() const;
  /// Throws where it is too long; keeps its figures.
  void check(const Transfers& plan) const;
  void find_least_model() const;
  [[nodiscard]] Lowered& lowered() const;

  std::string name_;
  ErasedTopology network_;
  Operation operation_;
  std::function<Transfers()> make_{};
  mutable std::optional<Transfers> plan_;     // used by one thread
  mutable std::shared_ptr<Lowered> lowered_;  // used by one thread
  std::shared_ptr<PlanFigures> figures_ = std::make_shared<PlanFigures>();
};

}  // namespace lockstep
