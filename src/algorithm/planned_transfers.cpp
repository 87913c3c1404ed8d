// SPDX-License-Identifier: Apache-2.0
#include "algorithm/planned_transfers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "algorithm/checks.hpp"
#include "core/freed_memory.hpp"
#include "lockstep/program/plan/lower.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "program/plan/least_model.hpp"

namespace lockstep {

namespace {

constexpr std::size_t long_plan = std::size_t{1} << 16U;  // transfers

}  // namespace

struct PlannedTransfers::Lowered {
  Footprint footprint{};
  std::uint64_t planning_bytes = 0;
  std::shared_ptr<const Schedule> schedule{};
};

PlannedTransfers::PlannedTransfers(std::string_view name, const ErasedTopology& network,
                                   Transfers plan, std::function<Transfers()> again,
                                   Operation operation)
    : name_(name),
      network_(network),
      operation_(operation),
      make_(std::move(again)),
      plan_(std::move(plan)) {
  check_nodes();
  check(*plan_);
  figures_->cost = planned_cost(*plan_, network_);
}

PlannedTransfers::PlannedTransfers(std::string_view name, const ErasedTopology& network,
                                   std::shared_ptr<PlanFigures> figures,
                                   std::function<Transfers()> make, Operation operation)
    : name_(name),
      network_(network),
      operation_(operation),
      make_(std::move(make)),
      figures_(std::move(figures)) {}

void PlannedTransfers::check_nodes() const {
  check_count(name_, network_.name(), network_.node_count(), "nodes", max_region_blocks - 1);
}

void PlannedTransfers::check(const Transfers& plan) const {
  check_planned_transfers(
      fmt::format("{} on {}", name_, network_.name()), plan.list.size(),
      plan.representatives.size() == 1 ? most_transfers_of_one_class : most_planned_transfers);
  if (figures_->parts) return;
  figures_->parts = plan.parts;
  figures_->steps = plan.steps;
  figures_->program_type =
      !is_written_by_node(plan, network_, operation_) && plan.representatives.size() == 1;
}

const Transfers& PlannedTransfers::plan() const {
  if (!plan_) {
    check_nodes();
    plan_ = make_();
    check(*plan_);
  }
  return *plan_;
}

PlannedTransfers::~PlannedTransfers() = default;

PlannedTransfers::Lowered& PlannedTransfers::lowered() const {
  if (lowered_) return *lowered_;
  const Transfers& transfers = this->plan();
  LoweredPlan plan = lower(transfers, network_, operation_);
  Lowered made;
  Footprint& footprint = made.footprint;
  footprint.steps = transfers.steps;
  footprint.hops = plan.messages;
  footprint.parts_per_block = transfers.parts;
  const bool all_to_all =
      operation_ == Operation::total_exchange || operation_ == Operation::all_gather;
  const std::uint64_t processors = network_.processor_count();
  if (all_to_all && plan.deliveries != processors * (processors - 1))
    footprint.deliveries = plan.deliveries;
  footprint.blocks_per_processor = *std::ranges::max_element(plan.slots);
  check_count(name_, network_.name(), footprint.blocks_per_processor, "blocks of a processor");
  made.planning_bytes = lowering_bytes(transfers);
  made.schedule = std::make_shared<const Schedule>(std::move(plan.schedule));
  const Schedule& schedule = *made.schedule;
  footprint.plan_bytes = schedule.bytes();
  footprint.work = schedule.work();
  made.planning_bytes =
      std::max(made.planning_bytes + schedule.writing_bytes(), transfers.search_bytes);
  if (schedule.is_relative())
    footprint.plan_bytes += network_.cayley()->translation_bytes(schedule.element_count());
  else
    for (const std::uint32_t c : transfers.class_of) footprint.blocks_of_all += plan.slots[c];
  if (make_ && transfers.list.size() >= long_plan) find_least_model();
  if (make_) plan_->list = std::vector<Transfer>();  // made again if it is asked for again
  give_back_freed_memory(made.planning_bytes);
  lowered_ = std::make_shared<Lowered>(std::move(made));
  return *lowered_;
}

void PlannedTransfers::find_least_model() const {
  std::call_once(figures_->model_asked, [&] {
    const bool is_dropped = make_ && lowered_ != nullptr;  // lowered() leaves no transfers
    figures_->least_model =
        is_dropped ? least_model(make_(), network_) : least_model(plan(), network_);
  });
}

std::optional<bool> PlannedTransfers::keeps(const PortModel& model) const {
  find_least_model();
  return figures_->least_model ? std::optional(model.admits(*figures_->least_model)) : std::nullopt;
}

std::shared_ptr<PlanFigures> PlannedTransfers::long_plan_figures() const {
  return plan_ && plan_->list.size() >= long_plan ? figures_ : nullptr;
}

Footprint PlannedTransfers::footprint() const { return lowered().footprint; }

std::uint64_t PlannedTransfers::planning_bytes() const { return lowered().planning_bytes; }

std::size_t PlannedTransfers::program_type() const {
  if (!figures_->program_type) (void)plan();
  return *figures_->program_type;
}

PlannedTransfers::Programs PlannedTransfers::program() const {
  const std::shared_ptr<const Schedule>& schedule = lowered().schedule;
  if (!schedule->is_relative()) return ScheduleProgram(schedule);
  if (schedule->is_of_one_class()) return GroupedScheduleProgram(*network_.cayley(), schedule);
  return ScheduleProgram(*network_.cayley(), schedule);
}

}  // namespace lockstep
