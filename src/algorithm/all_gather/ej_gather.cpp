// SPDX-License-Identifier: Apache-2.0
#include "algorithm/all_gather/ej_gather.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/tools/polynomial.hpp>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/program/blocks.hpp"

namespace lockstep {

namespace {

/// A part on its last hop.
struct Entry {
  NodeId displacement;
  std::uint32_t part;
  Port through;
  std::uint32_t from = 0;  ///< the slot it is sent from
  std::uint32_t into = 0;  ///< the slot it is stored in
};

[[nodiscard]] std::vector<std::vector<Entry>> entries_by_step(const EjGatherPlan& plan) {
  std::vector<std::vector<Entry>> steps(plan.step_count());
  for (std::uint64_t v = 0; v < plan.network().node_count(); ++v) {
    for (std::uint32_t part = 0; part < plan.parts(); ++part) {
      const EjGatherPlan::Hop hop = plan.hop(NodeId{v}, part);
      if (hop.step == EjGatherPlan::never) continue;
      expects(hop.step < plan.step_count(), "the hop is in one of the plan's steps");
      steps[hop.step].push_back({NodeId{v}, part, hop.through});
    }
  }
  return steps;
}

/// From a plan to the actions of all processors. The memory of a processor is one region, in which
/// blocks lie in the order in which their first parts come, its own block first.
class Actions {
 public:
  explicit Actions(const EjGatherPlan& plan)
      : plan_(plan),
        schedule_(plan.network()),
        first_slots_(plan.network().node_count(), nowhere),
        missing_parts_(plan.network().node_count(), plan.parts()) {}

  [[nodiscard]] NodeInvariantSchedule schedule() {
    load_own_block();
    auto phase = plan_.phases().begin();
    for (std::vector<Entry>& entries : entries_by_step(plan_)) {
      for (; phase != plan_.phases().end() && phase->first_step == schedule_.step_count(); ++phase)
        schedule_.begin_phase(phase->name);
      for (Entry& entry : entries) entry.from = slot_before(entry);
      std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
        return std::tie(a.through, a.from) < std::tie(b.through, b.from);
      });
      for_each_message(entries, [this](std::span<Entry> message) { send(message); });
      schedule_.next_step();
      for_each_message(entries, [this](std::span<Entry> message) { take(message); });
      deliver_completed(entries);
    }
    const Region region = schedule_.add_region(slots_);
    expects(region == memory, "the schedule has one region");
    return std::move(schedule_);
  }

 private:
  static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
  static constexpr Region memory{0};  // added last: only then its size is known

  /// A whole block is fetched into the slots of its parts.
  void load_own_block() {
    const NodeId me = plan_.network().identity();
    first_slots_[index(me)] = new_slots();
    const Elements element = schedule_.add_elements(std::span(&me, 1));
    schedule_.load({memory, first_slots_[index(me)], 1}, element);
  }

  [[nodiscard]] std::uint32_t new_slots() { return std::exchange(slots_, slots_ + plan_.parts()); }

  [[nodiscard]] std::uint32_t slot_before(const Entry& entry) const {
    const NodeId sender = plan_.before(entry.displacement, {0, entry.through});
    expects(first_slots_[index(sender)] != nowhere, "what is sent has come before");
    return first_slots_[index(sender)] + entry.part;
  }

  static void for_each_message(std::span<Entry> entries, auto use) {
    while (!entries.empty()) {
      const auto end = std::ranges::find_if(
          entries, [&](const Entry& entry) { return entry.through != entries.front().through; });
      const auto count = static_cast<std::size_t>(end - entries.begin());
      use(entries.first(count));
      entries = entries.subspan(count);
    }
  }

  void send(std::span<const Entry> message) {
    if (const auto blocks = consecutive(message, &Entry::from))
      return schedule_.send(message.front().through, *blocks);
    schedule_.send(message.front().through, memory, list_of(message, &Entry::from));
  }

  void take(std::span<Entry> message) {
    for (Entry& entry : message) {
      std::uint32_t& first = first_slots_[index(entry.displacement)];
      if (first == nowhere) first = new_slots();
      entry.into = first + entry.part;
    }
    if (const auto blocks = consecutive(message, &Entry::into))
      return schedule_.take_store(message.front().through, *blocks);
    schedule_.take_scatter(message.front().through, memory, list_of(message, &Entry::into));
  }

  [[nodiscard]] static std::optional<Blocks> consecutive(std::span<const Entry> message,
                                                         std::uint32_t Entry::*slot) {
    for (std::size_t i = 1; i < message.size(); ++i)
      if (message[i].*slot != message[i - 1].*slot + 1) return std::nullopt;
    return Blocks{memory, message.front().*slot, static_cast<std::uint32_t>(message.size())};
  }
  [[nodiscard]] GatherList list_of(std::span<const Entry> message, std::uint32_t Entry::*slot) {
    std::vector<std::uint32_t> slots;
    for (const Entry& entry : message) slots.push_back(entry.*slot);
    return schedule_.add_list(slots);
  }

  /// The block that lies at displacement v from its source is, for who holds it, that of -v.
  void deliver_completed(std::span<const Entry> entries) {
    std::vector<std::uint32_t> firsts;
    std::vector<NodeId> sources;
    for (const Entry& entry : entries) {
      if (--missing_parts_[index(entry.displacement)] != 0) continue;
      firsts.push_back(first_slots_[index(entry.displacement)]);
      sources.push_back(plan_.network().inverse(entry.displacement));
    }
    if (sources.empty()) return;
    const Elements elements = schedule_.add_elements(sources);
    if (plan_.parts() == 1)  // they came one behind the other
      return schedule_.deliver({memory, firsts.front(), elements.count}, elements);
    for (std::uint32_t i = 0; i < elements.count; ++i)
      schedule_.deliver({memory, firsts[i], 1}, {elements.first + i, 1});
  }

  const EjGatherPlan& plan_;
  NodeInvariantSchedule schedule_;
  std::vector<std::uint32_t> first_slots_;    // by displacement
  std::vector<std::uint32_t> missing_parts_;  // by displacement
  std::uint32_t slots_ = 0;
};

}  // namespace

EjGatherPlan::EjGatherPlan(const EisensteinJacobiNetwork& network, std::uint64_t steps,
                           std::uint32_t parts, std::vector<Phase> phases)
    : network_((check_size("all-gather", network, parts), network)),
      steps_(steps),
      parts_(parts),
      phases_(std::move(phases)),
      hops_(network.node_count() * parts) {}

void EjGatherPlan::check_size(const std::string& who, const EisensteinJacobiNetwork& network,
                              std::uint64_t parts) {
  if (network.node_count() <= max_region_blocks / parts) return;
  const std::string cut = parts == 1 ? "" : fmt::format(" of {} parts each", parts);
  throw InvalidParameter(fmt::format(
      "{} on {}: a processor would store {} blocks{}; allowed: up to {}", who, network.name(),
      grouped(network.node_count()), cut, grouped(max_region_blocks / parts)));
}

NodeInvariantSchedule EjGatherPlan::schedule() const { return Actions(*this).schedule(); }

std::uint64_t EjGatherPlan::schedule_bytes(std::uint64_t received, std::uint64_t messages,
                                           std::uint64_t steps, std::uint64_t parts) {
  const std::uint64_t deliveries = parts == 1 ? steps : received / parts;
  const std::uint64_t actions = 1 + 2 * messages + deliveries;
  const std::uint64_t lists = received * (parts == 1 ? 1 : 2);  // sent from, and stored in
  const std::uint64_t elements = 1 + received / parts;
  return actions * sizeof(Action) + (steps + 1) * sizeof(std::uint64_t) +
         lists * sizeof(std::uint32_t) + 2 * elements * sizeof(NodeId);  // translations, too
}

namespace {

constexpr std::size_t ports_of_dimension = 6;

using Polynomial = boost::math::tools::polynomial<std::uint64_t>;

[[nodiscard]] Polynomial power(const Polynomial& a, std::size_t exponent) {
  return pow(a, static_cast<int>(exponent));
}

/// Residues of one dimension by weight, for each last hop.
using LastHops = std::array<Polynomial, ports_of_dimension>;

/// `chosen`: of the residues other than 0.
[[nodiscard]] LastHops last_hops(const EisensteinJacobiTree& tree, auto chosen) {
  std::array<std::vector<std::uint64_t>, ports_of_dimension> counts;
  counts.fill(std::vector<std::uint64_t>(tree.depth() + 1));
  for (std::uint64_t r = 1; r < tree.node_count(); ++r)
    if (chosen(NodeId{r})) ++counts[index(tree.parent_port(NodeId{r}))][tree.weight(NodeId{r})];
  LastHops hops;
  for (std::size_t k = 0; k < hops.size(); ++k) hops[k] = Polynomial(counts[k]);
  return hops;
}

/// Those of all last hops, and what was there before.
[[nodiscard]] Polynomial all_of(const LastHops& hops, const Polynomial& before) {
  return std::accumulate(hops.begin(), hops.end(), before);
}

/// of(d): blocks that port k of dimension d, counted from 1, carries in step s = 1, 2, .., for hops
/// P_k, are [z^s] of(d) P_k.
[[nodiscard]] EjLoads loads_of(const LastHops& hops, std::size_t n, std::uint64_t steps, auto of) {
  EjLoads loads(steps, std::vector<std::uint64_t>(ports_of_dimension * n));
  for (std::size_t d = 1; d <= n; ++d) {
    for (std::size_t k = 0; k < ports_of_dimension; ++k) {
      const Polynomial carried = hops[k] * of(d);
      for (std::size_t step = 1; step < carried.size(); ++step)
        loads[step - 1][ports_of_dimension * (d - 1) + k] = carried[step];
    }
  }
  return loads;
}

[[nodiscard]] auto everything() {
  return [](NodeId) { return true; };
}

}  // namespace

std::array<std::uint64_t, 3> ej_phase_depths(const EisensteinJacobiTree& tree) {
  std::array<std::uint64_t, 3> depths{};
  for (std::uint64_t r = 1; r < tree.node_count(); ++r) {
    std::uint64_t& depth = depths.at(ej_phase_of(tree.sector(NodeId{r})));
    depth = std::max<std::uint64_t>(depth, tree.weight(NodeId{r}));
  }
  return depths;
}

EjLoads ej_simultaneous_loads(const EisensteinJacobiTree& tree, std::size_t n) {
  const LastHops hops = last_hops(tree, everything());
  const Polynomial w = all_of(hops, {1});
  return loads_of(hops, n, n * tree.depth(), [&](std::size_t d) { return power(w, n - d); });
}

/// In its turn every dimension is the last one, the last but one, ..
EjLoads ej_rotated_loads(const EisensteinJacobiTree& tree, std::size_t n) {
  const LastHops hops = last_hops(tree, everything());
  const Polynomial w = all_of(hops, {1});
  Polynomial of_all_parts;
  for (std::size_t higher = 0; higher < n; ++higher) of_all_parts += power(w, higher);
  return loads_of(hops, n, n * tree.depth(), [&](std::size_t) { return of_all_parts; });
}

EjLoads ej_in_substeps(const EjLoads& loads) {
  EjLoads halves;
  for (const std::vector<std::uint64_t>& step : loads) {
    for (const bool first : {true, false}) {
      std::vector<std::uint64_t> half = step;
      for (std::size_t port = 0; port < half.size(); ++port)
        if (ej_first_substep(port % ports_of_dimension) != first) half[port] = 0;
      halves.push_back(std::move(half));
    }
  }
  return halves;
}

/// With Q the residues of a phase and B those of the earlier ones, 0 among them: where all blocks
/// are sent anew, coordinates of lower dimensions may be in B, those of higher ones in B or Q.
EjLoads ej_three_phase_loads(const EisensteinJacobiTree& tree, std::size_t n, EjRelaunch relaunch) {
  const std::array<std::uint64_t, 3> depths = ej_phase_depths(tree);
  EjLoads all;
  Polynomial before{1};
  for (std::size_t phase = 0; phase < depths.size(); ++phase) {
    const LastHops hops =
        last_hops(tree, [&](NodeId r) { return ej_phase_of(tree.sector(r)) == phase; });
    const Polynomial reached = all_of(hops, before);
    const EjLoads loads = loads_of(hops, n, n * depths[phase], [&](std::size_t d) {
      return power(before, d - 1) * power(reached, n - d);
    });
    all.insert(all.end(), loads.begin(), loads.end());
    if (relaunch == EjRelaunch::all_blocks) before[0] = reached(std::uint64_t{1});
  }
  return all;
}

std::vector<Phase> ej_three_phases(const EisensteinJacobiTree& tree, std::size_t n) {
  constexpr std::array<const char*, 3> names{"1: sectors 6, 1", "2: sectors 2, 3",
                                             "3: sectors 4, 5"};
  std::vector<Phase> phases;
  std::uint64_t first_step = 0;
  for (std::size_t p = 0; p < names.size(); ++p) {
    phases.push_back({names.at(p), first_step});
    first_step += n * ej_phase_depths(tree).at(p);
  }
  return phases;
}

EjGatherByRule::EjGatherByRule(const EisensteinJacobiNetwork& network, const EjGatherRule& rule)
    : network_(network), rule_(&rule) {
  const std::size_t n = network.dimensions();
  const std::uint64_t nodes = network.node_count();
  const std::uint64_t parts = rule.in_parts ? n : 1;
  EjGatherPlan::check_size(std::string(rule.info.name), network, parts);
  EjLoads loads = rule.loads(EisensteinJacobiTree(network.alpha()), n);
  if (rule.in_substeps) loads = ej_in_substeps(loads);
  std::uint64_t messages = 0;
  std::uint64_t received = 0;
  for (const std::vector<std::uint64_t>& step : loads) {
    const std::uint64_t largest = *std::ranges::max_element(step);
    promise_.startups += static_cast<std::uint64_t>(largest != 0);
    promise_.message_times += Fraction(largest, parts);
    messages += step.size() - static_cast<std::uint64_t>(std::ranges::count(step, 0U));
    received = std::accumulate(step.begin(), step.end(), received);
  }
  const bool all = received == (nodes - 1) * parts;
  footprint_ = {.steps = loads.size(),
                .hops = messages * nodes,
                .blocks_per_processor = received + parts,
                .plan_bytes = EjGatherPlan::schedule_bytes(received, messages, loads.size(), parts),
                .parts_per_block = parts,
                .deliveries = all ? 0 : received / parts * nodes};
}

EjGatherPlan EjGatherByRule::plan() const {
  const EisensteinJacobiTree tree(network_.alpha());
  const EjLastHops last_hops = rule_->last_hops(tree, network_.dimensions());
  EjGatherPlan plan(
      network_, footprint_.steps, static_cast<std::uint32_t>(footprint_.parts_per_block),
      rule_->phases == nullptr ? std::vector<Phase>{} : rule_->phases(tree, network_.dimensions()));
  std::vector<NodeId> coordinates(network_.dimensions());
  for (std::uint64_t v = 1; v < network_.node_count(); ++v) {
    for (std::size_t d = 0; d < coordinates.size(); ++d)
      coordinates[d] = network_.coordinate(NodeId{v}, d);
    for (std::uint32_t part = 0; part < plan.parts(); ++part) {
      EjGatherPlan::Hop hop = last_hops(coordinates, part);
      if (rule_->in_substeps)
        hop.step = 2 * hop.step + (ej_first_substep(index(hop.through) % 6) ? 0 : 1);
      plan.set(NodeId{v}, hop, part);
    }
  }
  return plan;
}

}  // namespace lockstep
