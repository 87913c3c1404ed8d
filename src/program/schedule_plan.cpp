// SPDX-License-Identifier: Apache-2.0

/// Schedules of version 1: the messages of the identity of a Cayley graph are a plan of one class
/// of nodes. Every block is followed line by line.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/invalid.hpp"
#include "core/suggest.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "program/schedule_header.hpp"
#include "program/schedule_pieces.hpp"

namespace lockstep {
namespace {

constexpr std::string_view expected_step =
    "expected messages such as '0: 1', separated by ';', or '-' for a step without messages";

class PlanReader : ScheduleHeader {
 public:
  PlanReader(const std::string& file, const AnyCayley& group, std::optional<Operation> of_run)
      : ScheduleHeader(file, group, of_run),
        group_(group),
        identity_(group.identity()),
        plan_(all_one_class(group.node_count(), identity_)) {
    if (group.node_count() > max_region_blocks)
      throw invalid("{}: {} has {} nodes; allowed: up to {}", file, group.name(),
                    group.node_count(), max_region_blocks);
    place_.assign(group.node_count(), identity_);
    last_.assign(group.node_count(), never);
  }

  [[nodiscard]] ScheduleFile parse(std::string_view text) {
    check_schedule_size(result_.file, text);
    bool has_version = false;
    while (!text.empty()) {
      ++line_;
      const std::string_view line = without_remark(next_piece(text, "\n"));
      if (!line.empty() && std::exchange(has_version, true)) read_line(line);
    }
    finish();
    result_.plan = std::move(plan_);
    return std::move(result_);
  }

 private:
  static constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();
  struct Sent {
    Port through{};
    NodeId block{};
    bool begins_message = false;  // through a port for which there is a message already
  };

  void read_line(std::string_view line) {
    step_.reset();
    const char first = line.front();
    if ((first >= '0' && first <= '9') || first == '-') return read_step(line);
    if (plan_.steps != 0)
      fail(fmt::format("{} after the first step is not a step; {}", quoted(line), expected_step));
    const std::string_view key = next_piece(line, blank_characters);
    const std::string_view value = trimmed(line);
    const std::vector<std::string_view> keys{"topology", "operation", "port-model", "steps"};
    if (std::ranges::find(keys, key) == keys.end())
      fail(unknown("header line", printable(key), keys) + " (version 1)");
    const std::vector<std::string_view> operations{name_of(Operation::total_exchange),
                                                   name_of(Operation::all_gather)};
    if (key == "operation" && !value.empty() &&
        std::ranges::find(operations, value) == operations.end())
      fail(unknown("operation of version 1", printable(value), operations) +
           "; use version 2 for other operations");
    read_header(key, value);
  }

  void read_step(std::string_view line) {
    require({"topology", "operation"});
    result_.lines.push_back({.step = plan_.steps, .line = static_cast<std::uint32_t>(line_)});
    step_ = plan_.steps++;
    sent_.clear();
    std::vector<bool> used(group_.degree(identity_));
    while (line != "-" && !line.empty()) read_message(trimmed(next_piece(line, ";")), used);
    if (result_.operation == Operation::all_gather) return gather();
    for (const Sent& sent : sent_) exchange(sent);
  }

  void read_message(std::string_view text, std::vector<bool>& used) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos)
      fail(fmt::format("{} is not valid; {}", quoted(text), expected_step));
    const Port through = read_port(trimmed(text.substr(0, colon)));
    const std::size_t before = sent_.size();
    std::string_view rest = text.substr(colon + 1);
    while (!(rest = trimmed(rest)).empty())
      sent_.push_back(
          {.through = through, .block = read_block(next_piece(rest, blank_characters))});
    const std::size_t count = sent_.size() - before;
    if (count == 0) fail(fmt::format("no block after {}", quoted(text)));
    if (count > max_region_blocks)
      fail(fmt::format("{} blocks in a message; allowed: up to {}", count, max_region_blocks));
    sent_[before].begins_message = used[index(through)];
    used[index(through)] = true;
  }

  [[nodiscard]] Port read_port(std::string_view text) const {
    const std::size_t degree = group_.degree(identity_);
    const std::optional<std::uint64_t> number = whole_number(text);
    if (!number || *number >= degree)
      fail(fmt::format(
          "port {} is not valid; expected {}", quoted(text),
          degree == 0 ? "no port, because there are none" : fmt::format("0..{}", degree - 1)));
    return port(*number);
  }

  [[nodiscard]] NodeId read_block(std::string_view name) {
    if (name.front() == '/') return read_path(name);
    if (labels_.empty())
      for (std::uint64_t u = 0; u < group_.node_count(); ++u)
        labels_.emplace(group_.label(NodeId{u}), NodeId{u});
    const auto found = labels_.find(std::string(name));
    if (found == labels_.end())
      fail(fmt::format("unknown node {}; expected a label such as '{}' or a path such as '/0'",
                       quoted(name), group_.label(NodeId{group_.node_count() - 1})));
    return found->second;
  }

  [[nodiscard]] NodeId read_path(std::string_view path) const {
    NodeId node = identity_;
    path.remove_prefix(1);
    while (!path.empty()) {
      const bool ends_open = path.back() == '/';
      const Port through = read_port(next_piece(path, "/"));
      if (ends_open && path.empty()) fail("a path ends with '/'; expected '/0/1', or '/' alone");
      node = group_.neighbor(node, through);
    }
    return node;
  }

  /// The block of the identity for a node moves on; each is at one place.
  void exchange(const Sent& sent) {
    const NodeId block = sent.block;
    NodeId& place = place_[index(block)];
    std::uint32_t& last = last_[index(block)];
    if (block == identity_)
      fail(fmt::format("block '{}' is a message to self, which is not sent", label(block)));
    if (last == *step_) fail(fmt::format("block '{}' is sent twice in one step", label(block)));
    if (place == block)
      fail(fmt::format("block '{}' is sent, but it already arrived in step {} ({})", label(block),
                       last, result_.place_of(last, identity_)));
    last = static_cast<std::uint32_t>(*step_);
    place = moved(sent, index(block), place);
  }

  /// The block of the identity spreads. A node from which its source is `a` is the inverse of a.
  void gather() {
    for (const Sent& sent : sent_)
      if (sent.block != identity_ && last_[index(sent.block)] == never)
        fail(fmt::format("block '{}' is sent, but the processor does not hold it before this step",
                         label(sent.block)));
    for (const Sent& sent : sent_) {
      const NodeId there = group_.inverse(moved(sent, everyone, group_.inverse(sent.block)));
      if (there == identity_)
        fail(fmt::format("block '{}' returns to its source", label(sent.block)));
      if (std::exchange(last_[index(there)], static_cast<std::uint32_t>(*step_)) != never)
        fail(fmt::format("block '{}' arrives, as '{}', at a processor that already has it",
                         label(sent.block), label(there)));
    }
  }

  /// Adds the transfer and returns the node to which it brings the block.
  NodeId moved(const Sent& sent, std::uint64_t destination, NodeId from) {
    const NodeId to = group_.neighbor(from, sent.through);
    plan_.move(*step_, index(identity_), destination, index(from), index(to), sent.through);
    plan_.list.back().begins_message = sent.begins_message;
    return to;
  }

  void finish() {
    step_.reset();
    require({"topology", "operation"});
    if (is_given("steps") && steps() != plan_.steps)
      fail_at("steps", fmt::format("{} announced, but the file has {}", counted(steps(), "step"),
                                   plan_.steps));
    // The receptions of the last step are in its line, too.
    if (plan_.steps != 0)
      result_.lines.push_back({plan_.steps, result_.lines.back().node, result_.lines.back().line});
    const bool gathers = result_.operation == Operation::all_gather;
    std::uint64_t missing = 0;
    std::uint64_t first = 0;
    for (std::uint64_t g = group_.node_count(); g-- > 0;) {
      if (NodeId{g} == identity_ || (gathers ? last_[g] != never : place_[g] == NodeId{g}))
        continue;
      ++missing;
      first = g;
    }
    if (missing == 0) return;
    std::string what;
    const std::string name = label(NodeId{first});
    if (gathers)
      what = fmt::format("the block of processor '{}' has not arrived", name);
    else if (last_[first] == never)
      what = fmt::format("block '{}' is never sent", name);
    else
      what = fmt::format(
          "block '{}' has not reached its destination, which is '{}' relative to "
          "the processor that holds it; add the missing moves",
          name, label(group_.product(group_.inverse(place_[first]), NodeId{first})));
    if (missing > 1) what += fmt::format(" ({} undelivered blocks in total)", grouped(missing));
    throw invalid("{}: the schedule ends after {}, but {}", result_.file,
                  counted(plan_.steps, "step"), what);
  }

  [[nodiscard]] std::string label(NodeId node) const { return group_.label(node); }

  const AnyCayley& group_;
  NodeId identity_;
  Transfers plan_;
  std::vector<Sent> sent_;           // in this step
  std::vector<NodeId> place_;        // of the block for each node, in a total exchange
  std::vector<std::uint32_t> last_;  // the step in which that was sent last; in an all-gather, in
                                     // which the block with this name arrived
  std::unordered_map<std::string, NodeId> labels_;  // filled when the first label is read
};

}  // namespace

ScheduleFile parse_plan(const std::string& file, std::string_view text, const AnyCayley& group,
                        std::optional<Operation> of_run) {
  return PlanReader(file, group, of_run).parse(text);
}

}  // namespace lockstep
