// SPDX-License-Identifier: Apache-2.0
#include "algorithm/all_gather/ej_gather_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "core/counted.hpp"
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
      std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
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

  template <class Use>
  static void for_each_message(std::span<Entry> entries, Use use) {
    while (!entries.empty()) {
      const auto end = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
        return entry.through != entries.front().through;
      });
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

}  // namespace lockstep
