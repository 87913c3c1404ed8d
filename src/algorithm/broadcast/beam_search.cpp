// SPDX-License-Identifier: Apache-2.0

/// Single node broadcast on any graph in as few steps as a search finds.
/// Model:   single-port, half-duplex.
/// Idea:    a target of T steps, first the bound of theorem 3.3, then one more. A state is a set of
///          informed nodes. Every state is continued by several matchings of informed to uninformed
///          nodes: those from which the farthest nodes have to be reached come first, after them
///          those with the most nodes behind them; chance varies the weight of both. A state that
///          cannot meet T by the argument of theorem 3.3, for the nodes that are left, is dropped;
///          of the others the most promising are kept: first one, then 4, 16, 64, 256.
/// Cost:    computed with the plan, never more than by `matching` and `single-port-tree`; on all
///          tori of up to 128 nodes the lower bound; N - 1 messages of one block.
/// Source:  Dimakopoulos 1996, section 3.2 for the bound; the search is this library's.
/// Differs: the thesis has no broadcast under the single-port model but that of hypercubes;
///          tests/papers/thesis_broadcast_test.cpp.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "algorithm/broadcast/planned_broadcast.hpp"
#include "algorithm/grown_matching.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/metrics.hpp"
#include "topology/least_broadcast_steps.hpp"
#include "topology/rule_trees.hpp"

namespace lockstep {
namespace {

using Nodes = std::vector<std::uint64_t>;  // a bit for each

[[nodiscard]] bool holds(const Nodes& nodes, std::uint32_t u) {
  return (nodes[u / 64] >> (u % 64) & 1U) != 0;
}

/// Neighbours in two flat arrays.
class Adjacency {
 public:
  explicit Adjacency(const ErasedTopology& network) : first_(network.node_count() + 1) {
    for (std::uint64_t u = 0; u < network.node_count(); ++u) {
      for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
        ends_.push_back(static_cast<std::uint32_t>(index(network.neighbor(NodeId{u}, port(p)))));
      first_[u + 1] = static_cast<std::uint32_t>(ends_.size());
    }
  }
  [[nodiscard]] std::uint32_t nodes() const noexcept {
    return static_cast<std::uint32_t>(first_.size() - 1);
  }
  [[nodiscard]] std::uint64_t arcs() const noexcept { return ends_.size(); }
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t u) const noexcept {
    return {ends_.data() + first_[u], ends_.data() + first_[u + 1]};
  }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> ends_;
};

/// How many nodes r steps can inform over paths of d links or more, from one node: the sum over
/// l = d..r of (r over l); at most 2^32.
class Reach {
 public:
  explicit Reach(std::uint32_t steps) : steps_(steps), reach_((steps + 1) * (steps + 2)) {
    std::vector<std::uint64_t> ways{1};
    for (std::uint32_t r = 0; r <= steps; ++r) {
      std::uint64_t sum = 0;
      for (std::uint32_t d = r + 1; d-- > 0;)
        reach_[r * (steps_ + 2) + d] = sum = std::min(most, sum + ways[d]);
      ways.push_back(1);
      for (std::uint32_t l = r; l > 0; --l) ways[l] = std::min(most, ways[l] + ways[l - 1]);
    }
  }
  [[nodiscard]] std::uint64_t operator()(std::uint32_t steps, std::uint32_t distance) const {
    return reach_[steps * (steps_ + 2) + distance];
  }

 private:
  static constexpr std::uint64_t most = std::uint64_t{1} << 32U;
  std::uint32_t steps_;
  std::vector<std::uint64_t> reach_;
};

class BeamSearch {
 public:
  BeamSearch(const ErasedTopology& network, NodeId root)
      : network_(network),
        adjacency_(network),
        root_(static_cast<std::uint32_t>(index(root))),
        matching_(network.node_count(), network.node_count()),
        distance_(network.node_count()),
        depth_(network.node_count()),
        behind_(network.node_count()) {}

  /// A broadcast of so many steps or fewer; none found: empty.
  [[nodiscard]] std::vector<BroadcastPlan::SendOf> find(std::uint32_t steps) {
    constexpr std::size_t widest = 256;
    const Reach reach(steps);
    for (std::size_t width = 1; width <= widest && work_ < most_work; width *= 4)
      if (search(steps, width, reach)) return sends();
    return {};
  }

 private:
  static constexpr std::uint64_t most_work = 40'000'000;  // arcs looked at
  static constexpr std::size_t continuations = 8;         // of a state

  struct Hop {
    std::uint32_t target;
    Port port;  ///< of the target
  };
  struct State {
    Nodes informed;
    std::uint64_t score = 0;  // less is better
    std::size_t before = 0;   // its number among the states of the step before
    std::vector<Hop> hops{};  // of the step that led to it
  };

  [[nodiscard]] bool search(std::uint32_t steps, std::size_t width, const Reach& reach) {
    Nodes start((adjacency_.nodes() + 63) / 64);
    start[root_ / 64] |= std::uint64_t{1} << (root_ % 64);
    layers_.assign(1, {});
    layers_.front().push_back({.informed = std::move(start)});
    std::mt19937_64 random(adjacency_.nodes());
    for (std::uint32_t left = steps; left > 0; --left) {
      std::vector<State> next;
      for (std::size_t i = 0; i < layers_.back().size(); ++i) {
        if (work_ >= most_work) return false;
        expand(i, left - 1, reach, random, next);
      }
      if (next.empty()) return false;
      keep_best(next, width);
      layers_.push_back(std::move(next));
      if (layers_.back().front().score == 0) return true;
    }
    return false;
  }

  /// Each set of nodes once.
  static void keep_best(std::vector<State>& states, std::size_t width) {
    std::ranges::sort(states, [](const State& a, const State& b) {
      return a.score != b.score ? a.score < b.score : a.informed < b.informed;
    });
    const auto same = [](const State& a, const State& b) { return a.informed == b.informed; };
    states.erase(std::unique(states.begin(), states.end(), same), states.end());
    if (states.size() > width) states.resize(width);
  }

  /// `left`: steps that are left after this one.
  void expand(std::size_t number, std::uint32_t left, const Reach& reach, std::mt19937_64& random,
              std::vector<State>& next) {
    const Nodes informed = layers_.back()[number].informed;
    measure(informed);
    look_behind();
    const std::vector<std::uint32_t> targets = targets_;
    const std::size_t senders = senders_;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> ranked(targets.size());
    std::vector<State> made;
    for (std::size_t i = 0; i < continuations; ++i) {
      const std::uint64_t of_depth = i == 0 ? 64 : 8 + random() % 64;
      const std::uint64_t of_nodes = i == 0 ? 1 : random() % 4;
      const std::uint64_t of_chance = i == 0 ? 1 : 1 + random() % 96;
      for (std::size_t k = 0; k < targets.size(); ++k)
        ranked[k] = {of_depth * depth_[targets[k]] + of_nodes * logarithm(behind_[targets[k]]) +
                         random() % of_chance,
                     targets[k]};
      std::ranges::sort(ranked, std::greater());
      made.push_back(continued(informed, number, ranked, senders));
    }
    // To judge them overwrites what is known of this state.
    for (State& state : made)
      if (judge(state, left, reach)) next.push_back(std::move(state));
  }

  /// A maximum matching of those who can send to targets, the first ones first.
  [[nodiscard]] State continued(const Nodes& informed, std::size_t number,
                                const std::vector<std::pair<std::uint64_t, std::uint32_t>>& ranked,
                                std::size_t senders) {
    State state{.informed = informed, .before = number};
    matching_.clear();
    for (const auto& [preference, target] : ranked) {
      if (matching_.clients().size() == senders) break;
      matching_.add(target, [&](std::uint32_t client, auto offer) {
        const std::span<const std::uint32_t> neighbors = adjacency_.of(client);
        for (std::size_t p = 0; p < neighbors.size(); ++p)
          if (holds(informed, neighbors[p]) && !offer(neighbors[p], port(p))) return;
      });
    }
    for (const std::uint32_t target : matching_.clients()) {
      state.informed[target / 64] |= std::uint64_t{1} << (target % 64);
      state.hops.push_back({target, matching_.port_of(target)});
    }
    work_ += adjacency_.arcs();
    return state;
  }

  /// Whether it may meet the target, by what the nodes that can send reach in the steps left. The
  /// score is the sum, over all distances, of the nodes that are so far away for each that could
  /// be; 0: all are informed.
  [[nodiscard]] bool judge(State& state, std::uint32_t left, const Reach& reach) {
    measure(state.informed);
    if (order_.size() == informed_) return true;
    if (left == 0) return false;
    std::uint64_t beyond = 0;
    std::uint64_t most = 0;
    for (std::size_t i = order_.size(); i-- > informed_;) {
      ++beyond;
      const std::uint32_t d = distance_[order_[i]];
      if (i > informed_ && distance_[order_[i - 1]] == d) continue;
      if (d > left) return false;
      const std::uint64_t reached = senders_ * reach(left, d);
      if (reached < beyond) return false;
      const std::uint64_t load = (beyond << 16U) / reached;
      state.score += load;
      most = std::max(most, load);
    }
    state.score += 4 * most + 1;
    return true;
  }

  /// Distances from the informed nodes; `order_` lists these, then the others by their distance.
  void measure(const Nodes& informed) {
    order_.clear();
    targets_.clear();
    senders_ = 0;
    for (std::uint32_t u = 0; u < adjacency_.nodes(); ++u) {
      distance_[u] = holds(informed, u) ? 0 : unreachable;
      if (distance_[u] == 0) order_.push_back(u);
    }
    informed_ = order_.size();
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::uint32_t u = order_[i];
      bool sends = false;
      for (const std::uint32_t v : adjacency_.of(u)) {
        sends = sends || distance_[v] != 0;
        if (distance_[v] != unreachable) continue;
        distance_[v] = distance_[u] + 1;
        order_.push_back(v);
        if (distance_[u] == 0) targets_.push_back(v);
      }
      senders_ += static_cast<std::size_t>(distance_[u] == 0 && sends);
    }
    work_ += adjacency_.arcs();
  }

  /// Computes two figures of every uninformed node u. One is the number of links to the farthest of
  /// the nodes whose shortest paths from the informed nodes pass u. The other is the number of
  /// these nodes, where a node behind several counts in parts.
  void look_behind() {
    for (std::size_t i = informed_; i < order_.size(); ++i) {
      depth_[order_[i]] = 0;
      behind_[order_[i]] = part;
    }
    for (std::size_t i = order_.size(); i-- > informed_;) {
      const std::uint32_t v = order_[i];
      std::uint64_t parents = 0;
      for (const std::uint32_t u : adjacency_.of(v)) parents += is_parent(u, v) ? 1U : 0U;
      for (const std::uint32_t u : adjacency_.of(v)) {
        if (!is_parent(u, v) || distance_[u] == 0) continue;
        depth_[u] = std::max(depth_[u], depth_[v] + 1);
        behind_[u] += behind_[v] / parents;
      }
    }
    work_ += adjacency_.arcs();
  }
  [[nodiscard]] bool is_parent(std::uint32_t u, std::uint32_t v) const {
    return distance_[u] + 1 == distance_[v];
  }

  /// 16 times the logarithm of the nodes, with base 2.
  [[nodiscard]] static std::uint64_t logarithm(std::uint64_t parts) {
    const auto bits = static_cast<std::uint64_t>(std::bit_width(parts)) - 1;
    return 16 * bits + ((parts << 4U) >> bits) - 16;
  }

  /// From the last state to the first.
  [[nodiscard]] std::vector<BroadcastPlan::SendOf> sends() const {
    std::vector<BroadcastPlan::SendOf> all;
    std::size_t number = 0;
    for (std::size_t step = layers_.size() - 1; step > 0; --step) {
      const State& state = layers_[step][number];
      for (const Hop& hop : state.hops)
        all.push_back({adjacency_.of(hop.target)[index(hop.port)],
                       {static_cast<std::uint32_t>(step - 1),
                        network_.reverse_port(NodeId{hop.target}, hop.port)}});
      number = state.before;
    }
    std::ranges::stable_sort(all, {},
                             [](const BroadcastPlan::SendOf& one) { return one.send.step; });
    return all;
  }

  static constexpr std::uint64_t part = 1'024;  // of a node

  const ErasedTopology& network_;
  Adjacency adjacency_;
  std::uint32_t root_;
  GrownMatching matching_;
  std::vector<std::vector<State>> layers_;  // by step
  std::uint64_t work_ = 0;
  // Figures of the state that was looked at last.
  std::vector<std::uint32_t> distance_;
  std::vector<std::uint32_t> depth_;
  std::vector<std::uint64_t> behind_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> targets_;
  std::size_t informed_ = 0;
  std::size_t senders_ = 0;
};

}  // namespace

/// Deterministic: an amount of work limits the search, not time.
BroadcastPlan beam_search_plan(const ErasedTopology& network, NodeId root) {
  BroadcastPlan best = matching_plan(network, root);
  if (BroadcastPlan other = single_port_plan(network, root); other.steps() < best.steps())
    best = std::move(other);
  if (BroadcastPlan other = single_port_plan_of(rule_tree(network, root));
      other.steps() < best.steps())
    best = std::move(other);
  const auto levels = level_sizes(network, root);
  std::optional<BeamSearch> search;
  for (std::uint64_t steps = least_broadcast_steps(levels); steps < best.steps(); ++steps) {
    if (!search) search.emplace(network, root);
    if (const auto sends = search->find(static_cast<std::uint32_t>(steps)); !sends.empty())
      return {network.node_count(), sends};
  }
  return best;
}

/// Without switches, and searched in a moment.
const BroadcastRule beam_search{
    .info = {.name = "beam-search",
             .operation = Operation::broadcast,
             .model = port_models::single_port_half_duplex,
             .source = "Lockstep; bound: Dimakopoulos, theorem 3.3",
             .costs = "from the search",
             .claims = {.startups = Among::all,
                        .message_times = Among::undivided,
                        .where = "on tori of degree 4 or less and up to 128 nodes",
                        .holds =
                            [](const ErasedTopology& network, const Settings&) {
                              return network.as<Torus>() != nullptr && network.max_degree() <= 4 &&
                                     network.node_count() <= 128;
                            }},
             .summary = "searches for a plan with as many start-ups as the lower bound",
             .parameters = root_parameters,
             .promise_name = "plan"},
    .plan = beam_search_plan,
    .networks = shapes::switchless.up_to_nodes(16'384)};

}  // namespace lockstep
