// SPDX-License-Identifier: Apache-2.0
#include "program/schedule_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/suggest.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "topology/node_names.hpp"

namespace lockstep {
namespace {

constexpr std::array<std::string_view, 11> header_keys{
    "topology", "operation", "port-model", "root",  "origins", "parts",
    "memory",   "memory-of", "control",    "steps", "phase"};

}  // namespace

ScheduleHeader::ScheduleHeader(const std::string& file, const ErasedTopology& network,
                               std::optional<Operation> of_run)
    : ScheduleWords(file, network), of_run_(of_run) {
  result_.file = file;
  result_.network = network;
}

bool ScheduleHeader::is_header_key(std::string_view key) {
  return std::ranges::find(header_keys, key) != header_keys.end();
}

void ScheduleHeader::read_version(std::string_view line) {
  if (line != by_node_version)
    fail(fmt::format("{} is not valid; expected {} in the first line", quoted(line),
                     schedule_versions));
  versioned_ = true;
}

void ScheduleHeader::read_header(std::string_view key, std::string_view value) {
  if (!is_header_key(key))
    fail(unknown("header line", printable(key), {header_keys.begin(), header_keys.end()}));
  const bool repeats = key == "memory-of" || key == "phase";
  if (!given_.emplace(key, line_).second && !repeats)
    fail(fmt::format("'{}' occurs twice; the first is in line {}", key, given_.find(key)->second));
  if (value.empty() && key != "memory" && key != "origins")
    fail(fmt::format("'{}' has no value", key));
  if (key == "topology") return read_topology(value);
  if (key == "operation") return read_operation(value);
  if (key == "port-model") return read_port_model(value);
  if (key == "origins") return read_origins_line(value);
  if (key == "control") return read_control(value);
  if (key == "memory-of") return read_sizes_of_node(value);
  if (key == "phase") return read_phase(value);
  if (key == "root") {
    result_.root = read_processor(value);
  } else if (key == "parts") {
    result_.parts_per_block = number_in(value, "parts", 1, max_region_blocks);
  } else if (key == "memory") {
    regions_ = sizes(value);
  } else {
    steps_ = number_in(value, "steps", 0, max_schedule_steps);
  }
}

void ScheduleHeader::read_topology(std::string_view value) {
  if (value != network_.name() && decoded(value) != network_.name())
    fail(fmt::format("the schedule is for topology {}, but the run is on '{}'", quoted(value),
                     network_.name()));
  result_.topology = network_.name();
}

void ScheduleHeader::read_operation(std::string_view value) {
  std::vector<std::string_view> names;
  for (unsigned i = 0; i <= index(Operation::scan); ++i) {
    names.push_back(name_of(static_cast<Operation>(i)));
    if (value != names.back()) continue;
    result_.operation = static_cast<Operation>(i);
    if (of_run_.value_or(result_.operation) != result_.operation)
      fail(fmt::format("the schedule is for {}, but the run is {}", value, name_of(*of_run_)));
    return;
  }
  fail(unknown("operation", printable(value), names));
}

void ScheduleHeader::read_port_model(std::string_view value) {
  std::vector<std::string_view> names;
  for (const PortModel& model : port_models::all) {
    names.push_back(model.name);
    if (value != model.name) continue;
    result_.model = model;
    result_.states_model = true;
    return;
  }
  fail(unknown("port model", printable(value), names));
}

void ScheduleHeader::read_origins_line(std::string_view value) {
  for (const std::string_view word : words(value)) result_.homes.push_back(read_processor(word));
}

void ScheduleHeader::read_control(std::string_view value) {
  for (const std::string_view word : words(value)) {
    const auto region = static_cast<Region>(number_in(word, "region", 0, max_regions - 1));
    if (is_control(region)) fail(fmt::format("region {} occurs twice", quoted(word)));
    control_.push_back(region);
  }
}

bool ScheduleHeader::is_control(Region region) const {
  return std::ranges::find(control_, region) != control_.end();
}

ScheduleHeader::Sizes ScheduleHeader::sizes(std::string_view value) const {
  Sizes blocks;
  for (const std::string_view word : words(value)) {
    if (blocks.size() == max_regions)
      fail(fmt::format("more than {} regions; {} is one too many", max_regions, quoted(word)));
    blocks.push_back(static_cast<std::uint32_t>(number_in(word, "blocks", 0, max_region_blocks)));
  }
  return blocks;
}

void ScheduleHeader::read_sizes_of_node(std::string_view value) {
  std::string_view rest = value;
  const NodeId node = read_node(next_piece(rest, blank_characters));
  const auto [before, is_first] = sizes_lines_.emplace(node, line_);
  if (!is_first)
    fail(fmt::format("'memory-of {}' occurs twice; the first is in line {}",
                     node_text(network_, node), before->second));
  sizes_.emplace_back(node, sizes(rest));
}

void ScheduleHeader::read_phase(std::string_view value) {
  std::string_view rest = value;
  const std::string_view first = next_piece(rest, blank_characters);
  const std::string_view name = trimmed(rest);
  if (name.empty())
    fail(fmt::format("'phase {}' has no name; expected 'phase STEP NAME'", printable(first)));
  phases_.push_back({std::string(name), number_in(first, "step", 0, max_schedule_steps)});
  phase_lines_.push_back(line_);
}

void ScheduleHeader::fail_at(std::string_view key, const std::string& what) {
  line_ = given_.find(key)->second;
  fail(what);
}

void ScheduleHeader::require(std::initializer_list<std::string_view> keys) const {
  for (const std::string_view key : keys)
    if (!is_given(key)) fail(fmt::format("the line '{} ..' is missing before the first step", key));
}

Schedule ScheduleHeader::checked_header() {
  if (!versioned_)
    fail(fmt::format("the file is empty; expected {} in the first line", schedule_versions));
  require({"topology", "operation", "memory", "steps"});
  const std::size_t line = line_;
  check_problem();
  check_memory();
  check_phases_of_file();
  line_ = line;
  Schedule schedule(network_.node_count(), *regions_);
  for (const auto& [node, blocks] : sizes_) schedule.set_sizes(node, blocks);
  schedule.set_control(control_);
  return schedule;
}

/// The operation defines the deliveries. A file names only the root, if there is one, and the
/// sources of a many-to-all.
void ScheduleHeader::check_problem() {
  const std::string_view operation = name_of(result_.operation);
  const bool many = result_.operation == Operation::many_to_all;
  if (given_.contains("root") && !has_root(result_.operation))
    fail_at("root", fmt::format("'root' does not apply to {}, which has no root; remove this line",
                                operation));
  if (given_.contains("origins") && !many)
    fail_at("origins",
            fmt::format("'origins' does not apply to {}, in which processor i is the source of "
                        "origin i; it is for many-to-all only; remove this line",
                        operation));
  if (!many) return;
  if (!given_.contains("origins"))
    fail("a many-to-all needs the line 'origins NODE ..' before the first step");
  const std::vector<NodeId>& homes = result_.homes;
  const std::uint64_t parts = result_.parts_per_block;
  if (homes.size() % parts != 0)
    fail_at("origins", fmt::format("{} for blocks in {} parts; expected a multiple of {}",
                                   counted(homes.size(), "origin"), parts, parts));
  for (std::size_t i = 0; i < homes.size(); ++i)
    if (homes[i] != homes[i - i % parts])
      fail_at("origins",
              fmt::format("origins {} and {} are parts of one block, but their nodes are {} and "
                          "{}; expected one node for each {} origins",
                          i - i % parts, i, node_text(network_, homes[i - i % parts]),
                          node_text(network_, homes[i]), parts));
}

void ScheduleHeader::check_memory() {
  for (const auto& [node, blocks] : sizes_) {
    line_ = sizes_lines_.at(node);
    if (!std::ranges::equal(blocks, *regions_, std::ranges::less_equal()))
      fail("expected one size per region of 'memory', none larger than its size there");
  }
  if (control_.empty()) return;
  for (const Region region : control_)
    if (index(region) >= regions_->size())
      fail_at("control", fmt::format("control words in region {}, but there are {} regions",
                                     index(region), regions_->size()));
  if (result_.model.switching != Switching::wormhole)
    fail_at("control",
            fmt::format("'control' needs a port model with wormhole switching, but the port-model "
                        "of the schedule is {}; remove this line",
                        result_.model.name));
}

void ScheduleHeader::check_phases_of_file() {
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    line_ = phase_lines_[i];
    const std::uint64_t least = i == 0 ? 0 : phases_[i - 1].first_step;
    const std::uint64_t most = i == 0 ? 0 : *steps_;
    if (phases_[i].first_step < least || phases_[i].first_step > most)
      fail(fmt::format("phase '{}' begins at step {}; expected {}..{}", printable(phases_[i].name),
                       phases_[i].first_step, least, most));
  }
}

}  // namespace lockstep
