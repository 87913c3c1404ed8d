// SPDX-License-Identifier: Apache-2.0
#include "algorithm/schedule_from_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "program/schedule_pieces.hpp"
#include "topology/node_names.hpp"

namespace lockstep {

AnyScheduleFromFile::AnyScheduleFromFile(Operation operation, const ErasedTopology& network,
                                         const Settings& settings)
    : operation_(operation), nodes_(network.node_count()) {
  const std::string file = settings.text(schedule_parameter.name);
  const std::string text = schedule_file_text(file);
  if (schedule_version(text) != of_identity_version) {  // also what is of neither version
    by_node_ = std::make_shared<const ScheduleFile>(
        parse_schedule_by_node(file, text, network, operation));
  } else {
    const std::optional<AnyCayley> group = network.cayley();
    if (!group)
      throw InvalidParameter(
          fmt::format("{}: a schedule of version 1 needs a Cayley graph, which {} is not; expected "
                      "a schedule of version 2 (actions of every node)",
                      file, network.name()));
    of_identity_ = std::make_shared<const OfIdentity>(
        OfIdentity{*group, parse_schedule(file, text, *group, operation)});
  }
  if (by_node_) check_problem(network, settings);
}

/// The file does not change the problem that the command line states.
void AnyScheduleFromFile::check_problem(const ErasedTopology& network,
                                        const Settings& settings) const {
  const ScheduleFile& schedule = *by_node_;
  const std::uint64_t root = settings.number(root_parameter.name);
  if (settings.find(root_parameter.name) != nullptr && root != index(schedule.root))
    throw InvalidParameter(fmt::format("root: {} is not possible; the schedule in {} has root {}",
                                       node_text(network, NodeId{root}), schedule.file,
                                       node_text(network, schedule.root)));
  if (settings.number(parts_parameter.name, schedule.parts_per_block) != schedule.parts_per_block)
    throw InvalidParameter(fmt::format("parts: {} is not possible; the schedule in {} has {}",
                                       settings.number(parts_parameter.name), schedule.file,
                                       schedule.parts_per_block));
  if (settings.find(messages_parameter.name) == nullptr &&
      settings.find(placement_parameter.name) == nullptr)
    return;
  Settings asked = settings;
  asked[parts_parameter.name] = schedule.parts_per_block;
  const Pattern pattern = homes_on(network, asked, fixed_homes_on(network, asked));
  const std::vector<NodeId>& homes = *pattern.homes();
  if (homes.size() != schedule.homes.size())
    throw InvalidParameter(
        fmt::format("messages: {} are asked for, but the schedule in {} has {} (line 'origins')",
                    homes.size() / schedule.parts_per_block, schedule.file,
                    schedule.homes.size() / schedule.parts_per_block));
  const auto [wanted, given] = std::ranges::mismatch(homes, schedule.homes);
  if (wanted != homes.end())
    throw InvalidParameter(fmt::format(
        "placement: origin {} is at node {}, but at node {} in the schedule in {} (line 'origins')",
        wanted - homes.begin(), node_text(network, *wanted), node_text(network, *given),
        schedule.file));
}

/// The one that the file states; the catalogue's otherwise.
std::optional<PortModel> AnyScheduleFromFile::port_model() const {
  if (by_node_) return by_node_->states_model ? std::optional(by_node_->model) : std::nullopt;
  const UserSchedule& user = of_identity_->user;
  return user.states_model ? std::optional(user.model) : std::nullopt;
}

std::optional<Cost> AnyScheduleFromFile::promise() const {
  if (by_node_) {
    if (by_node_->parts_per_block != 1 && operation_ != Operation::many_to_all) return std::nullopt;
    const Schedule::Traffic traffic = by_node_->schedule->traffic();
    return Cost{.startups = traffic.startups,
                .message_times = traffic.message_times,
                .control_words = traffic.control_words};
  }
  Cost cost;
  for (const UserSchedule::Step& step : of_identity_->user.steps) {
    std::uint64_t largest = 0;
    for (const UserSchedule::Message& message : of_identity_->user.messages_of(step))
      largest = std::max<std::uint64_t>(largest, message.count);
    if (largest != 0) ++cost.startups;
    cost.message_times += largest;
  }
  return cost;
}

Footprint AnyScheduleFromFile::footprint() const {
  if (by_node_) {
    const Schedule& schedule = *by_node_->schedule;
    std::uint64_t blocks = 0;
    for (std::uint64_t u = 0; u < schedule.nodes(); ++u)
      for (std::size_t r = 0; r < schedule.regions().size(); ++r)
        blocks += schedule.blocks_of(NodeId{u}, static_cast<Region>(r));
    return {.steps = schedule.step_count(),
            .hops = schedule.traffic().messages,
            .blocks_per_processor = blocks / schedule.nodes() + 1,
            .blocks_of_all = std::max<std::uint64_t>(blocks, 1),
            .plan_bytes = schedule.bytes() + by_node_->lines.size() * sizeof(ScheduleFile::Line),
            .parts_per_block = by_node_->parts_per_block};
  }
  const UserSchedule& user = of_identity_->user;
  const AnyCayley& group = of_identity_->group;
  const NodeInvariantSchedule& schedule =
      of_identity_->plan.look([&] { return schedule_of(user, group); });
  return {.steps = schedule.step_count(),
          .hops = user.messages.size() * nodes_,
          .blocks_per_processor = schedule.regions().front(),
          .plan_bytes = schedule.bytes() + user.bytes() +
                        group.translation_bytes(schedule.elements().size())};
}

Pattern AnyScheduleFromFile::pattern() const {
  return by_node_ && operation_ == Operation::many_to_all
             ? Pattern::many(by_node_->homes, by_node_->parts_per_block)
             : Pattern();
}

Settings AnyScheduleFromFile::chosen() const {
  Settings settings;
  if (by_node_ && has_root(operation_)) settings[root_parameter.name] = index(by_node_->root);
  if (by_node_ && operation_ == Operation::many_to_all) {
    if (by_node_->parts_per_block != 1) settings[parts_parameter.name] = by_node_->parts_per_block;
    settings[messages_parameter.name] = by_node_->homes.size() / by_node_->parts_per_block;
  }
  return settings;
}

std::optional<std::uint64_t> AnyScheduleFromFile::own_blocks() const {
  if (by_node_ || operation_ != Operation::total_exchange) return std::nullopt;
  return nodes_ - 1;
}

std::string AnyScheduleFromFile::place_of(std::uint64_t step, NodeId node) const {
  return by_node_ ? by_node_->place_of(step, node) : of_identity_->user.place_of(step);
}

std::size_t AnyScheduleFromFile::program_type() const {
  if (!by_node_) return 2;
  const bool over_routes =
      by_node_->schedule->takes_routes() || by_node_->model.switching == Switching::wormhole;
  return over_routes ? 1 : 0;
}

AnyScheduleFromFile::Programs AnyScheduleFromFile::program() const {
  switch (program_type()) {
    case 0:
      return ScheduleProgram(by_node_->schedule);
    case 1:
      return RoutedScheduleProgram(by_node_->schedule);
    default:
      return NodeInvariantProgram(of_identity_->group, of_identity_->plan.take([this] {
        return schedule_of(of_identity_->user, of_identity_->group);
      }));
  }
}

}  // namespace lockstep
