// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/queue_ledger.hpp"

#include <algorithm>
#include <limits>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/fraction.hpp"

namespace lockstep {

QueueLedger::QueueLedger(const Network& network, std::span<const Level> levels)
    : processors_(network.processor_count()),
      slots_(network.node_count() - network.processor_count()) {
  if (levels.empty())
    throw InvalidParameter("queues: the network has no levels; expected a tree of switches");
  const auto next_queue = [this] { return static_cast<std::uint32_t>(queues_.size()); };
  std::uint64_t node = levels.front().nodes;
  for (std::size_t level = 1; level < levels.size(); ++level)
    for (std::uint64_t i = 0; i < levels[level].nodes; ++i, ++node) {
      const NodeId u{node};
      switches_.push_back({next_queue(), static_cast<std::uint32_t>(waiting_of_port_.size())});
      queues_.push_back({.level = level});
      std::uint32_t waiting = 0;
      for (std::size_t p = 0; p < network.degree(u); ++p) {
        const NodeId v = network.neighbor(u, port(p));
        const bool lane = p != 0 && v == network.neighbor(u, port(p - 1));
        if (!lane) {
          waiting = next_queue();
          queues_.push_back({.level = level, .kind = v > u ? Kind::wait_up : Kind::wait_down});
          queues_.push_back({.level = level, .kind = Kind::per_branch});
        }
        ++queues_[waiting].lanes;
        waiting_of_port_.push_back(waiting);
      }
    }
}

std::uint64_t QueueLedger::bytes(std::span<const Level> levels, std::uint64_t steps) {
  WideCount queues = 0;
  for (const Level& level : levels)
    if (level.children != 0)
      queues += WideCount{level.nodes} * (1 + 2 * (level.children + level.parents));
  const WideCount all = queues * (WideCount{steps} + 1) * sizeof(std::int32_t);
  return static_cast<std::uint64_t>(
      std::min<WideCount>(all, std::numeric_limits<std::uint64_t>::max()));
}

void QueueLedger::begin_step(std::uint64_t step) {
  while (changes_.size() <= step)
    changes_.push_back(std::make_unique<std::int32_t[]>(queues_.size()));
}

void QueueLedger::stored(NodeId node, std::uint64_t slot, Port through, std::uint64_t step) {
  if (index(node) < processors_) return;
  const std::uint64_t own = index(node) - processors_;
  const auto now = static_cast<std::uint32_t>(step);
  std::vector<Slot>& slots = slots_[own];
  if (slots.size() <= slot) slots.resize(slot + 1);
  slots[slot] = {now, now - 1, waiting_of_port_[switches_[own].first_port + index(through)] + 1};
}

void QueueLedger::sent(NodeId node, std::uint64_t slot, Port through, std::uint64_t step) {
  if (index(node) < processors_) return;
  const std::uint64_t own = index(node) - processors_;
  std::vector<Slot>& slots = slots_[own];
  if (slots.size() <= slot || slots[slot].since == 0) return;
  Slot& message = slots[slot];
  add(waiting_of_port_[switches_[own].first_port + index(through)], message.since - 1, step);
  add(switches_[own].held, message.counted, step);
  add(message.received, message.counted, step);
  message.counted = static_cast<std::uint32_t>(step);
}

void QueueLedger::copied(NodeId node, std::uint64_t own, std::uint64_t into, std::uint64_t count) {
  if (index(node) < processors_) return;
  std::vector<Slot>& slots = slots_[index(node) - processors_];
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
  const std::vector<std::int32_t> most = longest();
  std::vector<LevelQueues> all;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    const auto& [number, kind, lanes] = queues_[i];
    if (all.empty() || all.back().level != number) all.push_back({.level = number});
    LevelQueues& level = all.back();
    const auto length = static_cast<std::uint64_t>(most[i]);
    const std::uint64_t late = length - std::min<std::uint64_t>(length, lanes);
    switch (kind) {
      case Kind::held:
        level.held = std::max(level.held, length);
        break;
      case Kind::wait_up:
        level.wait_up = std::max(level.wait_up, late);
        break;
      case Kind::wait_down:
        level.wait_down = std::max(level.wait_down, late);
        break;
      case Kind::per_branch:
        level.per_branch = std::max(level.per_branch, length);
        break;
    }
  }
  return all;
}

/// One more at the ends of the steps from `first` on, before `last`.
void QueueLedger::add(std::uint64_t queue, std::uint64_t first, std::uint64_t last) {
  if (first >= last) return;
  ++changes_[first][queue];
  --changes_[last][queue];
}

std::vector<std::int32_t> QueueLedger::longest() const {
  std::vector<std::int32_t> length(queues_.size());
  std::vector<std::int32_t> most(queues_.size());
  for (const std::unique_ptr<std::int32_t[]>& changes : changes_)
    for (std::size_t i = 0; i < length.size(); ++i) {
      length[i] += changes[i];
      most[i] = std::max(most[i], length[i]);
    }
  return most;
}

}  // namespace lockstep
