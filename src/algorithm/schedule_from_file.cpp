// SPDX-License-Identifier: Apache-2.0
#include "algorithm/schedule_from_file.hpp"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "core/invalid.hpp"
#include "program/schedule_pieces.hpp"
#include "topology/node_names.hpp"

namespace lockstep {

AnyScheduleFromFile::AnyScheduleFromFile(Operation operation, const ErasedTopology& network,
                                         const Settings& settings)
    : operation_(operation), nodes_(network.node_count()) {
  const std::string name = settings.text(schedule_parameter.name);
  ScheduleFile file = parse_schedule(name, schedule_file_text(name), network, operation);
  if (file.plan)
    plan_ = std::make_shared<const PlannedTransfers>(
        name, network, *std::exchange(file.plan, std::nullopt), nullptr, operation);
  file_ = std::make_shared<const ScheduleFile>(std::move(file));
  check_problem(network, settings);
  if (!plan_) work_ = file_->schedule->work();
}

/// The file does not change the problem that the command line states.
void AnyScheduleFromFile::check_problem(const ErasedTopology& network,
                                        const Settings& settings) const {
  const ScheduleFile& schedule = *file_;
  const std::uint64_t root = settings.number(root_parameter.name);
  if (settings.find(root_parameter.name) != nullptr && root != index(schedule.root))
    throw invalid("root: {} is not possible; the schedule in {} has root {}",
                  node_text(network, NodeId{root}), schedule.file,
                  node_text(network, schedule.root));
  if (settings.number(parts_parameter.name, schedule.parts_per_block) != schedule.parts_per_block)
    throw invalid("parts: {} is not possible; the schedule in {} has {}",
                  settings.number(parts_parameter.name), schedule.file, schedule.parts_per_block);
  if (settings.find(messages_parameter.name) == nullptr &&
      settings.find(placement_parameter.name) == nullptr)
    return;
  Settings asked = settings;
  asked[parts_parameter.name] = schedule.parts_per_block;
  const Pattern pattern = homes_on(network, asked, fixed_homes_on(network, asked));
  const std::vector<NodeId>& homes = *pattern.homes();
  if (homes.size() != schedule.homes.size())
    throw invalid("messages: {} are asked for, but the schedule in {} has {} (line 'origins')",
                  homes.size() / schedule.parts_per_block, schedule.file,
                  schedule.homes.size() / schedule.parts_per_block);
  const auto [wanted, given] = std::ranges::mismatch(homes, schedule.homes);
  if (wanted != homes.end())
    throw invalid(
        "placement: origin {} is at node {}, but at node {} in the schedule in {} (line 'origins')",
        wanted - homes.begin(), node_text(network, *wanted), node_text(network, *given),
        schedule.file);
}

std::optional<Cost> AnyScheduleFromFile::promise() const {
  if (plan_) return plan_->promise();
  if (file_->parts_per_block != 1 && operation_ != Operation::many_to_all) return std::nullopt;
  return Cost{.startups = work_.startups,
              .message_times = work_.message_times,
              .control_words = work_.control_words};
}

Footprint AnyScheduleFromFile::footprint() const {
  const std::uint64_t line_bytes = file_->lines.size() * sizeof(ScheduleFile::Line);
  if (plan_) {
    Footprint footprint = plan_->footprint();
    footprint.plan_bytes += line_bytes;
    return footprint;
  }
  const Schedule& schedule = *file_->schedule;
  std::uint64_t blocks = 0;
  for (std::uint64_t u = 0; u < schedule.nodes(); ++u)
    for (std::size_t r = 0; r < schedule.regions().size(); ++r)
      blocks += schedule.blocks_of(NodeId{u}, static_cast<Region>(r));
  return {.steps = schedule.step_count(),
          .hops = work_.messages,
          .blocks_per_processor = blocks / schedule.nodes() + 1,
          .blocks_of_all = std::max<std::uint64_t>(blocks, 1),
          .plan_bytes = schedule.bytes() + line_bytes,
          .parts_per_block = file_->parts_per_block,
          .work = work_};
}

Settings AnyScheduleFromFile::chosen() const {
  Settings settings;
  if (has_root(operation_)) settings[root_parameter.name] = index(file_->root);
  if (operation_ == Operation::many_to_all) {
    if (file_->parts_per_block != 1) settings[parts_parameter.name] = file_->parts_per_block;
    settings[messages_parameter.name] = file_->homes.size() / file_->parts_per_block;
  }
  return settings;
}

std::size_t AnyScheduleFromFile::program_type() const {
  if (plan_) return 2;
  const bool over_routes =
      file_->schedule->takes_routes() || file_->model.switching == Switching::wormhole;
  return over_routes ? 1 : 0;
}

AnyScheduleFromFile::Programs AnyScheduleFromFile::program() const {
  if (plan_) return std::get<GroupedScheduleProgram>(plan_->program());
  if (program_type() == 1) return RoutedScheduleProgram(file_->schedule);
  return ScheduleProgram(file_->schedule);
}

}  // namespace lockstep
