// SPDX-License-Identifier: Apache-2.0

/// What waited in switches at the end of every step: from when each message came and went.

#include <algorithm>

#include "reference/reference_machine.hpp"

namespace lockstep::reference {
namespace {

/// Of a queue, at the end of each step.
using Lengths = std::vector<std::uint64_t>;

void lengthen(Lengths& lengths, std::uint64_t arrived, std::uint64_t sent) {
  lengths.resize(std::max<std::size_t>(lengths.size(), sent));
  for (std::uint64_t step = arrived; step < sent; ++step) ++lengths[step];
}

[[nodiscard]] std::uint64_t longest(const Lengths& lengths) {
  return lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
}

}  // namespace

void ReferenceMachine::keep(Region region, std::uint32_t slot, Kept message) {
  if (!options_.measure_queues || index(turn_) < network_.processor_count()) return;
  Kept& kept = self().kept[{region, slot}];
  self().overwritten.push_back(std::exchange(kept, std::move(message)));
}

/// What did not arrive counts as what came through the first port, as in the machine.
void ReferenceMachine::keep(Region region, std::uint32_t slot, ErasedArrival arrival) {
  if (!options_.measure_queues || network_.degree(turn_) == 0) return;
  const NodeId from = network_.neighbor(turn_, arrival ? arrival.through : Port{0});
  keep(region, slot, Kept{.since = step_, .from = from});
}

/// As a copy of it would be.
ReferenceMachine::Kept ReferenceMachine::kept_in(Region region, std::uint32_t slot) {
  const auto found = self().kept.find({region, slot});
  if (found == self().kept.end()) return {};
  return {.since = found->second.since, .from = found->second.from};
}

void ReferenceMachine::note_leaving(Region region, Slots slots, Port through) {
  if (index(through) >= network_.degree(turn_)) return;
  for (const std::uint32_t slot : slots)
    if (const auto kept = self().kept.find({region, slot}); kept != self().kept.end())
      kept->second.sends.emplace_back(step_, network_.neighbor(turn_, through));
}

/// Of each node: how far the nearest processor is.
std::vector<std::uint64_t> ReferenceMachine::levels() const {
  const std::uint64_t processors = network_.processor_count();
  std::vector<std::uint64_t> all(network_.node_count(), network_.node_count());
  std::fill_n(all.begin(), processors, 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint64_t u = processors; u < all.size(); ++u)
      for (std::size_t p = 0; p < network_.degree(NodeId{u}); ++p) {
        const std::uint64_t next = all[index(network_.neighbor(NodeId{u}, port(p)))] + 1;
        changed = changed || next < all[u];
        all[u] = std::min(all[u], next);
      }
  }
  return all;
}

std::vector<LevelQueues> ReferenceMachine::largest_queues() const {
  const std::vector<std::uint64_t> level_of = levels();
  std::map<std::uint64_t, LevelQueues> all;
  for (std::uint64_t u = network_.processor_count(); u < network_.node_count(); ++u) {
    Lengths held;
    std::map<NodeId, Lengths> waiting;
    std::map<NodeId, Lengths> received;
    std::vector<Kept> messages = processors_[u].overwritten;
    for (const auto& [slot, message] : processors_[u].kept) messages.push_back(message);
    for (const Kept& message : messages) {
      if (message.since == 0 || message.sends.empty()) continue;
      const std::uint64_t arrived = message.since - 1;
      for (const auto& [step, to] : message.sends) lengthen(waiting[to], arrived, step);
      lengthen(held, arrived, message.sends.back().first);
      lengthen(received[message.from], arrived, message.sends.back().first);
    }
    std::map<NodeId, std::uint64_t> lanes;
    for (std::size_t p = 0; p < network_.degree(NodeId{u}); ++p)
      ++lanes[network_.neighbor(NodeId{u}, port(p))];
    LevelQueues& level = all[level_of[u]];
    level.level = level_of[u];
    level.held = std::max(level.held, longest(held));
    for (const auto& [node, lengths] : received)
      level.per_branch = std::max(level.per_branch, longest(lengths));
    for (const auto& [node, lengths] : waiting) {
      std::uint64_t& wait = level_of[index(node)] > level_of[u] ? level.wait_up : level.wait_down;
      const std::uint64_t queued = longest(lengths);
      if (queued > lanes[node]) wait = std::max(wait, queued - lanes[node]);
    }
  }
  std::vector<LevelQueues> by_level;
  for (const auto& [number, level] : all) by_level.push_back(level);
  return by_level;
}

}  // namespace lockstep::reference
