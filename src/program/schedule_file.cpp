// SPDX-License-Identifier: Apache-2.0

/// Users' schedules: the parser, and whether a schedule can be carried out: where every block is
/// when it is sent.

#include "program/schedule_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/suggest.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "program/schedule_pieces.hpp"

namespace lockstep {

namespace {

constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

/// What both operations share: the way through a schedule, and the words for what is wrong in it.
class Rules {
 public:
  Rules(UserSchedule& schedule, const AnyCayley& group)
      : schedule_(schedule),
        group_(group),
        identity_(static_cast<std::uint32_t>(index(group.identity()))) {
    for (std::size_t p = 0; p < group.degree(group.identity()); ++p)
      back_.push_back(group.inverse(group.neighbor(group.identity(), port(p))));
  }

 protected:
  /// check(entry, its number, port, step)
  template <class Check>
  void for_each_entry(std::uint32_t step, Check check) {
    for (const UserSchedule::Message& message : schedule_.messages_of(schedule_.steps[step]))
      for (std::uint32_t i = message.first; i < message.first + message.count; ++i)
        check(schedule_.entries[i], i, message.port, step);
  }
  [[nodiscard]] std::uint32_t steps() const {
    return static_cast<std::uint32_t>(schedule_.steps.size());
  }

  /// What is `address` for a processor is this for the one behind its port.
  [[nodiscard]] std::uint32_t behind(Port through, std::uint32_t address) const {
    return static_cast<std::uint32_t>(
        index(group_.product(back_[index(through)], NodeId{address})));
  }

  [[nodiscard]] std::string label(std::uint32_t address) const {
    return group_.label(NodeId{address});
  }
  [[noreturn]] void fail(std::uint32_t step, const std::string& what) const {
    throw InvalidParameter(fmt::format("{}: step {}: {}", schedule_.place_of(step), step, what));
  }
  /// A block that is nowhere where it should be in the end, of `missing` in all.
  [[noreturn]] void fail_at_end(const std::string& what, std::uint64_t missing) const {
    const std::string more =
        missing > 1 ? fmt::format(" ({} undelivered blocks in total)", grouped(missing)) : "";
    throw InvalidParameter(fmt::format("{}: the schedule ends after {}, but {}{}", schedule_.file,
                                       counted(steps(), "step"), what, more));
  }

  UserSchedule& schedule_;
  const AnyCayley& group_;
  std::uint32_t identity_;

 private:
  std::vector<NodeId> back_;  // inverses of the generators
};

class TotalExchangeRules : Rules {
 public:
  TotalExchangeRules(UserSchedule& schedule, const AnyCayley& group) : Rules(schedule, group) {
    for (std::uint32_t g = 0; g < group.node_count(); ++g) rests_.push_back(g);
    sent_.assign(rests_.size(), never);
  }

  void apply() {
    for (std::uint32_t step = 0; step < steps(); ++step)
      for_each_entry(step, [this](UserSchedule::Entry& entry, std::uint32_t, Port through,
                                  std::uint32_t now) { move(entry, through, now); });
    std::uint64_t missing = 0;
    std::uint32_t first = never;
    for (std::uint32_t g = 0; g < rests_.size(); ++g) {
      if (rests_[g] == identity_) continue;
      if (missing++ == 0) first = g;
    }
    if (missing == 0) return;
    fail_at_end(sent_[first] == never
                    ? fmt::format("block '{}' is never sent", label(first))
                    : fmt::format("block '{}' has not reached its destination, which is '{}' "
                                  "relative to the processor that holds it; add the missing moves",
                                  label(first), label(rests_[first])),
                missing);
  }

 private:
  void move(UserSchedule::Entry& entry, Port through, std::uint32_t step) {
    const std::uint32_t block = entry.block;
    if (block == identity_)
      fail(step, fmt::format("block '{}' is a message to self, which is not sent", label(block)));
    if (sent_[block] == step)
      fail(step, fmt::format("block '{}' is sent twice in one step", label(block)));
    if (rests_[block] == identity_)
      fail(step, fmt::format("block '{}' is sent, but it already arrived in step {} ({})",
                             label(block), sent_[block], schedule_.place_of(sent_[block])));
    sent_[block] = step;
    rests_[block] = behind(through, rests_[block]);
    entry.at_receiver = block;
    entry.last_send = true;
    entry.delivered = rests_[block] == identity_;
    entry.kept = !entry.delivered;
  }

  std::vector<std::uint32_t> rests_;  // of each block, its destination from where it is
  std::vector<std::uint32_t> sent_;   // of each block, the step of its last send
};

class AllGatherRules : Rules {
 public:
  AllGatherRules(UserSchedule& schedule, const AnyCayley& group)
      : Rules(schedule, group),
        came_(group.node_count(), never),
        last_(group.node_count(), never) {}

  void apply() {
    for (std::uint32_t step = 0; step < steps(); ++step) {
      for_each_entry(step, [this](UserSchedule::Entry& entry, std::uint32_t number, Port,
                                  std::uint32_t now) { send(entry, number, now); });
      for_each_entry(step, [this](UserSchedule::Entry& entry, std::uint32_t number, Port through,
                                  std::uint32_t now) { receive(entry, number, through, now); });
    }
    std::uint64_t missing = 0;
    std::uint32_t first = never;
    for (std::uint32_t g = 0; g < came_.size(); ++g) {
      if (last_[g] != never) schedule_.entries[last_[g]].last_send = true;
      if (last_[g] != never && g != identity_) schedule_.entries[came_[g]].kept = true;
      if (came_[g] != never || g == identity_) continue;
      if (missing++ == 0) first = g;
    }
    if (missing != 0)
      fail_at_end(fmt::format("the block of processor '{}' has not arrived", label(first)),
                  missing);
  }

 private:
  void send(const UserSchedule::Entry& entry, std::uint32_t number, std::uint32_t step) {
    if (entry.block != identity_ && came_[entry.block] == never)
      fail(step, fmt::format("block '{}' is sent, but the processor does not hold it before this "
                             "step",
                             label(entry.block)));
    last_[entry.block] = number;
  }

  void receive(UserSchedule::Entry& entry, std::uint32_t number, Port through, std::uint32_t step) {
    entry.at_receiver = behind(through, entry.block);
    if (entry.at_receiver == identity_)
      fail(step, fmt::format("block '{}' returns to its source", label(entry.block)));
    if (came_[entry.at_receiver] != never)
      fail(step, fmt::format("block '{}' arrives, as '{}', at a processor that already has it",
                             label(entry.block), label(entry.at_receiver)));
    came_[entry.at_receiver] = number;
    entry.delivered = true;
  }

  std::vector<std::uint32_t> came_;  // of each block, the entry that it came by
  std::vector<std::uint32_t> last_;  // of each block, the entry that sends it last
};

/// Fills in what the entries do not say themselves. Throws InvalidParameter with file, line, step.
void apply_schedule_rules(UserSchedule& schedule, const AnyCayley& group) {
  if (schedule.operation == Operation::total_exchange)
    TotalExchangeRules(schedule, group).apply();
  else
    AllGatherRules(schedule, group).apply();
}

constexpr std::string_view expected_step =
    "expected messages such as '0: 1', separated by ';', or '-' for a step without messages";

class Parser {
 public:
  Parser(const std::string& file, const AnyCayley& group, std::optional<Operation> of_run)
      : group_(group), of_run_(of_run) {
    schedule_.file = file;
    if (group.node_count() > max_region_blocks)
      throw InvalidParameter(fmt::format("{}: {} has {} nodes; allowed: up to {}", file,
                                         group.name(), group.node_count(), max_region_blocks));
  }

  [[nodiscard]] UserSchedule parse(std::string_view text) {
    check_schedule_size(schedule_.file, text);
    while (!text.empty()) {
      ++line_;
      const std::string_view line = without_remark(next_piece(text, "\n"));
      if (!line.empty()) read_line(line);
    }
    finish();
    apply_schedule_rules(schedule_, group_);
    return std::move(schedule_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    const std::string step =
        in_step_ ? fmt::format("step {}: ", schedule_.steps.size() - 1) : std::string();
    throw InvalidParameter(
        fmt::format("{}:{}: {}{}", schedule_.file, std::max<std::size_t>(line_, 1), step, what));
  }

  void read_line(std::string_view line) {
    in_step_ = false;
    if (!versioned_) return read_version(line);
    const char first = line.front();
    if ((first >= '0' && first <= '9') || first == '-') return read_step(line);
    read_header(line);
  }

  void read_version(std::string_view line) {
    if (line != of_identity_version)
      fail(fmt::format("{} is not valid; expected {} in the first line", quoted(line),
                       schedule_versions));
    versioned_ = true;
  }

  void read_header(std::string_view line) {
    if (!schedule_.steps.empty())
      fail(fmt::format("{} after the first step is not a step; {}", quoted(line), expected_step));
    const std::string_view key = next_piece(line, blank_characters);
    const std::string_view value = trimmed(line);
    if (key == "topology") return read_topology(once(topology_, key, value));
    if (key == "operation") return read_operation(once(operation_, key, value));
    if (key == "port-model") return read_port_model(once(port_model_, key, value));
    if (key == "steps") return read_step_count(once(steps_, key, value));
    fail(unknown("header line", printable(key), {"topology", "operation", "port-model", "steps"}) +
         " (version 1)");
  }

  std::string_view once(std::optional<std::string>& kept, std::string_view key,
                        std::string_view value) {
    if (kept) fail(fmt::format("'{}' occurs twice", key));
    if (value.empty()) fail(fmt::format("'{}' has no value", key));
    kept = std::string(value);
    return value;
  }

  void read_topology(std::string_view value) {
    if (value != group_.name() && decoded(value) != group_.name())
      fail(fmt::format("the schedule is for topology {}, but the run is on '{}'", quoted(value),
                       group_.name()));
  }

  void read_operation(std::string_view value) {
    for (const Operation operation : {Operation::total_exchange, Operation::all_gather}) {
      if (value != name_of(operation)) continue;
      schedule_.operation = operation;
      if (of_run_.value_or(operation) != operation)
        fail(fmt::format("the schedule is for {}, but the run is {}", value, name_of(*of_run_)));
      return;
    }
    fail(unknown("operation of version 1", printable(value),
                 {name_of(Operation::total_exchange), name_of(Operation::all_gather)}) +
         "; use version 2 for other operations");
  }

  void read_port_model(std::string_view value) {
    std::vector<std::string_view> names;
    for (const PortModel& model : port_models::all) {
      names.push_back(model.name);
      if (value != model.name) continue;
      schedule_.model = model;
      schedule_.states_model = true;
      return;
    }
    fail(unknown("port model", printable(value), names));
  }

  void read_step_count(std::string_view value) {
    step_count_ = whole_number(value);
    if (!step_count_)
      fail(fmt::format("steps: {} is not valid; expected a whole number", quoted(value)));
    step_count_line_ = line_;
  }

  void require_header() const {
    if (!topology_) fail("the line 'topology NAME' is missing before the first step");
    if (!operation_) fail("the line 'operation NAME' is missing before the first step");
  }

  void finish() {
    in_step_ = false;
    if (!versioned_)
      fail(fmt::format("the file is empty; expected {} in the first line", schedule_versions));
    require_header();
    line_ = step_count_line_;
    if (step_count_ && *step_count_ != schedule_.steps.size())
      fail(fmt::format("{} announced, but the file has {}", counted(*step_count_, "step"),
                       schedule_.steps.size()));
  }

  void read_step(std::string_view line) {
    require_header();
    const auto number = [](std::size_t count) { return static_cast<std::uint32_t>(count); };
    schedule_.steps.push_back({number(line_), number(schedule_.messages.size()), 0});
    in_step_ = true;
    if (line == "-") return;
    do {
      read_message(trimmed(next_piece(line, ";")));
      ++schedule_.steps.back().count;
    } while (!line.empty());
  }

  void read_message(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos)
      fail(fmt::format("{} is not valid; {}", quoted(text), expected_step));
    UserSchedule::Message message{.port = read_port(trimmed(text.substr(0, colon))),
                                  .first = static_cast<std::uint32_t>(schedule_.entries.size())};
    std::string_view rest = text.substr(colon + 1);
    while (!(rest = trimmed(rest)).empty()) {
      const NodeId block = read_block(next_piece(rest, blank_characters));
      schedule_.entries.push_back({.block = static_cast<std::uint32_t>(index(block))});
      ++message.count;
    }
    if (message.count == 0) fail(fmt::format("no block after {}", quoted(text)));
    if (message.count > max_region_blocks)
      fail(fmt::format("{} blocks in a message; allowed: up to {}", message.count,
                       max_region_blocks));
    schedule_.messages.push_back(message);
  }

  [[nodiscard]] Port read_port(std::string_view text) const {
    const std::size_t degree = group_.degree(group_.identity());
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
    NodeId node = group_.identity();
    path.remove_prefix(1);
    while (!path.empty()) {
      const bool ends_open = path.back() == '/';
      const Port through = read_port(next_piece(path, "/"));
      if (ends_open && path.empty()) fail("a path ends with '/'; expected '/0/1', or '/' alone");
      node = group_.neighbor(node, through);
    }
    return node;
  }

  const AnyCayley& group_;
  std::optional<Operation> of_run_;
  UserSchedule schedule_;
  std::size_t line_ = 0;  // counted from 1
  bool versioned_ = false;
  bool in_step_ = false;  // for messages
  std::optional<std::string> topology_;
  std::optional<std::string> operation_;
  std::optional<std::string> port_model_;
  std::optional<std::string> steps_;
  std::optional<std::uint64_t> step_count_;
  std::size_t step_count_line_ = 0;
  std::unordered_map<std::string, NodeId> labels_;  // filled when the first label is read
};

}  // namespace

UserSchedule parse_schedule(const std::string& file, std::string_view text, const AnyCayley& group,
                            std::optional<Operation> of_run) {
  return Parser(file, group, of_run).parse(text);
}

UserSchedule read_schedule(const std::string& file, const AnyCayley& group) {
  return parse_schedule(file, schedule_file_text(file), group);
}

}  // namespace lockstep
