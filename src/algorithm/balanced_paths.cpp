// SPDX-License-Identifier: Apache-2.0
#include "algorithm/balanced_paths.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "algorithm/grown_matching.hpp"
#include "algorithm/origin_trees.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep {
namespace {

using Node = std::uint32_t;

/// The neighbours of each node, each once.
[[nodiscard]] std::vector<std::vector<Node>> distinct_neighbors(const ErasedTopology& network) {
  std::vector<std::vector<Node>> neighbors(network.node_count());
  for (std::size_t u = 0; u < neighbors.size(); ++u)
    for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p) {
      const auto v = static_cast<Node>(index(network.neighbor(NodeId{u}, port(p))));
      if (std::ranges::find(neighbors[u], v) == neighbors[u].end()) neighbors[u].push_back(v);
    }
  return neighbors;
}

/// The paths of a total exchange, hop by hop.
class PathBalance {
 public:
  explicit PathBalance(const ErasedTopology& network)
      : neighbors_(distinct_neighbors(network)), group_(network.cayley()) {
    if (group_ && group_->identity() != NodeId{0}) group_.reset();
    for (std::size_t u = 0; u < neighbors_.size(); ++u)
      distances_.push_back(distances_from(network, NodeId{u}));
    for (const auto& own : neighbors_) first_arc_.push_back(first_arc_.back() + own.size());
    const auto processors = static_cast<Node>(network.processor_count());
    for (Node s = 0; s < (group_ ? 1 : processors); ++s)
      for (Node d = 0; d < processors; ++d)
        if (s != d) blocks_.push_back({s, d, {}});
  }

  [[nodiscard]] Transfers plan() {
    constexpr int most_rounds = 8;
    constexpr std::uint64_t most_looks = std::uint64_t{1} << 23U;  // some hundredths of a second
    std::mt19937_64 random{1989};
    for (int round = 0; round < most_rounds && looks_ < most_looks; ++round) {
      std::ranges::shuffle(blocks_, random);
      for (Block& block : blocks_) route(block);
    }
    return listed();
  }

 private:
  struct Block {
    Node source;
    Node destination;
    std::vector<Node> path;  // from the source on
  };

  /// Arcs of a generator share their load.
  [[nodiscard]] std::uint64_t& load(std::size_t step, Node from, std::size_t neighbor) {
    const std::size_t arcs = group_ ? first_arc_[1] : first_arc_.back();
    if (loads_.size() < (step + 1) * arcs) loads_.resize((step + 1) * arcs);
    return loads_[step * arcs + (group_ ? generator(from, neighbor) : first_arc_[from] + neighbor)];
  }
  [[nodiscard]] std::size_t generator(Node from, std::size_t neighbor) {
    if (generators_.empty()) {
      for (Node u = 0; u < neighbors_.size(); ++u)
        for (const Node v : neighbors_[u]) {
          const auto step =
              static_cast<Node>(index(group_->product(group_->inverse(NodeId{u}), NodeId{v})));
          generators_.push_back(static_cast<std::size_t>(std::ranges::find(neighbors_[0], step) -
                                                         neighbors_[0].begin()));
        }
    }
    return generators_[first_arc_[from] + neighbor];
  }
  void count(const Block& block, std::uint64_t by) {
    for (std::size_t t = 0; t + 1 < block.path.size(); ++t) {
      const auto& next = neighbors_[block.path[t]];
      const auto at = std::ranges::find(next, block.path[t + 1]) - next.begin();
      load(t, block.path[t], static_cast<std::size_t>(at)) += by;
    }
  }

  /// Over the arcs of the least sum of loads.
  void route(Block& block) {
    const auto& [source, destination, path] = block;
    count(block, ~std::uint64_t{0});  // minus one
    const std::uint32_t length = distances_[source][destination];
    sum_.resize(neighbors_.size());
    before_.resize(neighbors_.size());
    std::vector<Node> layer{source};
    sum_[source] = 0;
    for (std::uint32_t t = 0; t < length; ++t) {
      std::vector<Node> next;
      for (const Node u : layer)
        for (std::size_t i = 0; i < neighbors_[u].size(); ++i) {
          const Node v = neighbors_[u][i];
          if (distances_[v][destination] + t + 1 != length) continue;
          ++looks_;
          const std::uint64_t sum = sum_[u] + load(t, u, i);
          const bool is_new = std::ranges::find(next, v) == next.end();
          if (is_new) next.push_back(v);
          if (!is_new && sum >= sum_[v]) continue;
          sum_[v] = sum;
          before_[v] = u;
        }
      layer = std::move(next);
    }
    block.path.assign(length + std::size_t{1}, destination);
    for (std::size_t t = length; t-- > 0;) block.path[t] = before_[block.path[t + 1]];
    count(block, 1);
  }

  [[nodiscard]] Transfers listed() {
    std::ranges::sort(
        blocks_, {}, [](const Block& block) { return std::pair(block.source, block.destination); });
    Transfers plan =
        group_ ? all_one_class(neighbors_.size()) : every_node_a_class(neighbors_.size());
    for (const auto& [source, destination, path] : blocks_)
      for (std::size_t t = 0; t + 1 < path.size(); ++t)
        plan.move_part(t, source, destination, path[t], path[t + 1]);
    plan.sort_by_step();
    return plan;
  }

  std::vector<std::vector<Node>> neighbors_;
  std::optional<AnyCayley> group_;
  std::vector<std::vector<std::uint32_t>> distances_;
  std::vector<std::size_t> first_arc_{0};  // of a node
  std::vector<Block> blocks_;
  std::vector<std::uint64_t> loads_;     // by step and arc, or generator
  std::vector<std::size_t> generators_;  // of arcs
  std::vector<std::uint64_t> sum_;       // of loads on the way to a node
  std::vector<Node> before_;             // the node before it
  std::uint64_t looks_ = 0;
};

/// In networks with switches: the trees of the sources also share the way up to these.
[[nodiscard]] Transfers over_origin_trees(const ErasedTopology& network) {
  OriginTrees::Demand demand{
      .wanted = [processors = network.processor_count()](
                    NodeId source, NodeId v) { return source != v && index(v) < processors; },
      .personalised = false};
  for (std::uint64_t u = 0; u < network.processor_count(); ++u) demand.sources.push_back(NodeId{u});
  const OriginTrees trees(network, std::move(demand));
  Transfers plan = every_node_a_class(network.node_count());
  for (const OriginTrees::Hop& hop : trees.hops())
    plan.move_part(hop.level, index(trees.source(hop.source)), everyone, index(trees.tail(hop)),
                   hop.node);
  return plan;
}

}  // namespace

Transfers gather_over_shortest_paths(const ErasedTopology& network) {
  if (network.processor_count() != network.node_count()) return over_origin_trees(network);
  const auto neighbors = distinct_neighbors(network);
  const auto nodes = static_cast<Node>(neighbors.size());
  const std::size_t degree = std::ranges::max(neighbors, {}, &std::vector<Node>::size).size();
  GrownMatching matching(nodes, degree * nodes);
  Transfers plan = every_node_a_class(nodes);
  for (Node v = 0; v < nodes; ++v) {
    const std::vector<std::uint32_t> to_v = distances_from(network, NodeId{v});
    std::vector<std::vector<std::uint32_t>> to_neighbors;
    for (const Node u : neighbors[v]) to_neighbors.push_back(distances_from(network, NodeId{u}));
    std::vector<std::vector<Node>> sources(std::ranges::max(to_v) + std::size_t{1});  // by distance
    for (Node s = 0; s < nodes; ++s) sources[to_v[s]].push_back(s);
    for (std::size_t distance = 1; distance < sources.size(); ++distance) {
      const std::vector<Node>& own = sources[distance];
      std::size_t most = (own.size() - 1) / neighbors[v].size();
      const auto is_shared = [&] {
        matching.clear();
        ++most;
        return std::ranges::all_of(own, [&](Node s) {
          return matching.add(s, [&](Node source, auto offer) {
            for (std::size_t i = 0; i < to_neighbors.size(); ++i)
              if (to_neighbors[i][source] + 1 == distance)
                for (std::size_t place = 0; place < most; ++place)
                  if (!offer(static_cast<Node>(i * most + place), Port{})) return;
          });
        });
      };
      while (!is_shared()) continue;
      for (const Node s : own)
        plan.move_part(distance - 1, s, everyone, neighbors[v][matching.provider_of(s) / most], v);
    }
  }
  plan.sort_by_step();
  return plan;
}

Transfers exchange_over_shortest_paths(const ErasedTopology& network) {
  return PathBalance(network).plan();
}

}  // namespace lockstep
