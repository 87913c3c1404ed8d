// SPDX-License-Identifier: Apache-2.0
#include "lockstep/verify/lower_bounds.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "lockstep/core/expects.hpp"
#include "lockstep/core/fraction.hpp"
#include "verify/broadcast_steps.hpp"

namespace lockstep {
namespace {

std::uint64_t quotient_rounded_up(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b == 0 ? 0 : 1);
}

/// The least t with factor^t >= count; factor >= 2.
std::uint64_t logarithm_rounded_up(std::uint64_t count, std::uint64_t factor) {
  std::uint64_t steps = 0;
  for (; count > 1; count = quotient_rounded_up(count, factor)) ++steps;
  return steps;
}

/// Of the reasons of lower_bounds.hpp.
constexpr std::string_view one_class = "distances through one class of ports";

/// Message times of a total exchange: a block for every pair, one on each side of the cut.
std::uint64_t times_through(const Cut& cut, std::uint64_t processors, std::uint64_t parts,
                            Duplex duplex) {
  if (cut.links == 0) return 0;
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t directions = duplex == Duplex::full ? 1 : 2;  // that share a link
  const WideCount pairs = WideCount{cut.nodes} * (processors - cut.nodes);
  const std::uint64_t parts_per_pair = parts * directions;
  const WideCount blocks = pairs > most / parts_per_pair ? most : pairs * parts_per_pair;
  return quotient_rounded_up(static_cast<std::uint64_t>(blocks), cut.links);
}

/// Message times of a total exchange, by each class of arcs; those of the busiest.
std::uint64_t times_by_classes(const std::vector<ArcClass>& classes, std::uint64_t parts,
                               const PortModel& model) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t times = 0;
  for (const ArcClass& own : classes) {
    WideCount messages = model.duplex == Duplex::full ? own.arcs : own.arcs / 2;  // in a step
    if (model.switching == Switching::packet)
      messages = std::min(messages, WideCount{own.nodes} * std::min(model.sends, model.receptions));
    const WideCount uses = WideCount{own.uses} * parts;
    if (messages == 0 || uses > most) continue;
    times = std::max(times, quotient_rounded_up(static_cast<std::uint64_t>(uses),
                                                static_cast<std::uint64_t>(messages)));
  }
  return times;
}

/// Sends and receptions that a node's links allow in a step.
struct Ports {
  std::uint64_t sends;
  std::uint64_t receptions;
};

/// The largest of some bounds, and its reason.
struct Least {
  std::uint64_t count = 0;
  std::string_view by{};

  void at_least(std::uint64_t other, std::string_view reason) {
    if (other > count) *this = {other, reason};
  }
};

/// Blocks that some processor has to receive: all but its own.
std::uint64_t most_awaited(const Pattern& pattern, std::uint64_t processors) {
  if (pattern.homes() == nullptr || pattern.homes()->empty()) return 0;
  std::vector<std::uint64_t> made(processors);
  for (const NodeId home : *pattern.homes()) ++made.at(index(home));
  return pattern.homes()->size() - *std::min_element(made.begin(), made.end());
}

Least least_startups(const Collective& collective, const NetworkFigures& network,
                     const Ports& ports, Switching switching) {
  Least least{network.diameter, switching == Switching::packet ? "diameter" : "one step"};
  // As for a broadcast: what is made somewhere has to reach all others.
  if (collective.operation == Operation::many_to_all) {
    if (most_awaited(collective.pattern, network.processors) == 0) return {};
    least.at_least(logarithm_rounded_up(network.processors, 1 + ports.sends), "doubling");
    return least;
  }
  // Every source, and every destination, has as many partners.
  const std::uint64_t partners = collective.operation == Operation::odd_distance_exchange
                                     ? network.processors / 2
                                     : network.processors - 1;
  if (collective.every_destination())
    least.at_least(logarithm_rounded_up(1 + partners, 1 + ports.sends), "doubling");
  const bool once_through_a_link = switching == Switching::packet;
  if (collective.operation == Operation::broadcast && network.degree >= 3 && once_through_a_link)
    least.at_least(doubling_with_few_links(network.processors, network.degree, ports.sends),
                   "doubling over few links");
  if (collective.operation == Operation::broadcast && ports.sends == 1 && !network.levels.empty())
    least.at_least(steps_for_all_distances(network.levels), "distances of all");
  if (collective.every_source() || is_reduction(collective.operation))
    least.at_least(logarithm_rounded_up(1 + partners, 1 + ports.receptions), "doubling");
  return least;
}

/// `blocks` per node over all nodes' ports.
std::uint64_t shared_by_all(std::uint64_t blocks, const NetworkFigures& network, const Ports& ports,
                            Duplex duplex) {
  const std::uint64_t parts = blocks * network.parts_per_block;
  const std::uint64_t full = quotient_rounded_up(parts, std::min(ports.sends, ports.receptions));
  if (duplex == Duplex::full) return full;
  return std::max(full, quotient_rounded_up(2 * parts, network.degree));
}

/// Messages of all nodes in a step, at most; at least 1.
std::uint64_t messages_in_a_step(const NetworkFigures& network, const Ports& ports, Duplex duplex) {
  const std::uint64_t full = network.processors * std::min(ports.sends, ports.receptions);
  const std::uint64_t links = (network.processors * network.degree + 1) / 2;
  return duplex == Duplex::full ? full : std::min(full, links);
}

std::uint64_t least_message_times(const Collective& collective, const NetworkFigures& network,
                                  const Ports& ports, Duplex duplex) {
  const std::uint64_t others = network.processors - 1;
  const std::uint64_t parts = network.parts_per_block;
  switch (collective.operation) {
    case Operation::broadcast:
      return quotient_rounded_up(parts, ports.receptions);
    case Operation::scatter:
      return quotient_rounded_up(others * parts, ports.sends);
    case Operation::gather:
      return quotient_rounded_up(others * parts, ports.receptions);
    case Operation::all_gather:
      return shared_by_all(others, network, ports, duplex);
    case Operation::total_exchange:  // every other processor is one link away or more
      return shared_by_all(std::max(network.distance_sum, others), network, ports, duplex);
    case Operation::odd_distance_exchange:
      return shared_by_all(std::max(network.distance_sum, network.processors / 2), network, ports,
                           duplex);
    case Operation::multicast:
    case Operation::partial_exchange:
      return 0;  // no bound is known
    case Operation::many_to_all:
      return quotient_rounded_up(most_awaited(collective.pattern, network.processors) * parts,
                                 ports.receptions);
    case Operation::reduce_scatter:
      return shared_by_all(others, network, ports, duplex);
    case Operation::all_reduce:
      return std::max(
          quotient_rounded_up(parts, std::min(ports.sends, ports.receptions)),
          quotient_rounded_up(2 * others * parts, messages_in_a_step(network, ports, duplex)));
    case Operation::reduce:  // as a broadcast: lower_bound()
    case Operation::scan:
      return quotient_rounded_up(parts, std::min(ports.sends, ports.receptions));
  }
  return 0;
}

Ports ports_of(const PortModel& model, std::uint64_t degree) {
  return {std::min<std::uint64_t>(model.sends, degree),
          std::min<std::uint64_t>(model.receptions, degree)};
}

/// Under wormhole switching a message goes any distance in a step; of a node with fewer sends than
/// links it may take up more than its share of these.
NetworkFigures as_switched(NetworkFigures network, const PortModel& model) {
  if (model.switching == Switching::packet) return network;
  network.diameter = std::min<std::uint64_t>(network.diameter, 1);
  network.levels.clear();
  const Ports ports = ports_of(model, network.degree);
  if (std::min(ports.sends, ports.receptions) < network.degree) network.distance_sum = 0;
  return network;
}

/// Where nodes differ.
Least least_message_times(const Collective& collective, const DistanceFigures& network,
                          std::uint64_t parts, const PortModel& model) {
  const Operation operation = collective.operation;
  if (has_root(operation)) {
    const Ports ports = ports_of(model, network.nodes.at(index(collective.root)).degree);
    const std::uint64_t blocks =
        operation == Operation::broadcast ? 0 : (network.nodes.size() - 1) * parts;
    return {quotient_rounded_up(blocks,
                                operation == Operation::gather ? ports.receptions : ports.sends),
            "blocks per port"};
  }
  const std::uint64_t nodes = network.nodes.size();
  const std::uint64_t directions = model.duplex == Duplex::full ? 1 : 2;  // that share a link
  const bool routes = model.switching == Switching::wormhole;
  Least least;
  std::uint64_t hops = 0;
  std::uint64_t moves = 0;  // in a step, by the nodes' ports
  std::uint64_t arcs = 0;
  for (const NodeFigures& node : network.nodes) {
    const Ports ports = ports_of(model, node.degree);
    const std::uint64_t own = operation == Operation::all_reduce || operation == Operation::scan
                                  ? parts
                                  : (nodes - 1) * parts;
    const bool scatters = operation == Operation::reduce_scatter;
    least.at_least(quotient_rounded_up(own, scatters ? ports.sends : ports.receptions),
                   "blocks per port");
    hops += node.status * parts;
    moves += std::min(ports.sends, ports.receptions);
    arcs += node.degree;
  }
  if (operation == Operation::all_reduce)
    least.at_least(quotient_rounded_up(2 * (nodes - 1) * parts, std::min(moves, arcs / directions)),
                   "blocks per port");
  if (operation != Operation::total_exchange) return least;
  const std::uint64_t links = arcs / directions;
  least.at_least(quotient_rounded_up(hops, routes ? links : std::min(moves, links)), "distances");
  least.at_least(times_through(network.narrowest, nodes, parts, model.duplex), "cut");
  least.at_least(times_by_classes(network.classes, parts, model), one_class);
  return least;
}

/// A reduce read backwards: its root knows of a contribution as, there, a processor knows the
/// root's block.
[[nodiscard]] Collective backwards(const Collective& reduce) {
  return {Operation::broadcast, reduce.root};
}
[[nodiscard]] PortModel backwards(PortModel model) {
  std::swap(model.sends, model.receptions);
  return model;
}

}  // namespace

std::optional<LowerBound> lower_bound(const Collective& collective, const DistanceFigures& network,
                                      std::uint64_t parts_per_block, const PortModel& model) {
  if (collective.operation == Operation::reduce)
    return lower_bound(backwards(collective), network, parts_per_block, backwards(model));
  if (network.nodes.size() <= 1) return LowerBound{};
  if (collective.needs_pattern()) return std::nullopt;
  NetworkFigures figures{.processors = network.nodes.size(), .parts_per_block = parts_per_block};
  for (const NodeFigures& node : network.nodes) {
    if (node.degree == 0) return std::nullopt;
    figures.degree = std::max(figures.degree, node.degree);
    figures.diameter = std::max(figures.diameter, node.eccentricity);
  }
  if (has_root(collective.operation))
    figures.diameter = network.nodes.at(index(collective.root)).eccentricity;
  std::optional<LowerBound> bound = lower_bound(collective, figures, model);
  if (!bound) return bound;
  const Least own = least_message_times(collective, network, parts_per_block, model);
  if (const Fraction times(own.count, parts_per_block); times > bound->least.message_times) {
    bound->least.message_times = times;
    bound->message_times_by = own.by;
  }
  return bound;
}

std::optional<LowerBound> lower_bound(const Collective& collective, const NetworkFigures& given,
                                      const PortModel& model) {
  if (collective.operation == Operation::reduce)
    return lower_bound(backwards(collective), given, backwards(model));
  const NetworkFigures network = as_switched(given, model);
  if (network.processors <= 1) return LowerBound{};
  if (collective.is_by_pairs()) return std::nullopt;
  const Ports ports = ports_of(model, network.degree);
  if (ports.sends == 0 || ports.receptions == 0) return std::nullopt;
  const Least startups = least_startups(collective, network, ports, model.switching);
  const bool personal = collective.operation == Operation::total_exchange ||
                        collective.operation == Operation::odd_distance_exchange;
  Least times{least_message_times(collective, network, ports, model.duplex),
              personal ? "distances" : "blocks per port"};
  if (personal && model.switching == Switching::wormhole)  // links that are held
    times.at_least(
        quotient_rounded_up(given.distance_sum * network.parts_per_block, network.degree),
        "distances");
  if (collective.operation == Operation::total_exchange) {
    times.at_least(
        times_through(network.cut, network.processors, network.parts_per_block, model.duplex),
        "cut");
    times.at_least(times_by_classes(network.classes, network.parts_per_block, model), one_class);
  }
  times.at_least(startups.count, "start-ups");
  return LowerBound{
      {startups.count, Fraction(times.count, network.parts_per_block)}, startups.by, times.by};
}

LowerBound with_messages_up_to(const LowerBound& bound, std::uint64_t largest_message_blocks) {
  expects(largest_message_blocks >= 1, "a message holds a block");
  Least startups{bound.least.startups, bound.startups_by};
  startups.at_least(
      quotient_rounded_up(bound.least.message_times.rounded_up(), largest_message_blocks),
      "largest message");
  return {{startups.count, bound.least.message_times}, startups.by, bound.message_times_by};
}

}  // namespace lockstep
