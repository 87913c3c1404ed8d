// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "core/invalid.hpp"
#include "core/suggest.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "program/schedule_file.hpp"
#include "program/schedule_header.hpp"
#include "program/schedule_pieces.hpp"
#include "program/schedule_words.hpp"
#include "topology/node_names.hpp"

namespace lockstep {
namespace {

/// Slots of one region: "1/3,0-2".
struct SlotPlace {
  std::string_view word;
  Region region{};
  NumberRanges slots;
};

class ScheduleReader : ScheduleHeader {
 public:
  ScheduleReader(const std::string& file, const ErasedTopology& network,
                 std::optional<Operation> of_run)
      : ScheduleHeader(file, network, of_run) {}

  [[nodiscard]] ScheduleFile parse(std::string_view text) {
    check_schedule_size(result_.file, text);
    while (!text.empty()) {
      ++line_;
      const std::string_view line = without_remark(next_piece(text, "\n"));
      if (!line.empty()) read_line(line);
    }
    if (!schedule_) schedule_ = checked_header();
    schedule_->close(steps(), take_phases());
    result_.schedule = std::make_shared<const Schedule>(std::move(*schedule_));
    return std::move(result_);
  }

 private:
  void read_line(std::string_view line) {
    if (!has_version()) return read_version(line);
    if ((line.front() >= '0' && line.front() <= '9') ||
        line.substr(0, line.find_first_of(blank_characters)).find(':') != std::string_view::npos)
      return read_turn(line);
    const std::string_view key = next_piece(line, blank_characters);
    const std::string_view value = trimmed(line);
    if (key == "step") return begin_step(number_in(value, "step", 0, steps()));
    if (schedule_ && is_header_key(key))
      fail(fmt::format("header line {} after the first step; move it before the first step",
                       quoted(key)));
    if (schedule_)
      fail(
          fmt::format("{} is not valid; expected 'step N' or a line that begins with a node number",
                      quoted(key)));
    read_header(key, value);
  }

  void begin_step(std::uint64_t step) {
    if (!schedule_) schedule_ = checked_header();
    // A refused heading is not reported as part of the step before.
    const std::optional<std::uint64_t> before = std::exchange(step_, std::nullopt);
    if (before == step) fail(fmt::format("step {} occurs twice; step numbers must increase", step));
    if (step > steps() || (before && step < *before))
      fail(fmt::format("step {} is not valid; expected {}..{}, in increasing order", step,
                       before ? *before + 1 : 0, steps()));
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
      fail(fmt::format("node {} occurs twice", node_text(network_, node_)));
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
      const Blocks from = as_blocks(read_blocks(verb), verb);
      expect("into");
      schedule_->copy(from, as_blocks(read_blocks(verb, from.count), verb));
    } else if (verb == "combine") {
      const Blocks left = as_blocks(read_blocks(verb), verb);
      expect("with");
      const Blocks right = as_blocks(read_blocks(verb, left.count), verb);
      expect("into");
      const Blocks into = as_blocks(read_blocks(verb, left.count), verb);
      check_one_region(left.region, right.region);
      check_one_region(left.region, into.region);
      schedule_->combine(left, right, into);
    } else if (verb == "load") {
      read_load();
    } else if (verb == "deliver") {
      const SlotPlace place = read_blocks_of_host(verb);
      schedule_->deliver(place.region, place.slots.front(), read_origins(place.slots.size()));
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
      if (place.slots.are_consecutive())
        schedule_->take_store(port, as_blocks(place, verb));
      else
        schedule_->take_store(port, place.region, numbers_of(place.slots));
    } else if (verb == "deliver") {
      const std::string_view word = next("blocks of the message");
      const NumberRanges blocks = read_list(word);
      check_consecutive(word, blocks, "take .. deliver", "2-4");
      schedule_->take_deliver(port, blocks.front(), read_origins(blocks.size()));
    } else if (verb == "combine") {
      read_combined(port);
    } else {
      fail(unknown("use of a message", printable(verb), {"store", "deliver", "combine"}));
    }
  }

  void read_combined(Port port) {
    const std::string_view verb = "take .. combine";
    const SlotPlace own = read_blocks(verb);
    const bool elsewhere = accept("into");
    const SlotPlace into = elsewhere ? read_blocks(verb, own.slots.size()) : own;
    check_one_region(own.region, into.region);
    if (elsewhere) {  // a list is combined in place only
      check_consecutive(own.word, own.slots, "take .. combine .. into", "0/2-4");
      check_consecutive(into.word, into.slots, "take .. combine .. into", "0/2-4");
    }
    const Operands order = accept("arrived-first") ? Operands::arrived_first : Operands::own_first;
    schedule_->take_combine(port, into.region, numbers_of(own.slots), numbers_of(into.slots),
                            order);
  }

  void read_load() {
    const SlotPlace place = read_blocks_of_host("load");
    const std::vector<Origin> origins = read_origins(place.slots.size());
    expect("for");
    const std::string_view word = next("destinations");
    const std::vector<std::uint32_t> nodes = read_processors(word);
    if (nodes.size() != origins.size())
      fail(fmt::format("{} destinations for {} blocks: 'for {}' after {}", nodes.size(),
                       origins.size(), printable(word), quoted(place.word)));
    std::vector<LoadedBlock> blocks;
    blocks.reserve(origins.size());
    for (const std::uint32_t node : nodes)
      blocks.push_back({origins[blocks.size()], checked_processor(node)});
    schedule_->load(place.region, place.slots.front(), blocks);
  }

  void read_send() {
    std::string_view through = next("a port, or a route");
    if (through.find('>') == std::string_view::npos) {
      const Port port = read_port(through);
      const SlotPlace place = read_place();
      if (place.slots.are_consecutive()) return schedule_->send(port, as_blocks(place, "send"));
      return schedule_->send(port, place.region, numbers_of(place.slots));
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
    schedule_->send(route, place.region, numbers_of(place.slots));
  }

  [[nodiscard]] NodeId checked_processor(std::uint64_t number) const {
    if (number >= network_.processor_count())
      fail(fmt::format("processor {} is not valid; expected 0..{}", number,
                       network_.processor_count() - 1));
    return NodeId{number};
  }
  [[nodiscard]] Port read_port(std::string_view text) const {
    const std::uint64_t ports = network_.degree(node_);
    if (ports == 0) fail(fmt::format("node {} has no ports", node_text(network_, node_)));
    return lockstep::port(number_in(text, "port", 0, ports - 1));
  }

  /// R/SLOTS, all of which the node has; of each, as many as `each`.
  [[nodiscard]] SlotPlace read_place(std::uint64_t each = 1) {
    const std::string_view word = next("a place, REGION/SLOTS,");
    std::string_view slots = word;
    const std::string_view region = next_piece(slots, "/");
    const std::uint64_t regions = region_count();
    if (slots.empty() || regions == 0)
      fail(fmt::format("{} is not valid; expected REGION/SLOTS with a region below {}",
                       quoted(word), regions));
    SlotPlace place{word, static_cast<Region>(number_in(region, "region", 0, regions - 1)),
                    read_list(slots)};
    const std::uint32_t blocks = schedule_->blocks_of(node_, place.region);
    for (const auto& [first, last] : place.slots) {
      if (last < blocks && each <= blocks - last) continue;
      const std::uint64_t slot = std::max(first, blocks);
      if (each == 1)
        fail(fmt::format("slot {} of region {} does not exist; node {} has {} there", slot,
                         index(place.region), node_text(network_, node_), counted(blocks, "slot")));
      fail(
          fmt::format("{} takes slots {}..{} of region {}, because blocks have {} parts; node {} "
                      "has {} there",
                      quoted(word), last, last + each - 1, index(place.region), each,
                      node_text(network_, node_), counted(blocks, "slot")));
    }
    return place;
  }
  /// The same, not of control words.
  [[nodiscard]] SlotPlace read_blocks(std::string_view verb, std::uint64_t slots = 0,
                                      std::uint64_t each = 1) {
    SlotPlace place = read_place(each);
    if (is_control(place.region))
      fail(fmt::format("{} is in region {}, which holds control words; '{}' needs blocks",
                       quoted(place.word), index(place.region), verb));
    if (slots != 0 && place.slots.size() != slots)
      fail(fmt::format("{} for {}: {}", counted(place.slots.size(), "slot"),
                       counted(slots, "block"), quoted(place.word)));
    return place;
  }
  /// Consecutive slots of blocks that the host gives or receives, each with all its parts.
  [[nodiscard]] SlotPlace read_blocks_of_host(std::string_view verb) {
    const SlotPlace place = read_blocks(verb, 0, slots_per_block());
    check_consecutive(place.word, place.slots, verb, "0/2-4");
    return place;
  }

  void check_one_region(Region one, Region other) const {
    if (one != other)
      fail(fmt::format("regions {} and {} given; only blocks of one region can be combined",
                       index(one), index(other)));
  }
  void check_consecutive(std::string_view word, const NumberRanges& numbers, std::string_view verb,
                         std::string_view example) const {
    if (!numbers.are_consecutive())
      fail(
          fmt::format("{} is not consecutive; '{}' expects numbers in ascending order without "
                      "gaps, such as '{}'; write an action for each range",
                      quoted(word), verb, example));
  }
  [[nodiscard]] Blocks as_blocks(const SlotPlace& place, std::string_view verb) const {
    check_consecutive(place.word, place.slots, verb, "0/2-4");
    return {place.region, place.slots.front(), static_cast<std::uint32_t>(place.slots.size())};
  }

  /// "of ORIGINS"
  [[nodiscard]] std::vector<Origin> read_origins(std::uint64_t blocks) {
    expect("of");
    const std::string_view word = next("origins");
    const std::vector<std::uint32_t> numbers = result_.operation == Operation::many_to_all
                                                   ? numbers_of(read_list(word))
                                                   : read_processors(word);
    if (numbers.size() != blocks)
      fail(fmt::format("{} origins for {} blocks: 'of {}'", numbers.size(), blocks,
                       printable(word)));
    std::vector<Origin> found;
    found.reserve(blocks);
    for (const std::uint32_t number : numbers) {
      if (origins() == 0)
        fail(fmt::format("origin {} is not valid; the schedule has no origins", number));
      if (number >= origins())
        fail(fmt::format("origin {} is not valid; expected 0..{}", number, origins() - 1));
      found.emplace_back(number);
    }
    return found;
  }

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
    if (const auto words = without_remark(next_piece(text, "\n")); !words.empty()) return words;
  }
  return {};
}

ScheduleFile parse_schedule(const std::string& file, std::string_view text,
                            const ErasedTopology& network, std::optional<Operation> of_run) {
  if (schedule_version(text) == of_identity_version) {
    const std::optional<AnyCayley> group = network.cayley();
    if (group) return parse_plan(file, text, *group, of_run);
    throw invalid(
        "{}: a schedule of version 1 needs a Cayley graph, which {} is not; expected "
        "a schedule of version 2 (actions of every node)",
        file, network.name());
  }
  return ScheduleReader(file, network, of_run).parse(text);
}

}  // namespace lockstep
