// SPDX-License-Identifier: Apache-2.0
#include "program/schedule_rules.hpp"

#include <fmt/format.h>

#include <limits>

#include "core/counted.hpp"
#include "lockstep/core/errors.hpp"

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
    const std::string more = missing > 1 ? fmt::format(" (and {} more)", missing - 1) : "";
    throw InvalidParameter(
        fmt::format("{}: after {}: {}{}", schedule_.file, counted(steps(), "step"), what, more));
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
                    : fmt::format("block '{}' is not delivered; its remaining offset "
                                  "is '{}'",
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

}  // namespace

void apply_schedule_rules(UserSchedule& schedule, const AnyCayley& group) {
  if (schedule.operation == Operation::total_exchange)
    TotalExchangeRules(schedule, group).apply();
  else
    AllGatherRules(schedule, group).apply();
}

}  // namespace lockstep
