// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Distances by breadth-first search on any topology of fewer than 2^32 - 1 nodes. Tests compare
/// closed forms with them.
///
///     level_sizes(StarGraph{4}, NodeId{0})      // 1, 3, 6, 9, 5 nodes at distance 0, 1, 2, 3, 4
///     diameter(Hypercube{5}) == 5
///
/// Every search takes O(arcs) time and 8 bytes per node. A Cayley graph looks the same from every
/// node, so that one search answers for the network; otherwise there is one from every node.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "lockstep/core/detail/std_basics.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

/// The distance of an unreachable node; valid topologies have none.
inline constexpr std::uint32_t unreachable = std::numeric_limits<std::uint32_t>::max();

namespace metrics_detail {
/// Throws InvalidParameter where node numbers would not fit 32 bits.
void check_searchable(const std::string& name, std::uint64_t node_count);
/// How often each distance occurs; `unreachable` does not count.
[[nodiscard]] std::vector<std::uint64_t> histogram(const std::vector<std::uint32_t>& distances);
/// Sum of d * levels[d].
[[nodiscard]] std::uint64_t sum(const std::vector<std::uint64_t>& levels) noexcept;
}  // namespace metrics_detail

/// The distance of every node from `root`. Throws InvalidParameter where there are too many nodes.
template <Topology T>
[[nodiscard]] std::vector<std::uint32_t> distances_from(const T& network, NodeId root) {
  metrics_detail::check_searchable(network.name(), network.node_count());
  std::vector<std::uint32_t> distances(network.node_count(), unreachable);
  std::vector<std::uint32_t> reached;  // in order of their distance
  reached.reserve(network.node_count());
  distances[index(root)] = 0;
  reached.push_back(static_cast<std::uint32_t>(index(root)));
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const NodeId u{reached[next]};
    const std::size_t degree = network.degree(u);
    for (std::size_t p = 0; p < degree; ++p) {
      const std::uint64_t v = index(network.neighbor(u, port(p)));
      if (distances[v] != unreachable) continue;
      distances[v] = distances[index(u)] + 1;
      reached.push_back(static_cast<std::uint32_t>(v));
    }
  }
  return distances;
}

/// The distance distribution: how many nodes lie at distance 0, 1, 2, ... from `root`.
template <Topology T>
[[nodiscard]] std::vector<std::uint64_t> level_sizes(const T& network, NodeId root) {
  return metrics_detail::histogram(distances_from(network, root));
}

/// The distance distribution of a product from those of its factors, where distances add up: entry
/// d is the sum of one[i] * other[d - i].
[[nodiscard]] std::vector<std::uint64_t> product_level_sizes(std::span<const std::uint64_t> one,
                                                             std::span<const std::uint64_t> other);

/// Formulas do not write out distributions that are longer.
inline constexpr std::uint64_t max_levels = 10'000;

/// The largest distance from `root`.
template <Topology T>
[[nodiscard]] std::uint64_t eccentricity(const T& network, NodeId root) {
  return level_sizes(network, root).size() - 1;
}

/// Over all nodes, `root` itself included.
template <Topology T>
[[nodiscard]] std::uint64_t sum_of_distances(const T& network, NodeId root) {
  return metrics_detail::sum(level_sizes(network, root));
}

/// The largest distance of all. One search in a Cayley graph, else one per node.
template <Topology T>
[[nodiscard]] std::uint64_t diameter(const T& network) {
  const std::uint64_t roots = CayleyTopology<T> ? 1 : network.node_count();
  std::uint64_t largest = 0;
  for (std::uint64_t root = 0; root < roots; ++root)
    largest = std::max(largest, eccentricity(network, NodeId{root}));
  return largest;
}

/// Over all ordered pairs of nodes, a node with itself included, as the papers count. As many
/// searches as diameter().
template <Topology T>
[[nodiscard]] double mean_distance(const T& network) {
  const std::uint64_t roots = CayleyTopology<T> ? 1 : network.node_count();
  std::uint64_t sum = 0;
  for (std::uint64_t root = 0; root < roots; ++root) sum += sum_of_distances(network, NodeId{root});
  return static_cast<double>(sum) / static_cast<double>(roots) /
         static_cast<double>(network.node_count());
}

/// Distances from one node to all others.
struct NodeDistances {
  std::uint64_t degree = 0;
  std::uint64_t eccentricity = 0;
  std::uint64_t status = 0;  ///< sum of the distances to all others

  friend bool operator==(const NodeDistances&, const NodeDistances&) = default;
};

/// Some of the nodes, and the links that leave these.
struct Cut {
  std::uint64_t nodes = 0;
  std::uint64_t links = 0;  ///< 0: there is no such cut

  friend bool operator==(const Cut&, const Cut&) = default;
};

/// That with more pairs of a node inside and one outside for each link.
[[nodiscard]] Cut narrower(const Cut& one, const Cut& other, std::uint64_t node_count);

/// The cut of a product that cuts `copies` copies of a factor alike; none where more than 64 bits
/// count its links.
[[nodiscard]] Cut cut_of_copies(const Cut& cut, std::uint64_t copies);

/// Arcs that stand for each other, of which every pair of nodes needs a number that is known: those
/// of one factor of a product, those of some generators of a group. Of one of the copies of which
/// the network consists.
struct ArcClass {
  std::uint64_t nodes = 0;  ///< of a copy
  std::uint64_t arcs = 0;   ///< of a copy, in this class
  std::uint64_t uses = 0;   ///< of these, at least, by a message of every node to every other

  friend bool operator==(const ArcClass&, const ArcClass&) = default;
};

/// The nodes of one level of a network of switches.
struct Level {
  std::uint64_t nodes = 0;
  std::uint64_t children = 0;  ///< of each, on the level below
  std::uint64_t parents = 0;   ///< of each, on the level above
  std::uint64_t lanes = 0;     ///< of a link to a child

  friend bool operator==(const Level&, const Level&) = default;
};

/// Properties of a network whose nodes differ.
struct DistanceFigures {
  std::vector<NodeDistances> nodes;
  Cut narrowest;  ///< of the nodes within any distance of any of them, and of what its family knows
  std::vector<ArcClass> classes{};  ///< as arc_classes.hpp says
};

/// One search from every node.
template <Topology T>
[[nodiscard]] DistanceFigures distance_figures(const T& network) {
  DistanceFigures figures;
  for (std::uint64_t root = 0; root < network.node_count(); ++root) {
    const std::vector<std::uint32_t> distances = distances_from(network, NodeId{root});
    const std::vector<std::uint64_t> levels = metrics_detail::histogram(distances);
    std::vector<std::uint64_t> links(levels.size());  // from each level to the next
    for (std::uint64_t u = 0; u < network.node_count(); ++u)
      for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
        links[distances[u]] += static_cast<std::uint64_t>(
            distances[index(network.neighbor(NodeId{u}, port(p)))] > distances[u]);
    figures.nodes.push_back(
        {network.degree(NodeId{root}), levels.size() - 1, metrics_detail::sum(levels)});
    std::uint64_t inside = 0;
    for (std::size_t d = 0; d + 1 < levels.size(); ++d) {
      inside += levels[d];
      figures.narrowest = narrower(figures.narrowest, {inside, links[d]}, network.node_count());
    }
  }
  return figures;
}

/// Number of undirected links: half the sum of the degrees.
template <Topology T>
[[nodiscard]] std::uint64_t link_count(const T& network) {
  if constexpr (CayleyTopology<T>) return network.node_count() * network.max_degree() / 2;
  std::uint64_t arcs = 0;
  for (std::uint64_t u = 0; u < network.node_count(); ++u) arcs += network.degree(NodeId{u});
  return arcs / 2;
}

}  // namespace lockstep
