// SPDX-License-Identifier: Apache-2.0
#include "algorithm/total_exchange/route_alternatives.hpp"

#include <algorithm>

namespace lockstep {
namespace {

using Route = RouteAlternatives::Route;
using OwnRoute = std::vector<Hops>;

/// Nodes, the closest first.
[[nodiscard]] std::vector<NodeId> by_distance(const RelativeRoutes& distances) {
  std::vector<NodeId> nodes;
  nodes.reserve(distances.node_count());
  for (std::uint64_t g = 0; g < distances.node_count(); ++g) nodes.push_back(NodeId{g});
  std::stable_sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) {
    return distances.distance(a) < distances.distance(b);
  });
  return nodes;
}

[[nodiscard]] OwnRoute with_hop(Route route, Port through) {
  OwnRoute longer(route.begin(), route.end());
  const auto at = std::find_if(longer.begin(), longer.end(),
                               [&](const Hops& hops) { return hops.through >= through; });
  if (at != longer.end() && at->through == through)
    ++at->count;
  else
    longer.insert(at, {through, 1});
  return longer;
}

/// Routes as they are found, nearer nodes first.
class Finder {
 public:
  Finder(const AnyCayley& group, const RelativeRoutes& distances)
      : group_(group), distances_(distances), routes_(group.node_count()) {
    for (std::size_t p = 0; p < group.degree(group.identity()); ++p)
      back_.push_back(group.reverse_port(group.identity(), port(p)));
    const std::vector<NodeId> nodes = by_distance(distances);
    for (const NodeId g : nodes) find_shortest(g);
  }

  [[nodiscard]] const std::vector<OwnRoute>& shortest(NodeId g) const { return routes_[index(g)]; }

  [[nodiscard]] std::vector<OwnRoute> detours(NodeId g) const {
    std::vector<OwnRoute> found;
    if (g == group_.identity()) return found;
    for (std::size_t p = 0; p < back_.size(); ++p) {
      const NodeId rest = without(g, p);
      if (distances_.distance(rest) != distances_.distance(g)) continue;
      for (const OwnRoute& route : shortest(rest)) found.push_back(with_hop(route, port(p)));
    }
    return found;
  }

 private:
  /// Where a hop through p is still to be made: commutative, it may as well have been the last.
  [[nodiscard]] NodeId without(NodeId g, std::size_t p) const {
    return group_.neighbor(g, back_[p]);
  }

  /// A route is found where its highest port was put last, so that none is found twice.
  void find_shortest(NodeId g) {
    std::vector<OwnRoute>& found = routes_[index(g)];
    const std::uint32_t distance = distances_.distance(g);
    if (distance == 0) found.emplace_back();
    if (distance == 1) found.push_back(OwnRoute{{distances_.first(g), 1}});
    if (distance < 2) return;
    for (std::size_t p = 0; p < back_.size(); ++p) {
      const NodeId rest = without(g, p);
      if (distances_.distance(rest) + 1 != distance) continue;
      for (const OwnRoute& route : shortest(rest))
        if (route.back().through <= port(p)) found.push_back(with_hop(route, port(p)));
    }
    thin_out(found);
  }

  static void thin_out(std::vector<OwnRoute>& found) {
    constexpr std::size_t most = RouteAlternatives::most_shortest;
    if (found.size() <= most) return;
    for (std::size_t i = 0; i < most; ++i) found[i].swap(found[i * found.size() / most]);
    found.resize(most);
  }

  const AnyCayley& group_;
  const RelativeRoutes& distances_;
  std::vector<Port> back_;
  std::vector<std::vector<OwnRoute>> routes_;
};

}  // namespace

RouteAlternatives::RouteAlternatives(const AnyCayley& group, const RelativeRoutes& distances,
                                     Detours detours)
    : first_route_{0}, first_hop_{0} {
  const Finder finder(group, distances);
  const auto add = [this](const std::vector<OwnRoute>& routes) {
    for (const OwnRoute& route : routes) {
      hops_.insert(hops_.end(), route.begin(), route.end());
      first_hop_.push_back(static_cast<std::uint32_t>(hops_.size()));
    }
  };
  for (std::uint64_t g = 0; g < group.node_count(); ++g) {
    add(finder.shortest(NodeId{g}));
    shortest_.push_back(static_cast<std::uint32_t>(finder.shortest(NodeId{g}).size()));
    if (detours == Detours::one_hop) add(finder.detours(NodeId{g}));
    first_route_.push_back(static_cast<std::uint32_t>(first_hop_.size() - 1));
  }
}

}  // namespace lockstep
