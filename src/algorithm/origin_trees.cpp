// SPDX-License-Identifier: Apache-2.0
#include "algorithm/origin_trees.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"

namespace lockstep {
namespace {

constexpr std::uint64_t most_loads = std::uint64_t{1} << 25U;
constexpr std::uint32_t unseen = std::numeric_limits<std::uint32_t>::max();

}  // namespace

/// The search for the trees of one source after the other.
class OriginTrees::Search {
 public:
  Search(const ErasedTopology& network, OriginTrees& trees) : trees_(trees) {
    const std::uint64_t nodes = network.node_count();
    for (std::uint64_t u = 0; u < nodes; ++u) {
      trees.first_arcs_.push_back(static_cast<std::uint32_t>(trees.tails_.size()));
      trees.tails_.insert(trees.tails_.end(), network.degree(NodeId{u}),
                          static_cast<std::uint32_t>(u));
    }
    trees.first_arcs_.push_back(static_cast<std::uint32_t>(trees.tails_.size()));
    for (std::uint32_t arc = 0; arc < trees.tails_.size(); ++arc) {
      const NodeId u{trees.tails_[arc]};
      const Port p = port(arc - trees.first_arcs_[index(u)]);
      const NodeId v = network.neighbor(u, p);
      heads_.push_back(static_cast<std::uint32_t>(index(v)));
      backs_.push_back(trees.first_arcs_[index(v)] + index(network.reverse_port(u, p)));
    }
    nodes_.resize(nodes);
  }

  void run(std::uint32_t source) {
    walk(static_cast<std::uint32_t>(index(trees_.source(source))));
    grow(source);
    list(source);
  }

 private:
  struct Node {
    std::uint32_t distance = unseen;
    std::uint32_t arc = 0;   // from the parent
    std::uint32_t need = 0;  // destinations at and below it
    std::uint32_t next = 0;  // where the next child's destinations begin
    bool wanted = false;
  };

  [[nodiscard]] std::uint32_t parent_of(const Node& node) const { return trees_.tails_[node.arc]; }

  /// Distances, and all nodes in their order.
  void walk(std::uint32_t root) {
    std::ranges::fill(nodes_, Node{});
    by_distance_.assign(1, root);
    nodes_[root].distance = 0;
    for (std::size_t i = 0; i < by_distance_.size(); ++i) {
      const std::uint32_t u = by_distance_[i];
      for (std::uint32_t arc = trees_.first_arcs_[u]; arc < trees_.first_arcs_[u + 1]; ++arc)
        if (Node& v = nodes_[heads_[arc]]; v.distance == unseen) {
          v.distance = nodes_[u].distance + 1;
          by_distance_.push_back(heads_[arc]);
        }
    }
  }

  /// Parents, the farthest nodes' first.
  void grow(std::uint32_t source) {
    for (std::size_t i = by_distance_.size(); i-- > 1;) {
      const std::uint32_t v = by_distance_[i];
      Node& node = nodes_[v];
      node.wanted = trees_.is_wanted(source, v);
      node.need += static_cast<std::uint32_t>(node.wanted);
      if (node.need == 0) continue;
      std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
      for (std::uint32_t back = trees_.first_arcs_[v]; back < trees_.first_arcs_[v + 1]; ++back)
        if (nodes_[heads_[back]].distance + 1 == node.distance)
          if (const std::uint64_t load = load_of(node.distance, backs_[back]); load < least) {
            least = load;
            node.arc = backs_[back];
          }
      load_of(node.distance, node.arc) += weight(source, node);
      nodes_[parent_of(node)].need += node.need;
    }
  }

  [[nodiscard]] std::uint32_t weight(std::uint32_t source, const Node& node) const {
    if (trees_.demand_.personalised) return node.need;
    return trees_.demand_.blocks ? trees_.demand_.blocks(trees_.source(source)) : 1;
  }

  /// At that distance; of networks with many distances, at any.
  [[nodiscard]] std::uint32_t& load_of(std::uint32_t distance, std::uint32_t arc) {
    const std::uint64_t arcs = trees_.tails_.size();
    const std::uint64_t level = distance * arcs < most_loads ? distance : 0;
    if (loads_.size() <= level * arcs + arc) loads_.resize((level + 1) * arcs);
    return loads_[level * arcs + arc];
  }

  /// Destinations in their order, and hops.
  void list(std::uint32_t source) {
    const std::size_t begin = trees_.order_.size();
    trees_.order_.resize(begin + nodes_[by_distance_.front()].need);
    trees_.first_destination_.push_back(trees_.order_.size());
    for (const std::uint32_t v : by_distance_) {
      Node& node = nodes_[v];
      if (node.need == 0 || node.distance == 0) continue;
      Node& parent = nodes_[parent_of(node)];
      const std::uint32_t first = std::exchange(parent.next, parent.next + node.need);
      node.next = first + static_cast<std::uint32_t>(node.wanted);
      if (node.wanted) trees_.order_[begin + first] = NodeId{v};
      trees_.hops_.push_back({node.distance - 1, node.arc, source, v, first, node.need});
    }
  }

  OriginTrees& trees_;
  std::vector<std::uint32_t> heads_;  // of an arc
  std::vector<std::uint32_t> backs_;  // the arc back
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> by_distance_;
  std::vector<std::uint32_t> loads_;
};

OriginTrees::OriginTrees(const ErasedTopology& network, Demand demand)
    : demand_(std::move(demand)) {
  const std::uint64_t sources = demand_.sources.size();
  const bool has_rival = network.symmetric() || !demand_.personalised;
  const std::uint64_t most = has_rival ? most_tree_pairs : most_tree_pairs_without_rival;
  const std::optional<std::uint64_t> links =
      network.node_count() <= most ? network.link_count() : std::nullopt;
  if (!links || (sources != 0 &&
                 (network.node_count() > most / sources || *links > most_tree_links / sources)))
    throw invalid(
        "{}: the plan of shortest paths from {} to {} is too large (limit {} pairs); "
        "use a smaller network or another algorithm",
        network.name(), counted(sources, "source"), counted(network.node_count(), "node"),
        grouped(most));
  Search search(network, *this);
  for (std::uint32_t i = 0; i < sources; ++i) search.run(i);
  std::ranges::sort(hops_, {},
                    [](const Hop& hop) { return std::tuple(hop.level, hop.arc, hop.source); });
}

}  // namespace lockstep
