// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/queue_ledger.hpp"

#include <algorithm>
#include <limits>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/fraction.hpp"

namespace lockstep {

QueueLedger::QueueLedger(const Network& network, std::span<const Level> levels)
    : processors_(network.processor_count()),
      switches_(network.node_count() - network.processor_count()) {
  if (levels.empty())
    throw InvalidParameter("queues: the network has no levels; expected a tree of switches");
  std::uint64_t node = levels.front().nodes;
  for (std::size_t level = 1; level < levels.size(); ++level)
    for (std::uint64_t i = 0; i < levels[level].nodes; ++i, ++node) {
      const NodeId u{node};
      Switch& own = switches_[node - processors_];
      own.level = level;
      for (std::size_t p = 0; p < network.degree(u); ++p) {
        const NodeId v = network.neighbor(u, port(p));
        const bool lane = p != 0 && v == network.neighbor(u, port(p - 1));
        if (!lane) own.branches.push_back({.up = v > u});
        ++own.branches.back().lanes;
        own.branch_of_port.push_back(static_cast<std::uint32_t>(own.branches.size() - 1));
      }
    }
}

std::uint64_t QueueLedger::bytes(std::span<const Level> levels, std::uint64_t steps) {
  WideCount queues = 0;
  for (const Level& level : levels)
    if (level.children != 0)
      queues += WideCount{level.nodes} * (1 + 2 * (level.children + level.parents));
  const WideCount steps_of_a_queue = WideCount{steps} + 1;
  const WideCount all = queues * (steps_of_a_queue + steps_of_a_queue / 8) * sizeof(std::int32_t);
  return static_cast<std::uint64_t>(
      std::min<WideCount>(all, std::numeric_limits<std::uint64_t>::max()));
}

void QueueLedger::stored(NodeId node, std::uint64_t slot, Port through, std::uint64_t step) {
  if (index(node) < processors_) return;
  Switch& own = switches_[index(node) - processors_];
  const auto now = static_cast<std::uint32_t>(step);
  if (own.slots.size() <= slot) own.slots.resize(slot + 1);
  own.slots[slot] = {now, now - 1, own.branch_of_port[index(through)]};
}

void QueueLedger::sent(NodeId node, std::uint64_t slot, Port through, std::uint64_t step) {
  if (index(node) < processors_) return;
  Switch& own = switches_[index(node) - processors_];
  if (own.slots.size() <= slot || own.slots[slot].since == 0) return;
  Slot& message = own.slots[slot];
  own.add(waiting(own.branch_of_port[index(through)]), message.since - 1, step);
  own.add(held, message.counted, step);
  own.add(received(message.branch), message.counted, step);
  message.counted = static_cast<std::uint32_t>(step);
}

void QueueLedger::copied(NodeId node, std::uint64_t own, std::uint64_t into, std::uint64_t count) {
  if (index(node) < processors_) return;
  std::vector<Slot>& slots = switches_[index(node) - processors_].slots;
  if (slots.size() < std::max(own, into) + count) slots.resize(std::max(own, into) + count);
  const auto at = [&slots](std::uint64_t i) {
    return slots.begin() + static_cast<std::ptrdiff_t>(i);
  };
  const std::vector<Slot> copies(at(own), at(own + count));
  std::transform(copies.begin(), copies.end(), at(into), [](Slot copy) {
    copy.counted = std::max(copy.since, 1U) - 1;
    return copy;
  });
}

std::vector<LevelQueues> QueueLedger::largest() const {
  std::vector<LevelQueues> all;
  for (const Switch& own : switches_) {
    if (all.empty() || all.back().level != own.level) all.push_back({.level = own.level});
    LevelQueues& level = all.back();
    level.held = std::max(level.held, own.most(held));
    for (std::size_t branch = 0; branch < own.branches.size(); ++branch) {
      const std::uint64_t queued = own.most(waiting(branch));
      std::uint64_t& wait = own.branches[branch].up ? level.wait_up : level.wait_down;
      wait = std::max(wait, queued - std::min<std::uint64_t>(queued, own.branches[branch].lanes));
      level.per_branch = std::max(level.per_branch, own.most(received(branch)));
    }
  }
  return all;
}

/// One more at the ends of the steps from `first` on, before `last`. An array that is too short is
/// copied into one that is longer by half, so that copies are rare. On average an eighth more
/// memory is taken than needed: the unused pages of a long array take none.
void QueueLedger::Switch::add(std::uint64_t queue, std::uint64_t first, std::uint64_t last) {
  if (first >= last) return;
  const std::uint64_t length = (last + 1) * queues();
  if (changes.size() < length) {
    if (changes.capacity() < length) changes.reserve(length + length / 2);
    changes.resize(length);
  }
  ++changes[first * queues() + queue];
  --changes[last * queues() + queue];
}

std::uint64_t QueueLedger::Switch::most(std::uint64_t queue) const {
  std::int64_t length = 0;
  std::int64_t longest = 0;
  for (std::uint64_t i = queue; i < changes.size(); i += queues())
    longest = std::max(longest, length += changes[i]);
  return static_cast<std::uint64_t>(longest);
}

}  // namespace lockstep
