// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A user's own node-invariant schedule, on any Cayley graph.
/// Model:   the file's: single-port where it says nothing; or the one that the run asks for.
/// Idea:    what the identity sends is read from a file (program/schedule_file.hpp has the format);
///          every processor does the same, seen from where it is.
/// Cost:    a start-up for every step in which something is sent, the largest message of each.
/// Source:  the user.
/// Differs: nothing to differ from; tests/unit/algorithm/schedule_from_file_test.cpp.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "lockstep/core/errors.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/kept_plan.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/program/schedule_file.hpp"
#include "lockstep/topology/any_cayley.hpp"

namespace lockstep {

template <Operation operation>
class ScheduleFromFile final : public Algorithm {
 public:
  using TopologyType = AnyCayley;
  static constexpr std::array parameters{
      Parameter{.name = "schedule",
                .kind = Parameter::Kind::file,
                .placeholder = "FILE",
                .meaning = "Run your own node-invariant schedule from this file; implies "
                           "--algorithm schedule",
                .noun = "schedule of your own",
                .phrase = " {}",
                .required = true,
                .chooses = true}};
  static constexpr AlgorithmInfo info{
      .name = "schedule",
      .operation = operation,
      .model = port_models::single_port,
      .source = "a file of the user",
      .costs = "yours",
      .summary = "your own: what one processor sends, step by step; checked, then all run it",
      .parameters = parameters};

  /// Reads the file. Throws InvalidParameter.
  ScheduleFromFile(const AnyCayley& group, const Settings& settings)
      : group_(group),
        user_(
            std::make_shared<const UserSchedule>(read_schedule(settings.text("schedule"), group))) {
    if (user_->operation != operation)
      throw InvalidParameter(fmt::format("{}: a schedule of {} given, allowed one of {}",
                                         settings.text("schedule"), name_of(user_->operation),
                                         name_of(operation)));
  }

  [[nodiscard]] std::optional<PortModel> port_model() const override { return user_->model; }

  [[nodiscard]] std::optional<Cost> promise() const override {
    Cost cost;
    for (const UserSchedule::Step& step : user_->steps) {
      std::uint64_t largest = 0;
      for (const UserSchedule::Message& message : user_->messages_of(step))
        largest = std::max<std::uint64_t>(largest, message.count);
      if (largest != 0) ++cost.startups;
      cost.message_times += largest;
    }
    return cost;
  }

  /// The plan itself: as many slots as it needs is known only when it is written.
  [[nodiscard]] Footprint footprint() const override {
    const NodeInvariantSchedule& schedule = plan_.look([this] { return plan(); });
    return {.steps = schedule.step_count(),
            .hops = user_->messages.size() * group_.node_count(),
            .blocks_per_processor = schedule.regions().front(),
            .plan_bytes = schedule.bytes() + user_->bytes() +
                          Translations<AnyCayley>::bytes(group_, schedule.elements().size())};
  }

  [[nodiscard]] NodeInvariantProgram program() const {
    return {group_, plan_.take([this] { return plan(); })};
  }

  /// What waits in a processor before the first step, for the largest queue.
  [[nodiscard]] std::optional<std::uint64_t> own_blocks() const override {
    if (operation != Operation::total_exchange) return std::nullopt;
    return group_.node_count() - 1;
  }
  /// "FILE:14"
  [[nodiscard]] std::string place_of(std::uint64_t step) const override {
    return user_->place_of(step);
  }

 private:
  [[nodiscard]] NodeInvariantSchedule plan() const { return schedule_of(*user_, group_); }

  AnyCayley group_;
  std::shared_ptr<const UserSchedule> user_;
  KeptPlan<NodeInvariantSchedule> plan_;
};

using ScheduledExchange = ScheduleFromFile<Operation::total_exchange>;
using ScheduledGather = ScheduleFromFile<Operation::all_gather>;

static_assert(AlgorithmClass<ScheduledExchange> && AlgorithmClass<ScheduledGather>);

}  // namespace lockstep
