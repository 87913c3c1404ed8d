// SPDX-License-Identifier: Apache-2.0
#include "algorithm/total_exchange/exchange_hops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "algorithm/checks.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "program/slot_pool.hpp"

namespace lockstep {
namespace {

constexpr std::uint32_t no_hop = std::numeric_limits<std::uint32_t>::max();

/// A hop at one of its ends, in one class.
struct HopEnd {
  std::uint32_t step;
  std::uint32_t hop;  // doubled, and 1 more where it is sent: arrivals come first
  [[nodiscard]] bool sends() const noexcept { return hop % 2 != 0; }
  [[nodiscard]] std::uint32_t number() const noexcept { return hop / 2; }
};

/// The hops in the order in which each class sees them, and the memory that this takes.
class HopMemory {
 public:
  HopMemory(const ErasedTopology& network, const ExchangeHops& exchange)
      : exchange_(exchange),
        next_(exchange.hops.size(), no_hop),
        slots_(exchange.hops.size(), no_hop),
        first_(exchange.hops.size(), 1) {
    link();
    find_ports(network);
    sort();
    give_slots();
  }

  [[nodiscard]] std::span<const HopEnd> ends(std::uint64_t of_class) const {
    return std::span(ends_).subspan(begin_[of_class], begin_[of_class + 1] - begin_[of_class]);
  }
  [[nodiscard]] std::uint32_t size(std::uint64_t of_class) const { return sizes_[of_class]; }
  [[nodiscard]] bool is_first(std::uint32_t hop) const { return first_[hop] != 0; }
  [[nodiscard]] bool arrives(std::uint32_t hop) const {
    return exchange_.hops[hop].to == exchange_.hops[hop].destination;
  }
  /// From which it is sent.
  [[nodiscard]] Blocks from(std::uint32_t hop) const { return {Region{0}, slots_[hop], 1}; }
  /// Where it is kept. Precondition: it does not arrive.
  [[nodiscard]] Blocks into(std::uint32_t hop) const {
    return {Region{0}, next_[hop] == no_hop ? stranded_.at(hop) : slots_[next_[hop]], 1};
  }
  [[nodiscard]] Port port_of(std::uint32_t hop) const { return ports_[hop]; }

 private:
  /// What every block does next.
  void link() {
    std::vector<std::uint32_t> source_number(exchange_.nodes());
    for (std::uint32_t i = 0; i < exchange_.representatives.size(); ++i)
      source_number[exchange_.representatives[i]] = i;
    std::vector<std::uint32_t> last(exchange_.representatives.size() * exchange_.nodes(), no_hop);
    for (std::uint32_t i = 0; i < exchange_.hops.size(); ++i) {
      const BlockHop& hop = exchange_.hops[i];
      std::uint32_t& before = last[source_number[hop.source] * exchange_.nodes() + hop.destination];
      if (before != no_hop) {
        next_[before] = i;
        first_[i] = 0;
        expects(exchange_.hops[before].step < hop.step && exchange_.hops[before].to == hop.from,
                "a block's hops follow each other");
      } else {
        expects(hop.from == hop.source, "a block begins at its source");
      }
      before = i;
    }
  }

  void find_ports(const ErasedTopology& network) {
    ports_ = exchange_.ports;
    if (!ports_.empty()) return;
    ports_.resize(exchange_.hops.size());
    std::vector<std::vector<std::uint32_t>> neighbors(exchange_.nodes());
    for (std::uint32_t i = 0; i < exchange_.hops.size(); ++i) {
      const BlockHop& hop = exchange_.hops[i];
      std::vector<std::uint32_t>& own = neighbors[hop.from];
      if (own.empty())
        for (std::size_t p = 0; p < network.degree(NodeId{hop.from}); ++p)
          own.push_back(
              static_cast<std::uint32_t>(index(network.neighbor(NodeId{hop.from}, port(p)))));
      const auto at = std::ranges::find(own, hop.to);
      expects(at != own.end(), "a hop goes over a link");
      ports_[i] = port(at - own.begin());
    }
  }

  void sort() {
    const std::uint64_t classes = exchange_.representatives.size();
    begin_.assign(classes + 1, 0);
    for (const BlockHop& hop : exchange_.hops) {
      ++begin_[exchange_.class_of[hop.from] + 1];
      ++begin_[exchange_.class_of[hop.to] + 1];
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    ends_.resize(2 * exchange_.hops.size());
    std::vector<std::uint64_t> at(begin_.begin(), begin_.end() - 1);
    for (std::uint32_t i = 0; i < exchange_.hops.size(); ++i) {
      const BlockHop& hop = exchange_.hops[i];
      ends_[at[exchange_.class_of[hop.from]]++] = {hop.step, 2 * i + 1};
      ends_[at[exchange_.class_of[hop.to]]++] = {hop.step + 1, 2 * i};
    }
    for (std::uint64_t c = 0; c < classes; ++c)
      std::sort(ends_.begin() + static_cast<std::ptrdiff_t>(begin_[c]),
                ends_.begin() + static_cast<std::ptrdiff_t>(begin_[c + 1]),
                [](const HopEnd& a, const HopEnd& b) {
                  if (a.step != b.step) return a.step < b.step;
                  return a.sends() != b.sends() ? b.sends() : a.hop < b.hop;
                });
  }

  void give_slots() {
    for (std::uint64_t c = 0; c < exchange_.representatives.size(); ++c) {
      SlotPool pool;
      std::uint32_t step = 0;
      for (const HopEnd& end : ends(c)) {
        // What was sent in a step is free after two.
        for (std::uint32_t i = std::min(end.step - step, 2U); i > 0; --i) pool.begin_step();
        step = end.step;
        const std::uint32_t hop = end.number();
        if (end.sends()) {
          if (is_first(hop)) slots_[hop] = pool.acquire();
          pool.release_sent(slots_[hop]);
        } else if (next_[hop] != no_hop) {
          slots_[next_[hop]] = pool.acquire();
        } else if (!arrives(hop)) {
          stranded_.emplace(hop, pool.acquire());
        }
      }
      sizes_.push_back(pool.size());
    }
  }

  const ExchangeHops& exchange_;
  std::vector<std::uint32_t> next_;   // hop of the same block
  std::vector<std::uint32_t> slots_;  // from which it is sent
  std::vector<Port> ports_;
  std::vector<std::uint8_t> first_;
  std::vector<HopEnd> ends_;  // class by class
  std::vector<std::uint64_t> begin_;
  std::vector<std::uint32_t> sizes_;
  std::map<std::uint32_t, std::uint32_t> stranded_;  // slots of blocks that go no further
};

[[nodiscard]] Schedule schedule_by_node(const ErasedTopology& network, const ExchangeHops& exchange,
                                        const HopMemory& memory) {
  std::uint32_t most = 0;
  for (std::uint64_t u = 0; u < exchange.nodes(); ++u) most = std::max(most, memory.size(u));
  Schedule schedule(exchange.nodes(), {most});
  for (std::uint64_t u = 0; u < exchange.nodes(); ++u) {
    const NodeId node{u};
    schedule.set_sizes(node, std::array{memory.size(u)});
    std::uint64_t step = no_hop;
    for (const HopEnd& end : memory.ends(u)) {
      if (end.step != step) schedule.begin_turn(step = end.step, node);
      const std::uint32_t number = end.number();
      const BlockHop& hop = exchange.hops[number];
      if (end.sends()) {
        if (memory.is_first(number)) schedule.load(memory.from(number), NodeId{hop.destination});
        schedule.send(memory.port_of(number), memory.from(number));
        continue;
      }
      const Port at = network.reverse_port(NodeId{hop.from}, memory.port_of(number));
      const Origin origin{std::uint64_t{hop.source}};
      if (memory.arrives(number))
        schedule.take_deliver(at, 0, {&origin, 1});
      else
        schedule.take_store(at, memory.into(number));
    }
  }
  schedule.close(exchange.steps);
  return schedule;
}

/// Of a Cayley graph: addresses are relative.
class ClassWriter {
 public:
  ClassWriter(const AnyCayley& group, const ExchangeHops& exchange, const HopMemory& memory)
      : group_(group), exchange_(exchange), memory_(memory), book_(group) {
    std::vector<NodeId> nodes;
    for (std::uint64_t g = 0; g < exchange.nodes(); ++g) nodes.push_back(NodeId{g});
    nodes_ = book_.add_elements(nodes);
    std::uint32_t most = 0;
    for (std::uint64_t c = 0; c < exchange.representatives.size(); ++c)
      most = std::max(most, memory.size(c));
    (void)book_.add_region(most);
  }

  [[nodiscard]] ClassSchedule written() {
    const std::uint64_t classes = exchange_.representatives.size();
    ClassParts parts(classes, exchange_.steps);
    for (std::uint64_t c = 0; c < classes; ++c) {
      std::span<const HopEnd> ends = memory_.ends(c);
      for (std::uint64_t step = 0; step <= exchange_.steps; ++step) {
        const std::uint64_t first = book_.action_count();
        for (; !ends.empty() && ends.front().step == step; ends = ends.subspan(1))
          write(ends.front());
        parts(c, step) = {first, book_.action_count()};
        if (classes == 1 && step < exchange_.steps) book_.next_step();
      }
    }
    return {std::move(book_), std::move(parts)};
  }

 private:
  void write(const HopEnd& end) {
    const std::uint32_t number = end.number();
    const BlockHop& hop = exchange_.hops[number];
    const Port through = memory_.port_of(number);
    if (end.sends()) {
      if (memory_.is_first(number))
        book_.load(memory_.from(number), seen_from(hop.source, hop.destination),
                   seen_from(hop.source, hop.source));
      book_.send(through, memory_.from(number));
    } else if (memory_.arrives(number)) {
      book_.take_deliver(through, seen_from(hop.destination, hop.source));
    } else {
      book_.take_store(through, memory_.into(number));
    }
  }

  /// The element by which `to` is reached from `from`.
  [[nodiscard]] Elements seen_from(std::uint32_t from, std::uint32_t to) const {
    const NodeId relative = group_.product(group_.inverse(NodeId{from}), NodeId{to});
    return {nodes_.first + static_cast<std::uint32_t>(index(relative)), 1};
  }

  const AnyCayley& group_;
  const ExchangeHops& exchange_;
  const HopMemory& memory_;
  NodeInvariantSchedule book_;
  Elements nodes_;
};

/// Steps in which anything moves.
[[nodiscard]] std::uint64_t busy_steps(const ExchangeHops& exchange) {
  std::vector<bool> busy(exchange.steps);
  for (const BlockHop& hop : exchange.hops) busy.at(hop.step) = true;
  return static_cast<std::uint64_t>(std::ranges::count(busy, true));
}

}  // namespace

ExchangeHops every_node_a_class(std::uint64_t nodes) {
  ExchangeHops exchange;
  exchange.class_of.resize(nodes);
  std::iota(exchange.class_of.begin(), exchange.class_of.end(), 0U);
  exchange.representatives = exchange.class_of;
  return exchange;
}

ExchangeHops all_one_class(std::uint64_t nodes) {
  return {.class_of = std::vector<std::uint32_t>(nodes), .representatives = {0}};
}

Schedule schedule_by_node(const ErasedTopology& network, const ExchangeHops& exchange) {
  return schedule_by_node(network, exchange, HopMemory(network, exchange));
}

std::uint64_t planning_bytes_of(const ExchangeHops& exchange) noexcept {
  return exchange.hops.size() * (sizeof(BlockHop) + 2 * sizeof(HopEnd) + 16) +
         exchange.representatives.size() * exchange.nodes() * sizeof(std::uint32_t);
}

void check_planned_hops(std::string_view what, std::uint64_t hops, std::uint64_t most) {
  if (hops > most)
    throw InvalidParameter(fmt::format(
        "{}: the plan of {} is too large (limit {}); use a smaller network or another algorithm",
        what, counted(hops, "hop"), grouped(most)));
}

PlannedExchange::PlannedExchange(std::string_view name, const ErasedTopology& network,
                                 ExchangeHops exchange)
    : network_(network) {
  check_count(name, network.name(), exchange.nodes(), "nodes", max_region_blocks - 1);
  check_planned_hops(fmt::format("{} on {}", name, network.name()), exchange.hops.size());
  const HopMemory memory(network, exchange);
  std::vector<std::uint64_t> class_sizes(exchange.representatives.size());
  for (const std::uint32_t c : exchange.class_of) ++class_sizes[c];
  const std::uint64_t steps = busy_steps(exchange);
  cost_ = {.startups = steps, .message_times = steps};
  footprint_.steps = exchange.steps;
  std::uint64_t delivered = 0;
  for (std::uint32_t i = 0; i < exchange.hops.size(); ++i) {
    const std::uint64_t alike = class_sizes[exchange.class_of[exchange.hops[i].source]];
    footprint_.hops += alike;
    if (memory.arrives(i)) delivered += alike;
  }
  if (delivered != exchange.nodes() * (exchange.nodes() - 1)) footprint_.deliveries = delivered;
  for (std::uint64_t c = 0; c < class_sizes.size(); ++c) {
    footprint_.blocks_per_processor =
        std::max<std::uint64_t>(footprint_.blocks_per_processor, memory.size(c));
    footprint_.blocks_of_all += class_sizes[c] * memory.size(c);
  }
  if (exchange.by_node() || !network.symmetric()) {
    by_node_ = std::make_shared<const Schedule>(schedule_by_node(network, exchange, memory));
    footprint_.plan_bytes = by_node_->bytes();
    planning_bytes_ = by_node_->writing_bytes();
  } else {
    by_class_ = std::make_shared<const ClassSchedule>(
        ClassWriter(*network.cayley(), exchange, memory).written());
    footprint_.blocks_of_all = 0;
    footprint_.plan_bytes = by_class_->book.bytes() +
                            ClassParts::bytes(class_sizes.size(), exchange.steps) +
                            network.cayley()->translation_bytes(exchange.nodes());
  }
  planning_bytes_ += planning_bytes_of(exchange);
  class_of_ = std::move(exchange.class_of);
}

std::size_t PlannedExchange::program_type() const {
  if (by_node_) return 0;
  return by_class_->parts.classes() == 1 ? 1 : 2;
}

PlannedExchange::Programs PlannedExchange::program() const {
  if (by_node_) return ScheduleProgram(by_node_);
  const AnyCayley group = *network_.cayley();
  if (program_type() == 1) return NodeInvariantProgram(group, by_class_->book);
  return ClassScheduleProgram(group, *by_class_, class_of_);
}

}  // namespace lockstep
