// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The search for routes that load the busiest machine least: a choice of one alternative per node.
/// Part of lockstep/algorithm/total_exchange/balanced_routes.hpp.

#include <cstdint>
#include <random>
#include <vector>

#include "algorithm/total_exchange/route_alternatives.hpp"

namespace lockstep {

class RouteBalance {
 public:
  /// Both are kept by reference. Every node begins with its first alternative.
  RouteBalance(const RouteAlternatives& alternatives, const std::vector<std::uint32_t>& machines);

  [[nodiscard]] std::uint64_t largest_load() const;
  [[nodiscard]] const std::vector<std::uint32_t>& choice() const noexcept { return choice_; }

  /// A choice made before, of fewer or as many alternatives.
  void choose(const std::vector<std::uint32_t>& choice);
  /// As even as it gets when no single route can be exchanged for the better.
  void level();
  /// Looks for choices whose largest load is less, down to `enough`; keeps the best.
  void search(std::uint64_t enough);

 private:
  using Route = RouteAlternatives::Route;

  void add(Route route, std::int64_t sign);
  void take(NodeId g, std::uint32_t alternative);
  template <class Cost>
  [[nodiscard]] bool improve(NodeId g, Cost cost);
  template <class Cost>
  void descend(Cost cost);
  [[nodiscard]] bool reach(std::uint64_t target);
  void begin_anew();

  const RouteAlternatives& alternatives_;
  const std::vector<std::uint32_t>& machines_;
  std::vector<NodeId> open_;  ///< nodes that have a choice
  std::vector<std::uint32_t> choice_;
  std::vector<std::int64_t> loads_;
  std::int64_t looks_ = 0;  ///< hops that were weighed: the measure of the effort
  std::mt19937_64 random_{1916};
};

}  // namespace lockstep
