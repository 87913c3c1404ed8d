// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "core/suggest.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "program/schedule_file.hpp"
#include "program/schedule_pieces.hpp"
#include "program/schedule_words.hpp"

namespace lockstep {
namespace {

/// SlotList of one region.
struct SlotPlace {
  Region region{};
  SlotList slots{};
};

class ScheduleReader : ScheduleWords {
 public:
  ScheduleReader(const std::string& file, const ErasedTopology& network)
      : ScheduleWords(file), network_(network) {
    result_.file = file;
  }

  [[nodiscard]] ScheduleFile parse(std::string_view text) {
    check_schedule_size(result_.file, text);
    while (!text.empty()) {
      ++line_;
      std::string_view line = next_piece(text, "\n");
      line = trimmed(line.substr(0, line.find('#')));
      if (!line.empty()) read_line(line);
    }
    if (!schedule_) begin_schedule();
    schedule_->close(*steps_, std::move(phases_));
    result_.schedule = std::make_shared<const Schedule>(std::move(*schedule_));
    return std::move(result_);
  }

 private:
  void read_line(std::string_view line) {
    if (!versioned_) {
      if (line != by_node_version)
        fail(fmt::format("{} is not valid; expected {} in the first line", quoted(line),
                         schedule_versions));
      versioned_ = true;
      return;
    }
    if (line.front() >= '0' && line.front() <= '9') return read_turn(line);
    const std::string_view key = next_piece(line, blanks);
    const std::string_view value = trimmed(line);
    if (key == "step") return begin_step(number_in(value, "step", 0, max_step()));
    if (schedule_ && std::ranges::find(header_keys, key) != header_keys.end())
      fail(fmt::format("header line {} after the first step; move it before the first step",
                       quoted(key)));
    if (schedule_)
      fail(
          fmt::format("{} is not valid; expected 'step N' or a line that begins with a node number",
                      quoted(key)));
    read_header(key, value);
  }

  // The header.

  static constexpr std::array<std::string_view, 11> header_keys{
      "topology", "operation", "port-model", "root",  "origins", "parts",
      "memory",   "memory-of", "control",    "steps", "phase"};

  void read_header(std::string_view key, std::string_view value) {
    if (std::ranges::find(header_keys, key) == header_keys.end())
      fail(unknown("header line", printable(key), {header_keys.begin(), header_keys.end()}));
    if (key != "memory-of" && key != "phase" && !given_.emplace(key).second)
      fail(fmt::format("'{}' occurs twice", key));
    if (value.empty() && key != "memory") fail(fmt::format("'{}' has no value", key));
    if (key == "topology") return read_topology(value);
    if (key == "operation") return read_operation(value);
    if (key == "port-model") return read_port_model(value);
    if (key == "root") {
      result_.root = read_processor(value);
    } else if (key == "origins") {
      for (const std::string_view word : words(value))
        result_.homes.push_back(read_processor(word));
    } else if (key == "parts") {
      result_.parts_per_block = number_in(value, "parts", 1, max_region_blocks);
    } else if (key == "memory") {
      regions_ = sizes(value);
    } else if (key == "memory-of") {
      read_sizes_of_node(value);
    } else if (key == "control") {
      for (const std::string_view word : words(value))
        control_.push_back(static_cast<Region>(number_in(word, "region", 0, max_regions - 1)));
    } else if (key == "steps") {
      steps_ = number_in(value, "steps", 0, max_schedule_steps);
    } else {
      std::string_view rest = value;
      const std::string_view first = next_piece(rest, blanks);
      phases_.push_back({std::string(trimmed(rest)), number_in(first, "step", 0, max_step())});
    }
  }

  void read_topology(std::string_view value) {
    if (value != network_.name())
      fail(fmt::format("the schedule is for topology {}, but the run is on '{}'", quoted(value),
                       network_.name()));
    result_.topology = std::string(value);
  }
  void read_operation(std::string_view value) {
    std::vector<std::string_view> names;
    for (unsigned i = 0; i <= index(Operation::scan); ++i) {
      names.push_back(name_of(static_cast<Operation>(i)));
      if (value != names.back()) continue;
      result_.operation = static_cast<Operation>(i);
      return;
    }
    fail(unknown("operation", printable(value), names));
  }
  void read_port_model(std::string_view value) {
    std::vector<std::string_view> names;
    for (const PortModel& model : port_models::all) {
      names.push_back(model.name);
      if (value != model.name) continue;
      result_.model = model;
      return;
    }
    fail(unknown("port model", printable(value), names));
  }
  [[nodiscard]] SlotList sizes(std::string_view value) const {
    SlotList blocks;
    for (const std::string_view word : words(value))
      blocks.push_back(static_cast<std::uint32_t>(number_in(word, "blocks", 0, max_region_blocks)));
    return blocks;
  }
  void read_sizes_of_node(std::string_view value) {
    std::string_view rest = value;
    const NodeId node = read_node(next_piece(rest, blanks));
    const SlotList blocks = sizes(rest);
    if (!regions_) fail("'memory-of' comes before 'memory'");
    bool fits = blocks.size() == regions_->size();
    for (std::size_t r = 0; fits && r < blocks.size(); ++r) fits = blocks[r] <= (*regions_)[r];
    if (!fits) fail("expected one size per region of 'memory', none larger than its size there");
    sizes_.emplace_back(node, blocks);
  }

  void begin_schedule() {
    if (!versioned_)
      fail(fmt::format("the file is empty; expected {} in the first line", schedule_versions));
    for (const std::string_view key : {"topology", "operation", "memory", "steps"})
      if (!given_.contains(key))
        fail(fmt::format("the line '{} ..' is missing before the first step", key));
    if (result_.operation == Operation::many_to_all && result_.homes.empty())
      fail("a many-to-all needs the line 'origins NODE ..' before the first step");
    for (const Region region : control_)
      if (index(region) >= regions_->size())
        fail(fmt::format("control words in region {}, but there are {} regions", index(region),
                         regions_->size()));
    schedule_.emplace(network_.node_count(), *regions_);
    for (const auto& [node, blocks] : sizes_) schedule_->set_sizes(node, blocks);
    schedule_->set_control(control_);
  }

  // Steps.

  [[nodiscard]] std::uint64_t max_step() const { return steps_.value_or(max_schedule_steps); }
  void begin_step(std::uint64_t step) {
    if (!schedule_) begin_schedule();
    // A refused heading is not reported as part of the step before.
    const std::optional<std::uint64_t> before = std::exchange(step_, std::nullopt);
    if (before == step) fail(fmt::format("step {} occurs twice; step numbers must increase", step));
    if (step > *steps_ || (before && step < *before))
      fail(fmt::format("step {} is not valid; expected {}..{}, in increasing order", step,
                       before ? *before + 1 : 0, *steps_));
    step_ = step;
    turns_.clear();
    result_.lines.push_back({.step = step, .line = static_cast<std::uint32_t>(line_)});
  }

  void read_turn(std::string_view line) {
    if (!step_) fail(fmt::format("{} before the first line 'step N'", quoted(line)));
    if (line.find(':') == std::string_view::npos)
      fail(fmt::format("{} is not valid; expected NODE: ACTION; ACTION ..", quoted(line)));
    node_ = read_node(trimmed(next_piece(line, ":")));
    if (!turns_.insert(index(node_)).second)
      fail(fmt::format("node {} occurs twice", index(node_)));
    result_.lines.push_back(
        {*step_, static_cast<std::uint32_t>(index(node_)), static_cast<std::uint32_t>(line_)});
    schedule_->begin_turn(*step_, node_);
    while (!line.empty()) read_action(trimmed(next_piece(line, ";")));
  }

  void read_action(std::string_view text) {
    const std::vector<std::string_view> all = words(text);
    rest_ = all;
    const std::string_view verb = next("an action");
    if (verb == "take") {
      read_reception();
    } else if (verb == "copy") {
      const SlotPlace from = read_place();
      expect("into");
      schedule_->copy(as_blocks(from), as_blocks(read_place_of(from.slots.size())));
    } else if (verb == "combine") {
      const SlotPlace left = read_place();
      expect("with");
      const SlotPlace right = read_place_of(left.slots.size());
      expect("into");
      const SlotPlace into = read_place_of(left.slots.size());
      if (left.region != into.region || right.region != into.region)
        fail("only blocks of one region can be combined");
      schedule_->combine(as_blocks(left), as_blocks(right), as_blocks(into));
    } else if (verb == "load") {
      read_load();
    } else if (verb == "deliver") {
      const SlotPlace place = read_place();
      schedule_->deliver(place.region, as_blocks(place).first, read_origins(place.slots.size()));
    } else if (verb == "send") {
      read_send();
    } else {
      fail(unknown("action", printable(verb),
                   {"take", "copy", "combine", "load", "deliver", "send"}));
    }
    if (!rest_.empty())
      fail(
          fmt::format("unexpected {} after the action in {}", quoted(rest_.front()), quoted(text)));
  }

  void read_reception() {
    const Port port = read_port(next("a port"));
    if (rest_.empty()) return schedule_->take(port);
    const std::string_view verb = next("an action");
    if (verb == "store") {
      const SlotPlace place = read_place();
      schedule_->take_store(port, place.region, place.slots);
    } else if (verb == "deliver") {
      const SlotList blocks = read_list(next("blocks of the message"));
      for (std::size_t i = 1; i < blocks.size(); ++i)
        if (blocks[i] != blocks[0] + i) fail("the blocks of a message must be delivered in order");
      schedule_->take_deliver(port, blocks.front(), read_origins(blocks.size()));
    } else if (verb == "combine") {
      const SlotPlace own = read_place();
      const bool elsewhere = accept("into");
      const SlotPlace into = elsewhere ? read_place_of(own.slots.size()) : own;
      if (own.region != into.region) fail("only blocks of one region can be combined");
      const Operands order =
          accept("arrived-first") ? Operands::arrived_first : Operands::own_first;
      if (elsewhere) {
        (void)as_blocks(own);
        (void)as_blocks(into);
      }
      schedule_->take_combine(port, into.region, own.slots, into.slots, order);
    } else {
      fail(unknown("use of a message", printable(verb), {"store", "deliver", "combine"}));
    }
  }

  void read_load() {
    const SlotPlace place = read_place();
    const std::vector<Origin> origins = read_origins(place.slots.size());
    expect("for");
    const SlotList nodes = read_list(next("destinations"));
    if (nodes.size() != origins.size())
      fail(fmt::format("{} destinations for {} blocks", nodes.size(), origins.size()));
    std::vector<LoadedBlock> blocks;
    for (std::size_t i = 0; i < origins.size(); ++i)
      blocks.push_back({origins[i], checked_processor(nodes[i])});
    schedule_->load(place.region, as_blocks(place).first, blocks);
  }

  void read_send() {
    std::string_view through = next("a port, or a route");
    if (through.find('>') == std::string_view::npos) {
      const Port port = read_port(through);
      const SlotPlace place = read_place();
      return schedule_->send(port, place.region, place.slots);
    }
    std::vector<Port> route;
    NodeId at = node_;
    while (!through.empty()) {
      const std::uint64_t ports = network_.degree(at);
      route.push_back(lockstep::port(
          number_in(next_piece(through, ">"), "port", 0, std::max<std::uint64_t>(ports, 1) - 1)));
      at = network_.neighbor(at, route.back());
    }
    const SlotPlace place = read_place();
    schedule_->send(route, place.region, place.slots);
  }

  [[nodiscard]] NodeId read_node(std::string_view text) const {
    return NodeId{number_in(text, "node", 0, network_.node_count() - 1)};
  }
  [[nodiscard]] NodeId read_processor(std::string_view text) const {
    return NodeId{number_in(text, "processor", 0, network_.processor_count() - 1)};
  }
  [[nodiscard]] NodeId checked_processor(std::uint64_t number) const {
    if (number >= network_.processor_count())
      fail(fmt::format("processor {} is not valid; expected 0..{}", number,
                       network_.processor_count() - 1));
    return NodeId{number};
  }
  [[nodiscard]] Port read_port(std::string_view text) const {
    const std::uint64_t ports = network_.degree(node_);
    if (ports == 0) fail(fmt::format("node {} has no ports", index(node_)));
    return lockstep::port(number_in(text, "port", 0, ports - 1));
  }

  /// R/SLOTS
  [[nodiscard]] SlotPlace read_place() {
    const std::string_view word = next("a place, REGION/SLOTS,");
    std::string_view slots = word;
    const std::string_view region = next_piece(slots, "/");
    const std::uint64_t regions = regions_->size();
    if (slots.empty() || regions == 0)
      fail(fmt::format("{} is not valid; expected REGION/SLOTS with a region below {}",
                       quoted(word), regions));
    SlotPlace place{static_cast<Region>(number_in(region, "region", 0, regions - 1)),
                    read_list(slots)};
    const std::uint32_t blocks = schedule_->blocks_of(node_, place.region);
    for (const std::uint32_t slot : place.slots)
      if (slot >= blocks)
        fail(fmt::format("slot {} of region {} does not exist; node {} has {} there", slot,
                         index(place.region), index(node_), counted(blocks, "slot")));
    return place;
  }
  [[nodiscard]] SlotPlace read_place_of(std::size_t slots) {
    SlotPlace place = read_place();
    if (place.slots.size() != slots)
      fail(fmt::format("{} for {}", counted(place.slots.size(), "slot"), counted(slots, "block")));
    return place;
  }
  [[nodiscard]] Blocks as_blocks(const SlotPlace& place) const {
    for (std::size_t i = 1; i < place.slots.size(); ++i)
      if (place.slots[i] != place.slots[0] + i) fail("expected consecutive slots");
    return {place.region, place.slots.front(), static_cast<std::uint32_t>(place.slots.size())};
  }
  /// "of ORIGINS"
  [[nodiscard]] std::vector<Origin> read_origins(std::size_t blocks) {
    expect("of");
    const SlotList numbers = read_list(next("origins"));
    if (numbers.size() != blocks)
      fail(fmt::format("{} origins for {} blocks", numbers.size(), blocks));
    const std::uint64_t origins =
        result_.homes.empty() ? network_.processor_count() : result_.homes.size();
    std::vector<Origin> found;
    for (const std::uint32_t number : numbers) {
      if (number >= origins)
        fail(fmt::format("origin {} is not valid; expected 0..{}", number, origins - 1));
      found.emplace_back(number);
    }
    return found;
  }

  const ErasedTopology& network_;
  ScheduleFile result_;
  bool versioned_ = false;
  std::set<std::string, std::less<>> given_;
  std::optional<SlotList> regions_;
  std::vector<std::pair<NodeId, SlotList>> sizes_;
  std::vector<Region> control_;
  std::vector<Phase> phases_;
  std::optional<std::uint64_t> steps_;
  std::optional<Schedule> schedule_;
  NodeId node_{};
  std::set<std::uint64_t> turns_;  // nodes of this step
};

}  // namespace

std::string ScheduleFile::place_of(std::uint64_t step, NodeId node) const {
  const auto first = std::ranges::lower_bound(lines, step, {}, &Line::step);
  const auto last = std::ranges::upper_bound(lines, step, {}, &Line::step);
  if (first == last) return file;
  const auto own =
      std::find_if(first, last, [&](const Line& line) { return line.node == index(node); });
  return file + ":" + std::to_string((own == last ? first : own)->line);
}

std::string_view schedule_version(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::string_view line = next_piece(text, "\n");
    if (const auto words = trimmed(line.substr(0, line.find('#'))); !words.empty()) return words;
  }
  return {};
}

ScheduleFile parse_schedule_by_node(const std::string& file, std::string_view text,
                                    const ErasedTopology& network) {
  return ScheduleReader(file, network).parse(text);
}

}  // namespace lockstep
