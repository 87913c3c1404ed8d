// SPDX-License-Identifier: Apache-2.0

/// Scatter on any small graph through all ports in the fewest steps there are; and gather, which is
/// the same backwards.
/// Model:   all-port, full-duplex.
/// Idea:    all messages come from one source, so that only one commodity flows: T steps are enough
///          exactly if the network, drawn once for every step, each link with capacity 1, carries a
///          unit to every processor. T begins with the lower bound and grows until a maximum flow
///          says so. The flow falls into routes, which need not be a tree; messages may wait.
///          In longer messages: as many steps as the farthest processor is away, each link with the
///          least capacity that is found.
/// Source:  Dimakopoulos 1996, section 7.1 asks for it; the method is this library's. Figure
///          3.4(b), section 3.4: 3 steps, where a tree takes 4.
/// Differs: nothing to differ from; tests/papers/thesis_scatter_test.cpp.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "algorithm/planned_algorithms.hpp"
#include "core/invalid.hpp"
#include "core/max_flow.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep {
namespace {

/// A message leaves a node in a step, through a port.
struct Departure {
  std::uint32_t step;
  NodeId from;
  Port port;
};

/// The network once for every step: place t * nodes + u is node u after t steps.
class TimeExpanded {
 public:
  /// `most`: parts of blocks in a message of each step.
  TimeExpanded(const ErasedTopology& network, NodeId root, std::vector<std::int64_t> most,
               std::uint32_t parts = 1)
      : network_(network),
        root_(root),
        parts_(parts),
        most_(std::move(most)),
        steps_(static_cast<std::uint32_t>(most_.size())),
        sink_((steps_ + std::uint64_t{1}) * network.node_count()),
        flow_(sink_ + 1),
        into_(sink_) {
    const std::vector<std::uint32_t> distances = distances_from(network, root);
    for (std::uint32_t t = 0; t < steps_; ++t)
      for (std::uint64_t u = 0; u < network.node_count(); ++u) {
        if (distances[u] > t) continue;
        join(t, u, u, static_cast<std::int64_t>(network.processor_count() * parts_), {});
        for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
          join(t, u, index(network.neighbor(NodeId{u}, port(p))), most_[t], port(p));
      }
    for (std::uint64_t u = 0; u < network.processor_count(); ++u)
      if (NodeId{u} != root) flow_.add_arc(place(steps_, u), sink_, parts_);
  }

  /// Whether every processor can be served in time.
  [[nodiscard]] bool serves_all() {
    const auto all = static_cast<std::int64_t>((network_.processor_count() - 1) * parts_);
    return flow_.maximum(place(0, index(root_)), sink_) == all;
  }

  /// Unit by unit, from the destinations back: each is a part of a block. Precondition:
  /// serves_all() said so.
  [[nodiscard]] Transfers plan() {
    Transfers plan = every_node_a_class(network_.node_count());
    plan.steps = steps_;
    plan.parts = parts_;
    for (std::uint64_t i = 0; i < network_.processor_count() * parts_; ++i) {
      const NodeId destination{i / parts_};
      if (destination == root_) continue;
      for (const auto& [step, from, port] : route_to(destination)) {
        plan.move(step, index(root_), index(destination), index(from),
                  index(network_.neighbor(from, port)), port);
        plan.list.back().part = static_cast<std::uint16_t>(i % parts_);
      }
    }
    return plan;
  }

 private:
  struct Entry {
    std::size_t arc;
    std::int64_t units;  // not traced yet; -1: not known
    NodeId from;
    std::optional<Port> port;  // empty: it stays
  };

  [[nodiscard]] std::uint64_t place(std::uint32_t t, std::uint64_t u) const {
    return t * network_.node_count() + u;
  }
  /// `to` at the end of step t is reached from there.
  void join(std::uint32_t t, std::uint64_t from, std::uint64_t to, std::int64_t capacity,
            std::optional<Port> by) {
    const std::size_t arc = flow_.add_arc(place(t, from), place(t + 1, to), capacity);
    into_[place(t + 1, to)].push_back({arc, -1, NodeId{from}, by});
  }

  [[nodiscard]] std::vector<Departure> route_to(NodeId destination) {
    std::vector<Departure> hops;
    NodeId at = destination;
    for (std::uint32_t t = steps_; t > 0; --t) at = step_back(t, at, hops);
    std::ranges::reverse(hops);
    leave_out_detours(hops, destination);
    return hops;
  }
  /// The node of the message one step earlier.
  NodeId step_back(std::uint32_t t, NodeId u, std::vector<Departure>& hops) {
    for (Entry& entry : into_[place(t, index(u))]) {
      if (entry.units < 0) entry.units = flow_.through(entry.arc);
      if (entry.units == 0) continue;
      --entry.units;
      if (entry.port) hops.push_back({t - 1, entry.from, *entry.port});
      return entry.from;
    }
    return u;  // not reached: what flows out of a place has flowed in
  }

  /// A message ends where it first meets its destination, and begins where it last leaves the root.
  void leave_out_detours(std::vector<Departure>& hops, NodeId destination) const {
    const auto ends = std::ranges::find_if(hops, [&](const Departure& hop) {
      return network_.neighbor(hop.from, hop.port) == destination;
    });
    hops.erase(ends + 1, hops.end());
    const auto begins = std::find_if(hops.rbegin(), hops.rend(),
                                     [&](const Departure& hop) { return hop.from == root_; });
    hops.erase(hops.begin(), begins.base() - 1);
  }

  const ErasedTopology& network_;
  NodeId root_;
  std::uint32_t parts_;
  std::vector<std::int64_t> most_;
  std::uint32_t steps_;
  std::uint64_t sink_;
  FlowNetwork flow_;
  std::vector<std::vector<Entry>> into_;  // by place
};

constexpr std::uint64_t most_places = 300'000;  // arcs, over all steps

/// To the farthest processor.
[[nodiscard]] std::uint64_t most_hops(const ErasedTopology& network, NodeId root) {
  const std::vector<std::uint32_t> distances = distances_from(network, root);
  return std::ranges::max(std::span(distances).first(network.processor_count()));
}

[[nodiscard]] std::uint32_t least_steps(const ErasedTopology& network, NodeId root,
                                        std::uint32_t parts = 1) {
  const std::uint64_t ports = std::max<std::uint64_t>(network.degree(root), 1);
  const std::uint64_t others = (network.processor_count() - 1) * parts;
  return static_cast<std::uint32_t>(
      std::max((others + ports - 1) / ports, most_hops(network, root)));
}

/// So many blocks over so many steps, as evenly as possible; then `shifted` blocks of the last
/// steps in the first ones instead.
[[nodiscard]] std::vector<std::int64_t> shared_out(std::uint64_t blocks, std::uint64_t steps,
                                                   std::uint64_t shifted) {
  std::vector<std::int64_t> most(steps);
  for (std::uint64_t t = 0; t < steps; ++t)
    most[t] = static_cast<std::int64_t>(blocks / steps + (t < blocks % steps ? 1 : 0));
  for (std::uint64_t i = 0; i < shifted; ++i)
    if (most[steps - 1 - i] > 1) {
      --most[steps - 1 - i];
      ++most[i];
    }
  return most;
}

/// As many steps as the farthest processor is away, in messages of as few parts of blocks as are
/// found.
[[nodiscard]] Transfers bundled_flow(const ErasedTopology& network, NodeId root,
                                     std::uint32_t parts) {
  const std::uint64_t steps = most_hops(network, root);
  constexpr std::uint64_t most_shifted = 3;
  for (std::uint64_t most = least_steps(network, root, parts); steps > 0; ++most)
    for (std::uint64_t shifted = 0; shifted <= std::min(most_shifted, steps / 2); ++shifted) {
      TimeExpanded flow(network, root, shared_out(most, steps, shifted), parts);
      if (flow.serves_all()) return flow.plan();
    }
  return every_node_a_class(network.node_count());
}

/// The fewest parts that the ports of the root can share evenly.
[[nodiscard]] std::uint32_t even_parts(const ErasedTopology& network, NodeId root) {
  const auto ports = static_cast<std::uint32_t>(network.degree(root));
  if (ports == 0) return 1;
  return ports / std::gcd(ports, static_cast<std::uint32_t>(network.processor_count() - 1));
}

/// About the arcs of a flow: as many steps as the bound says, nodes and links drawn for each.
constexpr NetworkQuantity places{
    .name = "(nodes + 2 x links) x (nodes/degree + 1)",
    .kind = NetworkQuantity::Kind::formula,
    .of = [](const ErasedTopology& network) -> std::optional<std::uint64_t> {
      const std::optional<std::uint64_t> links = network.link_count();
      const std::uint64_t ports = std::max<std::uint64_t>(network.max_degree(), 1);
      if (!links) return std::nullopt;
      return (2 * *links + network.node_count()) * (network.node_count() / ports + 1);
    }};

const SupportedNetworks flow_networks =
    shapes::any_network.up_to_nodes(1'024).with(at_most(places, most_places));

[[nodiscard]] Transfers fewest_steps(const ErasedTopology& network, NodeId root) {
  const std::uint64_t arcs = 2 * network.link_count().value_or(most_places) + network.node_count();
  for (std::uint32_t steps = least_steps(network, root);; ++steps) {
    if (steps * arcs > 4 * most_places)
      throw invalid(
          "flow on {}: the flow of {} steps over {} arcs is too large (limit {} arcs "
          "over all steps); use another root or algorithm",
          network.name(), steps, grouped(arcs), grouped(4 * most_places));
    TimeExpanded flow(network, root, std::vector<std::int64_t>(steps, 1));
    if (!flow.serves_all()) continue;
    constexpr std::uint64_t of_an_arc = 400;  // in the flow
    Transfers plan = flow.plan();
    plan.search_bytes = steps * arcs * of_an_arc;
    return plan;
  }
}

}  // namespace

const PlannedAlgorithm flow_scatter = {
    .info = {.name = "flow",
             .operation = Operation::scatter,
             .model = port_models::all_port,
             .source = "Lockstep; open problem of Dimakopoulos, section 7.1",
             .costs = "counted in the plan",
             .claims = {.startups = Among::one_block, .message_times = Among::undivided},
             .summary = "sends along routes of a maximum flow over time, one block per message"},
    .networks = flow_networks,
    .plan = [](const PlanRequest& asked) { return fewest_steps(asked.network, asked.root); }};

const PlannedAlgorithm bundled_flow_scatter = {
    .info = plain_info(
        "bundled-flow", Operation::scatter, port_models::all_port,
        "Lockstep; maximum flow over time",
        {.costs = "D start-ups; max(D, ceil((N - 1)/g)) message times on many networks, g = "
                  "degree of the root"},
        "a flow over D steps, in messages of as few blocks as possible"),
    .networks = flow_networks.up_to_nodes(128),  // in which a flow takes milliseconds
    .plan = [](const PlanRequest& asked) { return bundled_flow(asked.network, asked.root, 1); }};

const PlannedAlgorithm divided_flow_scatter = {
    .info = plain_info(
        "divided-flow", Operation::scatter, port_models::all_port,
        "Lockstep; maximum flow over time",
        {.costs = "D start-ups; (N - 1)/g message times on many networks, g = degree of the root"},
        "the flow of bundled-flow, in parts that the ports of the root share evenly"),
    // Up to `degree` times as many units flow.
    .networks = shapes::any_network.up_to_nodes(64),
    .plan = [](const PlanRequest& asked) {
      return bundled_flow(asked.network, asked.root, even_parts(asked.network, asked.root));
    }};

}  // namespace lockstep
