// SPDX-License-Identifier: Apache-2.0
#include "papers/star/costs.hpp"

#include <array>
#include <string>
#include <vector>

#include "algorithm/all_gather/star_mesh.hpp"
#include "algorithm/star_promises.hpp"
#include "catalog/ranking.hpp"
#include "core/formula.hpp"
#include "core/invalid.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/permutation.hpp"
#include "lockstep/cost/model.hpp"
#include "topology/star_distances.hpp"

namespace lockstep::star_costs {
namespace {

/// Any number: no cost of the paper has control words.
constexpr std::size_t block_bytes = 64;

void check_symbols(std::size_t n) {
  if (n < 2 || n > max_star_distance_symbols)
    throw InvalidParameter("packing: " + std::to_string(n) + " symbols; allowed: 2.." +
                           std::to_string(max_star_distance_symbols));
}

/// Keeps every cost below 2^127: a coefficient has less than 63 bits.
void check_ratio(const Fraction& ratio) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 62U;
  if (ratio.numerator() > limit || ratio.denominator() > limit)
    throw InvalidParameter("t_s/t_m: " + ratio.text() + "; allowed: terms up to 2^62");
}

}  // namespace

Fraction mean_distance(std::size_t n, std::size_t k) {
  const std::uint64_t sum = star_distance_sum(n, k);  // checks n and k
  return Fraction{sum, factorial(n) / factorial(k)};
}

Cost packing(std::size_t n, std::size_t k) {
  check_symbols(n);
  if (k < 1 || k >= n)
    throw InvalidParameter("k: " + std::to_string(k) + " is not valid; expected 1.." +
                           std::to_string(n - 1));
  if (k == 1) return star_promises::packing(std::array{n, k});
  return star_promises::packing(std::array{n, k, std::size_t{1}});
}

std::optional<Fraction> least_ratio_for_packing(std::size_t n, std::size_t k) {
  return break_even(packing(n, k), packing(n, 1), block_bytes);
}

Cost by_formulas(const AlgorithmInfo& info, std::size_t n) {
  if (n < 3 || n > 20) throw invalid("{}: {} symbols; allowed: 3..20", info.name, n);
  const formulas::Scope star{.names = {{"n", n}}};
  return {formulas::evaluate(info.startups, star).fraction().rounded_up(),
          formulas::evaluate(info.message_times, star).fraction()};
}

std::optional<Fraction> least_ratio_for_mesh(std::size_t n) {
  return break_even(by_formulas(StarMesh::info, n), by_formulas(StarHamiltonianRing::info, n),
                    block_bytes);
}

std::size_t best_k(std::size_t n, const Fraction& ratio) {
  check_symbols(n);
  check_ratio(ratio);
  std::vector<catalog::Ranked> of_each_k;
  for (std::size_t k = 1; k < n; ++k) of_each_k.push_back({packing(n, k)});
  return 1 + catalog::first_of(of_each_k, {.t_s = ratio.value()}, block_bytes);
}

}  // namespace lockstep::star_costs
