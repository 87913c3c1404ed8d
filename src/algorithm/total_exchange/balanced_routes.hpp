// SPDX-License-Identifier: Apache-2.0
#pragma once

/// One route to every relative address of a commutative Cayley graph, chosen so that the ports
/// share the work: the busiest of them has as little to carry as a search can find.
///
///     const BalancedRoutes routes(any_cayley(Ring{5}), Duplex::full);
///     routes.route(NodeId{3});            // {Port{1}, 2}: two hops backwards
///     routes.largest_load() == 3;         // 1 + 2 hops either way
///     routes.least_load() == 3;           // 6 in all, for two ports
///
/// As the group is commutative, the hops of a route may be made in any order: a route is how often
/// it goes through each port. All processors take the same routes, so that what one port carries is
/// what one processor sends through it. On half-duplex links a port and the one that leads back
/// work in turn; their loads count together.
///
/// Routes are shortest, but where these cannot be balanced one may be a hop longer. The search is
/// deterministic and bounded: small neighbourhoods of good choices, and new beginnings.

#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "topology/relative_routes.hpp"

namespace lockstep {

/// So many hops through one port.
struct Hops {
  Port through{};
  std::uint32_t count = 0;

  friend bool operator==(const Hops&, const Hops&) = default;
};

/// Whether the order of a product never matters. O(ports^2).
[[nodiscard]] bool is_commutative(const AnyCayley& group);

/// Whether some port is its own reverse: u is where v goes through it and v where u does.
[[nodiscard]] bool has_self_inverse_generator(const AnyCayley& group);

class BalancedRoutes {
 public:
  /// Precondition: the group is commutative; on half-duplex links, no generator is its own inverse.
  /// Throws InvalidParameter where the graph is too large to tabulate.
  BalancedRoutes(const AnyCayley& group, Duplex duplex);

  [[nodiscard]] std::uint64_t node_count() const noexcept { return first_hop_.size() - 1; }
  /// By port, ascending; none to the identity.
  [[nodiscard]] std::span<const Hops> route(NodeId g) const noexcept {
    return {hops_.data() + first_hop_[index(g)], first_hop_[index(g) + 1] - first_hop_[index(g)]};
  }
  /// Which ports work in turn: a number below the number of ports.
  [[nodiscard]] std::uint32_t machine(Port p) const noexcept { return machines_[index(p)]; }

  /// The hops from one node that the busiest machine carries.
  [[nodiscard]] std::uint64_t largest_load() const noexcept { return largest_load_; }
  /// The least that the busiest machine carries whatever the routes: a fair share of shortest ones.
  [[nodiscard]] std::uint64_t least_load() const noexcept { return least_load_; }
  [[nodiscard]] std::uint64_t hops() const noexcept { return hop_count_; }
  [[nodiscard]] std::uint64_t longest() const noexcept { return longest_; }

 private:
  void keep(const class RouteAlternatives& alternatives, const std::vector<std::uint32_t>& choice);

  std::vector<std::uint32_t> machines_;  ///< of each port
  std::vector<std::uint32_t> first_hop_;
  std::vector<Hops> hops_;
  std::uint64_t largest_load_ = 0;
  std::uint64_t least_load_ = 0;
  std::uint64_t hop_count_ = 0;
  std::uint64_t longest_ = 0;
};

enum class Detours : std::uint8_t { none, one_hop };

/// The routes between which a commutative Cayley graph leaves the choice.
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
