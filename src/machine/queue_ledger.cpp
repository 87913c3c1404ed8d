// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/queue_ledger.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/fraction.hpp"

namespace lockstep {

QueueLedger::QueueLedger(const Network& network, std::span<const Level> levels)
    : processors_(network.processor_count()),
      runs_(network.node_count() - network.processor_count()) {
  if (levels.empty())
    throw InvalidParameter("queues: the network has no levels; expected a tree of switches");
  constexpr std::size_t max_ports = std::size_t{1} << Run::port_bits;
  if (network.max_degree() > max_ports)
    throw invalid("queues: a node has {} ports; allowed: up to {}", grouped(network.max_degree()),
                  grouped(max_ports));
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

auto QueueLedger::Runs::known(Slots slots) -> Run* {
  if (slots.first >= runs_.size()) return nullptr;
  Run& run = runs_[slots.first];
  return run.slots() == slots ? &run : nullptr;
}

auto QueueLedger::Runs::find(std::uint32_t slot) -> Place {
  return std::ranges::upper_bound(runs_, slot, {}, &Run::end);
}

auto QueueLedger::Runs::divide(std::uint32_t slot) -> Place {
  const Place place = find(slot);
  if (place == runs_.end() || place->slots().first >= slot) return place;
  Run rest = *place;
  rest.set_slots({slot, place->end() - slot});
  place->set_slots({place->slots().first, slot - place->slots().first});
  return runs_.insert(place + 1, rest);
}

void QueueLedger::Runs::set(const Run& run) {
  if (Run* const same = known(run.slots())) {
    *same = run;
  } else if (runs_.empty() || runs_.back().end() <= run.slots().first) {
    runs_.push_back(run);
  } else {
    runs_.insert(cleared(run.slots()), run);
  }
}

auto QueueLedger::Runs::cleared(Slots slots) -> Place {
  (void)divide(slots.end());
  const Place begin = divide(slots.first);
  return runs_.erase(begin, find(slots.end()));
}

template <class Visit>
void QueueLedger::Runs::for_each(Slots slots, Visit visit) {
  if (Run* const same = known(slots)) return visit(*same);
  Place place = divide(slots.first);
  for (; place != runs_.end() && place->slots().first < slots.end(); ++place) {
    if (place->end() > slots.end()) place = divide(slots.end()) - 1;
    visit(*place);
  }
}

void QueueLedger::stored(NodeId node, Slots slots, Port through, std::uint64_t step) {
  if (index(node) < processors_) return;
  const std::uint64_t own = index(node) - processors_;
  if (step == 0) return runs_[own].clear(slots);  // nothing arrives yet
  while (slots.count != 0) {
    const Slots some{slots.first, std::min(slots.count, Run::max_count)};
    runs_[own].set({some, through, static_cast<std::uint32_t>(step)});
    slots = {some.end(), slots.count - some.count};
  }
}

void QueueLedger::sent(NodeId node, Slots slots, Port through, std::uint64_t step) {
  if (index(node) < processors_) return;
  const std::uint64_t own = index(node) - processors_;
  const std::uint32_t* const waiting_of = &waiting_of_port_[switches_[own].first_port];
  const std::uint32_t waiting = waiting_of[index(through)];
  const std::uint32_t held = switches_[own].held;
  std::int32_t* const left = changes_[step].get();
  runs_[own].for_each(slots, [&](Run& run) {
    const auto blocks = static_cast<std::int32_t>(run.slots().count);
    changes_[run.since - 1][waiting] += blocks;
    left[waiting] -= blocks;
    if (run.counted == step) return;
    std::int32_t* const entered = changes_[run.counted].get();
    const std::uint32_t received = waiting_of[run.through()] + 1;
    entered[held] += blocks;
    entered[received] += blocks;
    left[held] -= blocks;
    left[received] -= blocks;
    run.counted = static_cast<std::uint32_t>(step);
  });
}

void QueueLedger::copied(NodeId node, Slots own, std::uint32_t into) {
  if (index(node) < processors_) return;
  Runs& runs = runs_[index(node) - processors_];
  std::vector<Run> copies;
  runs.for_each(own, [&](Run copy) {
    copy.set_slots({into + (copy.slots().first - own.first), copy.slots().count});
    copy.counted = copy.since - 1;
    copies.push_back(copy);
  });
  runs.clear({into, own.count});
  for (const Run& copy : copies) runs.set(copy);
}

std::vector<LevelQueues> QueueLedger::largest() const {
  constexpr std::array figures{&LevelQueues::held, &LevelQueues::wait_up, &LevelQueues::wait_down,
                               &LevelQueues::per_branch};  // by kind
  const std::vector<std::int32_t> most = longest();
  std::vector<LevelQueues> all;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    const auto& [number, kind, lanes] = queues_[i];
    if (all.empty() || all.back().level != number) all.push_back({.level = number});
    LevelQueues& level = all.back();
    std::uint64_t& longest_of_kind = level.*figures[static_cast<std::size_t>(kind)];
    const auto length = static_cast<std::uint64_t>(most[i]);
    // Only waiting queues have lanes. As many blocks as lanes leave in the next step: they do not
    // wait.
    longest_of_kind = std::max(longest_of_kind, length - std::min<std::uint64_t>(length, lanes));
  }
  return all;
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
