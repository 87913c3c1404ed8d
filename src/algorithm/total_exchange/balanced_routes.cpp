// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/total_exchange/balanced_routes.hpp"

#include <algorithm>

#include "algorithm/total_exchange/route_alternatives.hpp"
#include "algorithm/total_exchange/route_balance.hpp"
#include "lockstep/core/expects.hpp"

namespace lockstep {
namespace {

/// Detours are looked for in graphs of so many ports in all; larger ones have routes enough to
/// choose from.
constexpr std::uint64_t most_ports_for_detours = 20'000;

[[nodiscard]] std::size_t port_count(const AnyCayley& group) {
  return group.degree(group.identity());
}

/// On half-duplex links a port and its reverse are one machine.
[[nodiscard]] std::vector<std::uint32_t> machines_of(const AnyCayley& group, Duplex duplex) {
  std::vector<std::uint32_t> machines;
  for (std::size_t p = 0; p < port_count(group); ++p) {
    const std::size_t back = index(group.reverse_port(group.identity(), port(p)));
    expects(duplex == Duplex::full || back != p, "half duplex: no generator is its own inverse");
    machines.push_back(static_cast<std::uint32_t>(duplex == Duplex::full ? p : std::min(p, back)));
  }
  return machines;
}

[[nodiscard]] std::uint64_t quotient_rounded_up(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b == 0 ? 0 : 1);
}

[[nodiscard]] std::uint64_t largest_distance(const RelativeRoutes& distances) {
  std::uint64_t largest = 0;
  for (std::uint64_t g = 0; g < distances.node_count(); ++g)
    largest = std::max<std::uint64_t>(largest, distances.distance(NodeId{g}));
  return largest;
}

}  // namespace

bool is_commutative(const AnyCayley& group) {
  std::vector<NodeId> generators;
  for (std::size_t p = 0; p < port_count(group); ++p)
    generators.push_back(group.neighbor(group.identity(), port(p)));
  for (std::size_t i = 0; i < generators.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (group.product(generators[i], generators[j]) !=
          group.product(generators[j], generators[i]))
        return false;
  return true;
}

bool has_self_inverse_generator(const AnyCayley& group) {
  for (std::size_t p = 0; p < port_count(group); ++p)
    if (group.reverse_port(group.identity(), port(p)) == port(p)) return true;
  return false;
}

BalancedRoutes::BalancedRoutes(const AnyCayley& group, Duplex duplex)
    : machines_(machines_of(group, duplex)), first_hop_{0} {
  const RelativeRoutes distances(group);
  const std::size_t machine_count =
      duplex == Duplex::full ? machines_.size() : machines_.size() / 2;
  if (machine_count > 0) least_load_ = quotient_rounded_up(distances.status(), machine_count);
  // A route of that length takes as many steps, whatever the loads.
  const std::uint64_t enough = std::max(least_load_, largest_distance(distances));
  const RouteAlternatives shortest(group, distances, Detours::none);
  RouteBalance balance(shortest, machines_);
  balance.level();
  balance.search(enough);
  if (balance.largest_load() > enough &&
      group.node_count() * machines_.size() <= most_ports_for_detours) {
    const RouteAlternatives longer(group, distances, Detours::one_hop);
    RouteBalance wider(longer, machines_);
    wider.choose(balance.choice());
    wider.search(enough);
    keep(longer, wider);
  } else {
    keep(shortest, balance);
  }
}

void BalancedRoutes::keep(const RouteAlternatives& alternatives, const RouteBalance& balance) {
  for (std::uint64_t g = 0; g < alternatives.node_count(); ++g) {
    std::uint64_t length = 0;
    for (const Hops& hops : alternatives.route(NodeId{g}, balance.choice()[g])) {
      hops_.push_back(hops);
      length += hops.count;
    }
    first_hop_.push_back(static_cast<std::uint32_t>(hops_.size()));
    hop_count_ += length;
    longest_ = std::max(longest_, length);
  }
  largest_load_ = balance.largest_load();
}

}  // namespace lockstep
