// SPDX-License-Identifier: Apache-2.0
#include "lockstep/verify/lower_bounds.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "lockstep/core/expects.hpp"
#include "lockstep/core/fraction.hpp"
#include "topology/least_broadcast_steps.hpp"
#include "verify/message_time_bounds.hpp"

namespace lockstep {

namespace {

/// No node sends through a link twice, nor back: a node informed through one link has degree - 1
/// left, the root all of them, and uses up to `sends` of them in each step at once. Precondition:
/// degree >= 3, so that the informed multiply.
[[nodiscard]] std::uint64_t doubling_with_few_links(std::uint64_t processors, std::uint64_t degree,
                                                    std::uint64_t sends) {
  const auto sent_in = [sends](std::uint64_t links, std::uint64_t step) {
    const std::uint64_t used = step * sends;
    return used >= links ? 0 : std::min(sends, links - used);
  };
  std::vector<WideCount> newly_informed;  // by step
  WideCount informed = 1;
  while (informed < processors) {
    const std::uint64_t step = newly_informed.size();
    WideCount now = sent_in(degree, step);
    for (std::uint64_t earlier = 0; earlier < step; ++earlier)
      now += newly_informed[earlier] * sent_in(degree - 1, step - 1 - earlier);
    newly_informed.push_back(now);
    informed += now;
  }
  return newly_informed.size();
}

using detail::LeastStartups;
using detail::NodePorts;
using detail::raise_message_times;
using detail::ratio;

/// The least t with factor^t >= count; factor >= 2.
std::uint64_t logarithm_rounded_up(std::uint64_t count, std::uint64_t factor) {
  std::uint64_t steps = 0;
  for (; count > 1; count = Fraction(count, factor).rounded_up()) ++steps;
  return steps;
}

/// The bounds of a network under a port model go by these.
struct Facts {
  const BoundInputs& network;
  PortModel model;
  WideCount arcs;       ///< of all nodes, or more
  WideCount distances;  ///< over all pairs that exchange blocks; 0: not known

  Facts(const BoundInputs& figures, const PortModel& port_model)
      : network(figures),
        model(port_model),
        arcs(figures.arcs != 0 ? WideCount{figures.arcs}
                               : WideCount{figures.processors} * figures.degree),
        distances(figures.pair_distances != 0
                      ? WideCount{figures.pair_distances}
                      : WideCount{figures.processors} * figures.distance_sum) {}

  [[nodiscard]] std::uint64_t nodes() const noexcept { return network.processors; }
  [[nodiscard]] bool packets() const noexcept { return model.switching == Switching::packet; }
  [[nodiscard]] WideCount directions_per_link() const noexcept {
    return model.duplex == Duplex::full ? 1 : 2;
  }
  /// Messages per step over all links.
  [[nodiscard]] WideCount links() const { return arcs / directions_per_link(); }
  /// Messages per step that all nodes send and receive.
  [[nodiscard]] WideCount messages() const {
    const WideCount ports = WideCount{nodes()} * std::min(model.sends, model.receptions);
    return std::min(ports, links());
  }
};

/// Blocks that every processor waits for at least, and that some processor waits for.
struct Awaited {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
};

Awaited awaited_of(const Pattern& pattern, std::uint64_t processors) {
  if (pattern.homes() == nullptr || pattern.homes()->empty()) return {};
  std::vector<std::uint64_t> made(processors);
  for (const NodeId home : *pattern.homes()) ++made.at(index(home));
  const std::uint64_t all = pattern.homes()->size();
  Awaited awaited{all, 0};
  for (const std::uint64_t own : made) {
    awaited.least = std::min(awaited.least, all - own);
    awaited.most = std::max(awaited.most, all - own);
  }
  return awaited;
}

LeastStartups least_startups(const Collective& collective, const Facts& facts) {
  const BoundInputs& network = facts.network;
  const NodePorts ports(facts.model, network.degree);
  const bool packets = facts.packets();
  LeastStartups least{packets ? network.diameter : std::min<std::uint64_t>(network.diameter, 1),
                      packets ? "diameter" : "one step"};
  // As for a broadcast: what is made somewhere has to reach all others.
  if (collective.operation == Operation::many_to_all) {
    if (awaited_of(collective.pattern, network.processors).most == 0) return {};
    least.at_least(logarithm_rounded_up(network.processors, 1 + ports.sends), "doubling");
    return least;
  }
  // Every source, and every destination, has as many partners; of two classes those of the smaller.
  std::uint64_t partners = network.processors - 1;
  if (collective.is_by_classes()) {
    const std::uint64_t odd = collective.odd_processors(network.processors);
    if (odd == 0 || odd == network.processors) return {};
    partners = std::max(odd, network.processors - odd);
  }
  if (collective.every_destination())
    least.at_least(logarithm_rounded_up(1 + partners, 1 + ports.sends), "doubling");
  if (collective.operation == Operation::broadcast && network.degree >= 3 && packets)
    least.at_least(doubling_with_few_links(network.processors, network.degree, ports.sends),
                   "doubling over few links");
  if (collective.operation == Operation::broadcast && packets && ports.sends == 1 &&
      !network.levels.empty())
    least.at_least(least_broadcast_steps(network.levels), "distances of all");
  if (collective.every_source() || is_reduction(collective.operation))
    least.at_least(logarithm_rounded_up(1 + partners, 1 + ports.receptions), "doubling");
  return least;
}

/// The latency of a broadcast: levels of the root where distances count.
LatencyBound latency_of(const Facts& facts) {
  const NodePorts ports(facts.model, facts.network.degree);
  const std::uint64_t others = facts.nodes() - 1;
  LatencyBound latency{.times = {1, std::max(ports.sends, ports.receptions)}};
  std::uint64_t within = 0;  // processors at most j links away
  WideCount informed = 1;
  WideCount missing = 0;
  constexpr std::size_t most_steps = 4'096;  // of longer networks no such bound is known
  for (std::size_t j = 1;; ++j) {
    if (j > most_steps) return {};
    informed = std::min<WideCount>(informed * (1 + ports.sends), facts.nodes());
    within = facts.packets() && !facts.network.levels.empty()
                 ? within + (j < facts.network.levels.size() ? facts.network.levels[j] : others)
                 : others;
    const auto reached = std::min({static_cast<std::uint64_t>(informed - 1), within, others});
    if (reached == others) break;
    missing += others - reached;
    latency.last = j;
  }
  latency.windows = ratio(missing, others);
  return latency;
}

/// Blocks that a node sends and receives at least, in parts of any size.
struct Demand {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
};

/// The least that the nodes of a collective send and receive.
struct Demands {
  Demand any;         ///< any node; where there is a root, any other
  Demand some;        ///< the root, or some node, whose degree is not known
  WideCount moved{};  ///< by all nodes
};

Demands demands_of(const Collective& collective, const Facts& facts) {
  const std::uint64_t n = facts.nodes();
  const std::uint64_t others = n - 1;
  const WideCount pairs = WideCount{n} * others;
  switch (collective.operation) {
    case Operation::broadcast:
      return {{0, 1}, {1, 0}, others};
    case Operation::scatter:
      return {{0, 1}, {others, 0}, others};
    case Operation::all_gather:
      return {{1, others}, {}, pairs};
    case Operation::total_exchange:
      return {{others, others}, {}, pairs};
    case Operation::odd_distance_exchange: {
      const std::uint64_t odd = collective.odd_processors(n);
      const std::uint64_t least = std::min(odd, n - odd);
      const std::uint64_t most = n - least;
      return {{least, least}, {most, most}, 2 * WideCount{least} * most};
    }
    case Operation::many_to_all: {
      const Awaited awaited = awaited_of(collective.pattern, n);
      return {
          {0, awaited.least}, {0, awaited.most}, WideCount{collective.pattern.origins(n)} * others};
    }
    case Operation::all_reduce:
      return {{1, 1}, {}, 2 * WideCount{others}};
    case Operation::scan: {  // the first need not receive, the last need not send
      const bool sends_more = facts.model.sends >= facts.model.receptions;
      return {sends_more ? Demand{1, 0} : Demand{0, 1}, n > 2 ? Demand{1, 1} : Demand{1, 0},
              others};
    }
    case Operation::reduce:  // as their mirror operations: lower_bound()
    case Operation::gather:
    case Operation::reduce_scatter:
    case Operation::multicast:  // no bound is known
    case Operation::partial_exchange:
      break;
  }
  return {};
}

/// If every distance is known, every block uses as many links as its destination is away; under
/// wormhole switching it holds them.
void by_distances(const Facts& facts, LowerBound& bound) {
  raise_message_times(bound,
                      ratio(facts.distances, facts.packets() ? facts.messages() : facts.links()),
                      "distances");
}

/// A block for every pair, one on each side of the cut.
void by_cut(const Facts& facts, LowerBound& bound) {
  const Cut& cut = facts.network.cut;
  if (cut.links == 0) return;
  const WideCount pairs = WideCount{cut.nodes} * (facts.nodes() - cut.nodes);
  raise_message_times(bound, ratio(pairs * facts.directions_per_link(), cut.links), "cut");
}

void by_classes(const Facts& facts, LowerBound& bound) {
  for (const ArcClass& own : facts.network.classes) {
    WideCount messages = own.arcs / facts.directions_per_link();  // in a step
    if (facts.packets())
      messages = std::min(
          messages, WideCount{own.nodes} * std::min(facts.model.sends, facts.model.receptions));
    if (messages != 0)
      raise_message_times(bound, ratio(own.uses, messages), "distances through one class of ports");
  }
}

LowerBound least_message_times(const Collective& collective, const Facts& facts) {
  const BoundInputs& network = facts.network;
  const auto known = [&](std::uint64_t degree) { return degree == 0 ? network.degree : degree; };
  const Demands demands = demands_of(collective, facts);
  const bool rooted = has_root(collective.operation);
  const bool personal = collective.operation == Operation::total_exchange ||
                        collective.operation == Operation::odd_distance_exchange;
  LowerBound bound{.message_times_by = detail::by_ports, .undivided_by = detail::by_ports};
  if (personal && !network.has_switches) by_distances(facts, bound);
  const std::string_view by_ports = personal ? "distances" : detail::by_ports;
  const auto at = [&](const Demand& demand, std::uint64_t degree) {
    const NodePorts ports(facts.model, degree);
    raise_message_times(bound, ports.times(demand.sent, demand.received), by_ports);
  };
  at(demands.any, known(network.least_degree));
  at(demands.some, rooted ? known(network.root_degree) : network.degree);
  // Switches send, copy and combine as well, so that the ports of processors do not limit the sum.
  if (!network.has_switches)
    raise_message_times(bound, ratio(demands.moved, facts.messages()), by_ports);
  if (collective.operation != Operation::total_exchange) return bound;
  by_cut(facts, bound);
  by_classes(facts, bound);
  return bound;
}

/// The largest distance that some block has to go.
[[nodiscard]] std::uint64_t farthest(const Collective& collective, const DistanceFigures& network) {
  const auto from = [&](NodeId node) { return network.nodes.at(index(node)).eccentricity; };
  if (has_root(collective.operation)) return from(collective.root);
  std::uint64_t farthest = 0;
  if (collective.operation == Operation::many_to_all) {
    if (collective.pattern.homes() == nullptr) return 0;
    for (const NodeId home : *collective.pattern.homes()) farthest = std::max(farthest, from(home));
    return farthest;
  }
  for (const NodeDistances& node : network.nodes) farthest = std::max(farthest, node.eccentricity);
  return farthest;
}

}  // namespace

std::optional<Collective> mirror_with_bounds(const Collective& collective) {
  switch (collective.operation) {
    case Operation::reduce:
      return Collective{Operation::broadcast, collective.root};
    case Operation::gather:
      return Collective{Operation::scatter, collective.root};
    case Operation::reduce_scatter:
      return Collective{Operation::all_gather};
    default:
      return std::nullopt;
  }
}

PortModel mirrored(PortModel model) {
  std::swap(model.sends, model.receptions);
  return model;
}

BoundInputs bound_inputs(const Collective& collective, const DistanceFigures& network) {
  // Two nodes at an even distance have neighbours in between at an odd one. Sums of distances are
  // those of all pairs.
  const bool odd_only = collective.is_by_classes();
  const std::uint64_t distance = farthest(collective, network);
  BoundInputs figures{.processors = network.nodes.size(),
                      .diameter = odd_only && distance % 2 == 0 ? distance - 1 : distance,
                      .cut = network.narrowest,
                      .classes = network.classes,
                      .least_degree = network.nodes.front().degree};
  for (const NodeDistances& node : network.nodes) {
    figures.degree = std::max(figures.degree, node.degree);
    figures.least_degree = std::min(figures.least_degree, node.degree);
    figures.arcs += node.degree;
    figures.pair_distances += odd_only ? 0 : node.status;
  }
  if (has_root(collective.operation))
    figures.root_degree = network.nodes.at(index(collective.root)).degree;
  return figures;
}

std::optional<LowerBound> lower_bound(const Collective& collective, const DistanceFigures& network,
                                      const PortModel& model) {
  if (network.nodes.size() <= 1) return LowerBound{};
  if (collective.is_by_classes() && collective.pattern.classes() == nullptr) return std::nullopt;
  const BoundInputs figures = bound_inputs(collective, network);
  if (figures.least_degree == 0) return std::nullopt;
  return lower_bound(collective, figures, model);
}

std::optional<LowerBound> lower_bound(const Collective& collective, const BoundInputs& network,
                                      const PortModel& model) {
  if (const auto mirror = mirror_with_bounds(collective))
    return lower_bound(*mirror, network, mirrored(model));
  if (network.processors <= 1) return LowerBound{};
  if (collective.is_by_pairs()) return std::nullopt;
  const NodePorts ports(model, network.degree);
  if (ports.sends == 0 || ports.receptions == 0) return std::nullopt;
  const Facts facts(network, model);
  LowerBound bound =
      detail::bound_of(least_startups(collective, facts), least_message_times(collective, facts));
  if (collective.operation == Operation::broadcast) bound.latency = latency_of(facts);
  return bound;
}

double LatencyBound::message_times(std::uint64_t steps) const noexcept {
  const double shares = static_cast<double>(steps + last - 1);
  return last == 0 ? 0 : times.value() * shares / (shares - windows.value());
}

LowerBound with_messages_up_to(const LowerBound& bound, std::uint64_t largest_message_blocks) {
  expects(largest_message_blocks >= 1, "a message holds a block");
  const Fraction startups(bound.least.message_times.rounded_up(), largest_message_blocks);
  return detail::strongest(
      bound, {.least = {.startups = startups.rounded_up()}, .startups_by = "largest message"});
}

}  // namespace lockstep
