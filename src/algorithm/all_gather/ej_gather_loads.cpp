// SPDX-License-Identifier: Apache-2.0
#include "algorithm/all_gather/ej_gather_loads.hpp"

#include <algorithm>
#include <boost/math/tools/polynomial.hpp>
#include <numeric>
#include <utility>

namespace lockstep {
namespace {

constexpr std::size_t ports_of_dimension = 6;

using Polynomial = boost::math::tools::polynomial<std::uint64_t>;

[[nodiscard]] Polynomial power(const Polynomial& a, std::size_t exponent) {
  return pow(a, static_cast<int>(exponent));
}

/// Residues of one dimension by weight, for each last hop.
using LastHops = std::array<Polynomial, ports_of_dimension>;

/// `chosen`: of the residues other than 0.
[[nodiscard]] LastHops last_hops(const EisensteinJacobiTree& tree, auto chosen) {
  std::array<std::vector<std::uint64_t>, ports_of_dimension> counts;
  counts.fill(std::vector<std::uint64_t>(tree.depth() + 1));
  for (std::uint64_t r = 1; r < tree.node_count(); ++r)
    if (chosen(NodeId{r})) ++counts[index(tree.parent_port(NodeId{r}))][tree.weight(NodeId{r})];
  LastHops hops;
  for (std::size_t k = 0; k < hops.size(); ++k) hops[k] = Polynomial(counts[k]);
  return hops;
}

constexpr auto all_residues = [](NodeId) { return true; };

/// Those of all last hops, and what was there before.
[[nodiscard]] Polynomial all_of(const LastHops& hops, const Polynomial& before) {
  return std::accumulate(hops.begin(), hops.end(), before);
}

/// of(d): blocks that port k of dimension d, counted from 1, carries in step s = 1, 2, .., for hops
/// P_k, are [z^s] of(d) P_k.
[[nodiscard]] EjLoads loads_of(const LastHops& hops, std::size_t n, std::uint64_t steps, auto of) {
  EjLoads loads(steps, std::vector<std::uint64_t>(ports_of_dimension * n));
  for (std::size_t d = 1; d <= n; ++d) {
    for (std::size_t k = 0; k < ports_of_dimension; ++k) {
      const Polynomial carried = hops[k] * of(d);
      for (std::size_t step = 1; step < carried.size(); ++step)
        loads[step - 1][ports_of_dimension * (d - 1) + k] = carried[step];
    }
  }
  return loads;
}

}  // namespace

std::array<std::uint64_t, 3> ej_phase_depths(const EisensteinJacobiTree& tree) {
  std::array<std::uint64_t, 3> depths{};
  for (std::uint64_t r = 1; r < tree.node_count(); ++r) {
    std::uint64_t& depth = depths.at(ej_phase_of(tree.sector(NodeId{r})));
    depth = std::max<std::uint64_t>(depth, tree.weight(NodeId{r}));
  }
  return depths;
}

EjLoads ej_simultaneous_loads(const EisensteinJacobiTree& tree, std::size_t n) {
  const LastHops hops = last_hops(tree, all_residues);
  const Polynomial w = all_of(hops, {1});
  return loads_of(hops, n, n * tree.depth(), [&](std::size_t d) { return power(w, n - d); });
}

/// In its turn every dimension is the last one, the last but one, ..
EjLoads ej_rotated_loads(const EisensteinJacobiTree& tree, std::size_t n) {
  const LastHops hops = last_hops(tree, all_residues);
  const Polynomial w = all_of(hops, {1});
  Polynomial of_all_parts;
  for (std::size_t higher = 0; higher < n; ++higher) of_all_parts += power(w, higher);
  return loads_of(hops, n, n * tree.depth(), [&](std::size_t) { return of_all_parts; });
}

EjLoads ej_in_substeps(const EjLoads& loads) {
  EjLoads halves;
  for (const std::vector<std::uint64_t>& step : loads) {
    for (const bool first : {true, false}) {
      std::vector<std::uint64_t> half = step;
      for (std::size_t port = 0; port < half.size(); ++port)
        if (ej_first_substep(port % ports_of_dimension) != first) half[port] = 0;
      halves.push_back(std::move(half));
    }
  }
  return halves;
}

/// With Q the residues of a phase and B those of the earlier ones, 0 among them: where all blocks
/// are sent anew, coordinates of lower dimensions may be in B, those of higher ones in B or Q.
EjLoads ej_three_phase_loads(const EisensteinJacobiTree& tree, std::size_t n, EjRelaunch relaunch) {
  const std::array<std::uint64_t, 3> depths = ej_phase_depths(tree);
  EjLoads all;
  Polynomial before{1};
  for (std::size_t phase = 0; phase < depths.size(); ++phase) {
    const LastHops hops =
        last_hops(tree, [&](NodeId r) { return ej_phase_of(tree.sector(r)) == phase; });
    const Polynomial reached = all_of(hops, before);
    const EjLoads loads = loads_of(hops, n, n * depths[phase], [&](std::size_t d) {
      return power(before, d - 1) * power(reached, n - d);
    });
    all.insert(all.end(), loads.begin(), loads.end());
    if (relaunch == EjRelaunch::all_blocks) before[0] = reached(std::uint64_t{1});
  }
  return all;
}

std::vector<Phase> ej_three_phases(const EisensteinJacobiTree& tree, std::size_t n) {
  constexpr std::array<const char*, 3> names{"1: sectors 6, 1", "2: sectors 2, 3",
                                             "3: sectors 4, 5"};
  std::vector<Phase> phases;
  std::uint64_t first_step = 0;
  for (std::size_t p = 0; p < names.size(); ++p) {
    phases.push_back({names.at(p), first_step});
    first_step += n * ej_phase_depths(tree).at(p);
  }
  return phases;
}

}  // namespace lockstep
