// SPDX-License-Identifier: Apache-2.0
#include "algorithm/total_exchange/balanced_routes.hpp"

#include <algorithm>
#include <random>

#include "lockstep/core/expects.hpp"
#include "lockstep/core/fraction.hpp"

namespace lockstep {
namespace {

using OwnRoute = std::vector<Hops>;

/// Nodes, the closest first.
[[nodiscard]] std::vector<NodeId> by_distance(const RelativeRoutes& distances) {
  std::vector<NodeId> nodes;
  nodes.reserve(distances.node_count());
  for (std::uint64_t g = 0; g < distances.node_count(); ++g) nodes.push_back(NodeId{g});
  std::ranges::stable_sort(nodes, {}, [&](NodeId g) { return distances.distance(g); });
  return nodes;
}

[[nodiscard]] OwnRoute with_hop(RouteAlternatives::Route route, Port through) {
  OwnRoute longer(route.begin(), route.end());
  const auto at =
      std::ranges::find_if(longer, [&](const Hops& hops) { return hops.through >= through; });
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
  /// The node that is left to reach without the hop through p. In a commutative group the hop may
  /// as well have been the last.
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

/// Detours are looked for in graphs of so many ports in all; larger ones have routes enough to
/// choose from.
constexpr std::uint64_t most_ports_for_detours = 20'000;

/// A tenth of a second, or two.
constexpr std::int64_t most_looks = 20'000'000;
constexpr int most_beginnings = 100;

/// The sum of the squares of all loads is least where they are even.
struct Squares {
  [[nodiscard]] std::int64_t operator()(std::int64_t load, std::int64_t more) const noexcept {
    return more * (2 * load + more);
  }
};

/// The excess of loads above the target, in squares; loads below it do not count.
struct Excess {
  std::int64_t target;

  [[nodiscard]] std::int64_t operator()(std::int64_t load, std::int64_t more) const noexcept {
    const std::int64_t before = std::max<std::int64_t>(0, load - target);
    const std::int64_t after = std::max<std::int64_t>(0, load + more - target);
    return after * after - before * before;
  }
};

/// The search for routes that load the busiest machine least: a choice of one alternative per node.
class RouteBalance {
 public:
  /// Both are kept by reference. Every node begins with its first alternative.
  RouteBalance(const RouteAlternatives& alternatives, const std::vector<std::uint32_t>& machines)
      : alternatives_(alternatives),
        machines_(machines),
        choice_(alternatives.node_count()),
        loads_(machines.size()) {
    for (std::uint64_t g = 0; g < alternatives.node_count(); ++g) {
      if (alternatives.count(NodeId{g}) > 1) open_.push_back(NodeId{g});
      add(alternatives.route(NodeId{g}, 0), +1);
    }
  }

  [[nodiscard]] std::uint64_t largest_load() const {
    if (loads_.empty()) return 0;
    return static_cast<std::uint64_t>(*std::ranges::max_element(loads_));
  }
  [[nodiscard]] const std::vector<std::uint32_t>& choice() const noexcept { return choice_; }

  /// A choice made before, of fewer or as many alternatives.
  void choose(const std::vector<std::uint32_t>& choice) {
    for (const NodeId g : open_) take(g, choice[index(g)]);
  }

  /// As even as it gets when no single route can be exchanged for the better.
  void level() { descend(Squares{}); }

  /// Looks for choices whose largest load is less, down to `enough`; keeps the best.
  void search(std::uint64_t enough) {
    std::vector<std::uint32_t> best = choice_;
    std::uint64_t least = largest_load();
    for (int beginning = 0; beginning < most_beginnings && looks_ < most_looks; ++beginning) {
      if (beginning > 0) begin_anew();
      while (least > enough && reach(least - 1)) {
        least = largest_load();
        best = choice_;
      }
      if (least <= enough) break;
    }
    choose(best);
  }

 private:
  using Route = RouteAlternatives::Route;

  void add(Route route, std::int64_t sign) {
    for (const Hops& hops : route)
      loads_[machines_[index(hops.through)]] += sign * std::int64_t{hops.count};
  }

  void take(NodeId g, std::uint32_t alternative) {
    add(alternatives_.route(g, choice_[index(g)]), -1);
    choice_[index(g)] = alternative;
    add(alternatives_.route(g, alternative), +1);
  }

  /// The machines of one route differ, so that their costs add up.
  [[nodiscard]] bool improve(NodeId g, auto cost) {
    const std::uint32_t before = choice_[index(g)];
    add(alternatives_.route(g, before), -1);
    const auto cost_of = [&](std::uint32_t alternative) {
      std::int64_t sum = 0;
      for (const Hops& hops : alternatives_.route(g, alternative)) {
        sum += cost(loads_[machines_[index(hops.through)]], std::int64_t{hops.count});
        ++looks_;
      }
      return sum;
    };
    std::uint32_t best = before;
    std::int64_t least = cost_of(before);
    for (std::uint32_t i = 0; i < alternatives_.count(g); ++i)
      if (const std::int64_t own = cost_of(i); own < least) {
        least = own;
        best = i;
      }
    choice_[index(g)] = best;
    add(alternatives_.route(g, best), +1);
    return best != before;
  }

  void descend(auto cost) {
    for (bool improved = true; improved && looks_ < most_looks;) {
      improved = false;
      for (const NodeId g : open_) improved = improve(g, cost) || improved;
    }
  }

  [[nodiscard]] bool reach(std::uint64_t target) {
    descend(Excess{static_cast<std::int64_t>(target)});
    return largest_load() <= target;
  }

  void begin_anew() {
    for (const NodeId g : open_)
      take(g, static_cast<std::uint32_t>(random_() % alternatives_.shortest(g)));
  }

  const RouteAlternatives& alternatives_;
  const std::vector<std::uint32_t>& machines_;
  std::vector<NodeId> open_;  ///< nodes that have a choice
  std::vector<std::uint32_t> choice_;
  std::vector<std::int64_t> loads_;
  std::int64_t looks_ = 0;  ///< hops that were weighed: the measure of the effort
  std::mt19937_64 random_{1916};
};

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

[[nodiscard]] std::uint64_t largest_distance(const RelativeRoutes& distances) {
  std::uint64_t largest = 0;
  for (std::uint64_t g = 0; g < distances.node_count(); ++g)
    largest = std::max<std::uint64_t>(largest, distances.distance(NodeId{g}));
  return largest;
}

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
  if (machine_count > 0) least_load_ = Fraction(distances.status(), machine_count).rounded_up();
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
    largest_load_ = wider.largest_load();
    keep(longer, wider.choice());
  } else {
    largest_load_ = balance.largest_load();
    keep(shortest, balance.choice());
  }
}

void BalancedRoutes::keep(const RouteAlternatives& alternatives,
                          const std::vector<std::uint32_t>& choice) {
  for (std::uint64_t g = 0; g < alternatives.node_count(); ++g) {
    std::uint64_t length = 0;
    for (const Hops& hops : alternatives.route(NodeId{g}, choice[g])) {
      hops_.push_back(hops);
      length += hops.count;
    }
    first_hop_.push_back(static_cast<std::uint32_t>(hops_.size()));
    hop_count_ += length;
    longest_ = std::max(longest_, length);
  }
}

}  // namespace lockstep
