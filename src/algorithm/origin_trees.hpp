// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Shortest-path trees from many sources at once, whose arcs share the work: of the neighbours that
/// are one hop closer to the source, a node takes the one whose link has the least to carry so far
/// at that distance. What exchanges along shortest paths run on.
///
///     const OriginTrees trees(network, {.sources = {NodeId{0}, NodeId{3}}, .wanted = wanted});
///     for (const OriginTrees::Hop& hop : trees.hops())   // by distance, then by arc
///       trees.destinations(hop);                         // those that are reached over it

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// Pairs of a source and a node: a moment of planning.
inline constexpr std::uint64_t most_tree_pairs = std::uint64_t{1} << 18U;
/// Some seconds, where no other algorithm is known.
inline constexpr std::uint64_t most_tree_pairs_without_rival = std::uint64_t{1} << 23U;
/// Links that are looked at from all sources.
inline constexpr std::uint64_t most_tree_links = std::uint64_t{1} << 29U;

class OriginTrees {
 public:
  struct Demand {
    std::vector<NodeId> sources{};
    /// Whether a source has something for this node, which is not the source.
    std::function<bool(NodeId source, NodeId node)> wanted{};
    /// Whether every destination has blocks of its own; otherwise all get the same.
    bool personalised = true;
    /// The number of blocks of a source that is not personalised; empty: one block each.
    std::function<std::uint32_t(NodeId source)> blocks{};
  };

  /// One hop in the tree of a source: from the arc's tail to `node`, at `level` hops from the
  /// source. The destinations at and below `node`, itself first, are `count` from `first` on.
  struct Hop {
    std::uint32_t level;
    std::uint32_t arc;
    std::uint32_t source;  ///< its place in Demand::sources
    std::uint32_t node;
    std::uint32_t first;
    std::uint32_t count;
  };

  /// A search per source. Throws InvalidParameter where that would take minutes or gigabytes.
  OriginTrees(const ErasedTopology& network, Demand demand);

  [[nodiscard]] std::span<const Hop> hops() const noexcept { return hops_; }
  [[nodiscard]] NodeId source(std::uint32_t i) const noexcept { return demand_.sources[i]; }
  [[nodiscard]] std::size_t source_count() const noexcept { return demand_.sources.size(); }
  [[nodiscard]] bool personalised() const noexcept { return demand_.personalised; }
  [[nodiscard]] bool is_wanted(std::uint32_t source, std::uint32_t node) const {
    return demand_.wanted(demand_.sources[source], NodeId{node});
  }
  [[nodiscard]] NodeId tail(const Hop& hop) const noexcept { return NodeId{tails_[hop.arc]}; }
  [[nodiscard]] Port port_of(const Hop& hop) const noexcept {
    return port(hop.arc - first_arcs_[tails_[hop.arc]]);
  }
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return hops_.capacity() * sizeof(Hop) + order_.capacity() * sizeof(NodeId) +
           (first_arcs_.capacity() + tails_.capacity()) * sizeof(std::uint32_t);
  }
  /// All of a source, those below a node one after the other.
  [[nodiscard]] std::span<const NodeId> destinations(std::uint32_t source) const noexcept {
    return std::span(order_).subspan(first_destination_[source],
                                     first_destination_[source + 1] - first_destination_[source]);
  }

 private:
  class Search;

  Demand demand_;
  std::vector<std::uint32_t> first_arcs_;  // of a node
  std::vector<std::uint32_t> tails_;       // of an arc
  std::vector<Hop> hops_;
  std::vector<NodeId> order_;
  std::vector<std::size_t> first_destination_{0};
};

}  // namespace lockstep
