// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Between which routes a commutative Cayley graph leaves the choice. Part of
/// lockstep/algorithm/total_exchange/balanced_routes.hpp.

#include <cstdint>
#include <span>
#include <vector>

#include "algorithm/total_exchange/balanced_routes.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/relative_routes.hpp"

namespace lockstep {

enum class Detours : std::uint8_t { none, one_hop };

class RouteAlternatives {
 public:
  using Route = std::span<const Hops>;

  /// More shortest routes to a node than these are thinned out evenly.
  static constexpr std::size_t most_shortest = 24;

  /// Shortest routes; with detours also, behind them, those that are a hop longer because they
  /// begin with a port that comes no closer.
  RouteAlternatives(const AnyCayley& group, const RelativeRoutes& distances, Detours detours);

  [[nodiscard]] std::uint64_t node_count() const noexcept { return first_route_.size() - 1; }
  [[nodiscard]] std::uint32_t count(NodeId g) const noexcept {
    return first_route_[index(g) + 1] - first_route_[index(g)];
  }
  /// How many of them are shortest.
  [[nodiscard]] std::uint32_t shortest(NodeId g) const noexcept { return shortest_[index(g)]; }
  /// By port, ascending.
  [[nodiscard]] Route route(NodeId g, std::uint32_t alternative) const noexcept {
    const std::size_t number = first_route_[index(g)] + alternative;
    return {hops_.data() + first_hop_[number], first_hop_[number + 1] - first_hop_[number]};
  }

 private:
  std::vector<std::uint32_t> first_route_;  ///< of each node
  std::vector<std::uint32_t> shortest_;
  std::vector<std::uint32_t> first_hop_;  ///< of each route
  std::vector<Hops> hops_;
};

}  // namespace lockstep
