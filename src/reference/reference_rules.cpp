// SPDX-License-Identifier: Apache-2.0

/// Which rules a run broke.

#include <algorithm>

#include "lockstep/core/errors.hpp"
#include "reference/reference_machine.hpp"

namespace lockstep::reference {

void ReferenceMachine::combine(ErasedArrival arrival, Places own, Places into, Operands order) {
  if (own.slots.size() != into.slots.size()) throw InvalidParameter("combine: of different size");
  if (!owns(own.region, own.slots, true) || !owns(into.region, into.slots, true) ||
      !may_alter(into.region, into.slots))
    return;
  const bool blocks = !arrival || !self().arrivals.at(arrival.through).control;
  const bool met = blocks && arrival.blocks() == into.slots.size();
  if (!met) note_unmet(into.slots.size(), arrival.blocks());
  for (std::uint32_t i = 0; i < into.slots.size(); ++i) {
    const std::span<std::byte> to = block(into.region, into.slots[i]);
    self().stored[{into.region, into.slots[i]}] = step_;
    keep(into.region, into.slots[i], arrival);
    if (!met) {
      std::ranges::fill(to, poison);
      word_at(into.region, into.slots[i]) = poisoned_word;
      continue;
    }
    const std::span<std::byte> mine = block(own.region, own.slots[i]);
    const std::span<std::byte> other = block(arrival, i);
    if (order == Operands::own_first)
      combine_blocks(to, mine, other);
    else
      combine_blocks(to, other, mine);
  }
}

bool ReferenceMachine::may(const MemoryMove& move) {
  return std::visit(
      [this](const auto& blocks) {
        const auto named = [this](const Blocks& some) {
          return owns(some.region, slots_of(some), true);
        };
        const auto alters = blocks.alters();
        const auto differs = [&](const Blocks& some) { return some.count != alters[0].count; };
        if (std::ranges::any_of(blocks.reads(), differs) || std::ranges::any_of(alters, differs))
          throw InvalidParameter("combine, copy: of different size");
        return std::ranges::all_of(blocks.reads(), named) && std::ranges::all_of(alters, named) &&
               std::ranges::all_of(alters, [this](const Blocks& some) {
                 return may_alter(some.region, slots_of(some));
               });
      },
      move);
}

/// All reads come before any write.
void ReferenceMachine::perform(const MemoryMove& move) {
  if (!may(move)) return;
  const auto write = [this](Region region, std::uint32_t slot, const Kept& kept) {
    self().stored[{region, slot}] = step_;
    keep(region, slot, kept);
    return block(region, slot);
  };
  if (const auto* combine = std::get_if<CombineBlocks>(&move)) {
    const auto& [left, right, into] = *combine;
    for (std::uint32_t i = 0; i < into.count; ++i) {
      const Kept kept = kept_in(left.region, left.first + i);
      combine_blocks(write(into.region, into.first + i, kept), block(left.region, left.first + i),
                     block(right.region, right.first + i));
    }
  }
  if (const auto* copy = std::get_if<CopyBlocks>(&move)) {
    const auto& [own, into] = *copy;
    const Letter copied = letter_of(own.region, slots_of(own));
    std::vector<Kept> kept;
    for (std::uint32_t i = 0; i < own.count; ++i)
      kept.push_back(kept_in(own.region, own.first + i));
    for (std::uint32_t i = 0; i < into.count; ++i) {
      const std::span<std::byte> to = write(into.region, into.first + i, kept[i]);
      std::ranges::copy(std::span(copied.bytes).subspan(i * to.size(), to.size()), to.begin());
      word_at(into.region, into.first + i) = copied.words[i];
    }
  }
}

/// Copies are combined: nothing is written while it is read.
void ReferenceMachine::combine_blocks(std::span<std::byte> into, std::span<const std::byte> left,
                                      std::span<const std::byte> right) {
  const std::vector<std::byte> first(left.begin(), left.end());
  const std::vector<std::byte> second(right.begin(), right.end());
  std::vector<std::byte> result(into.size());
  host_.combine(result.data(), first.data(), second.data(), options_.block_bytes, 1);
  std::ranges::copy(result, into.begin());
}

namespace {

/// The lengths of a queue at the end of each step.
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

/// A message that did not arrive counts as one that came through the first port, as in the machine.
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

/// The distance of each node from the nearest processor.
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

void ReferenceMachine::judge_sends() {
  for (std::uint64_t u = 0; u < processors_.size(); ++u) {
    const std::vector<Port>& sends = processors_[u].sends;
    if (sends.size() > options_.model.sends)
      note({step_, NodeId{u}, sends.back(), Rule::sends, sends.size()});
  }
}

/// Each message that met the node's own one is a violation of its own; the others are counted
/// together with the one that the node had before.
void ReferenceMachine::judge_refused() {
  for (std::uint64_t u = 0; u < processors_.size(); ++u) {
    std::vector<Port> others;
    for (const Port port : processors_[u].refused_through)
      if (options_.model.duplex == Duplex::half && std::ranges::count(processors_[u].sends, port))
        note({step_, NodeId{u}, port, Rule::half_duplex, 2});
      else
        others.push_back(port);
    if (!others.empty())
      note({step_, NodeId{u}, others.front(), Rule::receptions, others.size() + 1});
  }
}

/// Whether a message was taken is known only after the step that follows.
void ReferenceMachine::judge_arrivals_of_step_before() {
  const std::uint64_t most = options_.one_message_per_node ? 1 : port_models::any_number;
  const std::uint64_t allowed = std::min<std::uint64_t>(options_.model.receptions, most);
  for (std::uint64_t u = 0; u < processors_.size(); ++u) {
    const Processor& here = processors_[u];
    const std::vector<Port>& ports = here.arrived_through;
    if (ports.size() > allowed)
      note({step_ - 1, NodeId{u}, ports.front(), Rule::receptions, ports.size()});
    else if (here.taken.size() < ports.size())
      note({step_ - 1, NodeId{u}, ports.front(), Rule::unread, ports.size()});
    if (options_.model.duplex == Duplex::full) continue;
    for (const Port port : std::span(ports).first(std::min<std::size_t>(ports.size(), most)))
      if (std::ranges::count(here.sends_before, port) != 0)
        note({step_ - 1, NodeId{u}, port, Rule::half_duplex, 2});
  }
}

void ReferenceMachine::note(const Violation& violation) {
  const auto [entry, is_new] = violations_.try_emplace(
      std::tuple(violation.step, violation.node, violation.rule), violation);
  if (is_new) return;
  const std::uint64_t count = std::max(entry->second.count, violation.count);
  const auto place = [](const Violation& v) { return std::tuple(v.port, v.region, v.slot); };
  if (place(violation) < place(entry->second)) entry->second = violation;
  entry->second.count = count;
}

/// The record shows what is known so far; the run stops when a step is fully judged and broke a
/// rule.
bool ReferenceMachine::must_stop(RunRecord& record) const {
  constexpr std::size_t kept = 64;
  std::vector<Violation> all;
  std::size_t judged = 0;
  for (const auto& [where, violation] : violations_) {
    all.push_back(violation);
    if (violation.step < step_ || last_call()) ++judged;
  }
  const bool stop = options_.stop_at_violation && judged != 0;
  if (stop) all.resize(judged);
  record.violation_count = all.size();
  if (all.size() > kept) all.resize(kept);
  record.violations = std::move(all);
  return stop;
}

}  // namespace lockstep::reference
