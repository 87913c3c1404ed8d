// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/all_gather/ej_gather_loads.hpp"

#include <algorithm>
#include <numeric>

namespace lockstep {
namespace {

constexpr std::size_t ports_of_dimension = 6;

/// Coefficients: entry w belongs to z^w.
using Polynomial = std::vector<std::uint64_t>;

[[nodiscard]] std::uint64_t coefficient(const Polynomial& p, std::size_t w) {
  return w < p.size() ? p[w] : 0;
}

[[nodiscard]] Polynomial sum(const Polynomial& a, const Polynomial& b) {
  Polynomial result(std::max(a.size(), b.size()));
  for (std::size_t w = 0; w < result.size(); ++w) result[w] = coefficient(a, w) + coefficient(b, w);
  return result;
}

[[nodiscard]] Polynomial product(const Polynomial& a, const Polynomial& b) {
  Polynomial result(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) result[i + j] += a[i] * b[j];
  return result;
}

[[nodiscard]] Polynomial power(const Polynomial& a, std::size_t exponent) {
  Polynomial result{1};
  for (std::size_t i = 0; i < exponent; ++i) result = product(result, a);
  return result;
}

/// Residues of one dimension by weight, for each last hop.
using LastHops = std::array<Polynomial, ports_of_dimension>;

/// `chosen`: of the residues other than 0.
template <class Chosen>
[[nodiscard]] LastHops last_hops(const EisensteinJacobiTree& tree, Chosen chosen) {
  LastHops hops;
  hops.fill(Polynomial(tree.depth() + 1));
  for (std::uint64_t r = 1; r < tree.node_count(); ++r)
    if (chosen(NodeId{r})) ++hops[index(tree.parent_port(NodeId{r}))][tree.weight(NodeId{r})];
  return hops;
}

[[nodiscard]] Polynomial all_of(const LastHops& hops) {
  return std::accumulate(hops.begin(), hops.end(), Polynomial{0}, sum);
}

/// of(d): blocks that port k of dimension d, counted from 1, carries in step s = 1, 2, .., for hops
/// P_k, are [z^s] of(d) P_k.
template <class Of>
[[nodiscard]] EjLoads loads_of(const LastHops& hops, std::size_t n, std::uint64_t steps, Of of) {
  EjLoads loads(steps, std::vector<std::uint64_t>(ports_of_dimension * n));
  for (std::size_t d = 1; d <= n; ++d) {
    for (std::size_t k = 0; k < ports_of_dimension; ++k) {
      const Polynomial carried = product(hops[k], of(d));
      for (std::size_t step = 0; step < steps; ++step)
        loads[step][ports_of_dimension * (d - 1) + k] = coefficient(carried, step + 1);
    }
  }
  return loads;
}

[[nodiscard]] auto everything() {
  return [](NodeId) { return true; };
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
  const LastHops hops = last_hops(tree, everything());
  const Polynomial w = sum({1}, all_of(hops));
  return loads_of(hops, n, n * tree.depth(), [&](std::size_t d) { return power(w, n - d); });
}

/// In its turn every dimension is the last one, the last but one, ..
EjLoads ej_rotated_loads(const EisensteinJacobiTree& tree, std::size_t n) {
  const LastHops hops = last_hops(tree, everything());
  const Polynomial w = sum({1}, all_of(hops));
  Polynomial of_all_parts{0};
  for (std::size_t higher = 0; higher < n; ++higher)
    of_all_parts = sum(of_all_parts, power(w, higher));
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
    const Polynomial reached = sum(before, all_of(hops));
    const EjLoads loads = loads_of(hops, n, n * depths[phase], [&](std::size_t d) {
      return product(power(before, d - 1), power(reached, n - d));
    });
    all.insert(all.end(), loads.begin(), loads.end());
    if (relaunch == EjRelaunch::all_blocks)
      before[0] = std::accumulate(reached.begin(), reached.end(), std::uint64_t{0});
  }
  return all;
}

}  // namespace lockstep
