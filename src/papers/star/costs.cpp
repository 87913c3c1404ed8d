// SPDX-License-Identifier: Apache-2.0
#include "papers/star/costs.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include "lockstep/algorithm/star_promises.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/permutation.hpp"
#include "lockstep/cost/model.hpp"
#include "topology/star_distances.hpp"

namespace lockstep::star_costs {
namespace {

void check_symbols(std::size_t n) {
  if (n < 2 || n > max_star_distance_symbols)
    throw InvalidParameter("packing: " + std::to_string(n) + " symbols, allowed 2.." +
                           std::to_string(max_star_distance_symbols));
}

/// Keeps every cost below 2^127: a coefficient has less than 63 bits.
void check_ratio(const Fraction& ratio) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 62U;
  if (ratio.numerator() > limit || ratio.denominator() > limit)
    throw InvalidParameter("t_s/t_m: " + ratio.text() + ", allowed terms up to 2^62");
}

/// The cost in units of t_m / denominator of the ratio.
WideCount cost(const Promise& promise, const Fraction& ratio) {
  return WideCount{promise.startups} * ratio.numerator() +
         WideCount{promise.message_times} * ratio.denominator();
}

}  // namespace

Fraction mean_distance(std::size_t n, std::size_t k) {
  const std::uint64_t sum = star_distance_sum(n, k);  // checks n and k
  return Fraction{sum, factorial(n) / factorial(k)};
}

Promise packing(std::size_t n, std::size_t k) {
  check_symbols(n);
  if (k < 1 || k >= n)
    throw InvalidParameter("k: " + std::to_string(k) + " given, allowed 1.." +
                           std::to_string(n - 1));
  if (k == 1) return star_promises::packing(std::array{n, k});
  return star_promises::packing(std::array{n, k, std::size_t{1}});
}

std::optional<Fraction> least_ratio_for_packing(std::size_t n, std::size_t k) {
  return break_even(packing(n, k), packing(n, 1));
}

std::optional<Fraction> least_ratio_for_mesh(std::size_t n) {
  return break_even(star_promises::mesh_all_gather(n), star_promises::ring_all_gather(n));
}

std::size_t best_k(std::size_t n, const Fraction& ratio) {
  check_symbols(n);
  check_ratio(ratio);
  std::size_t best = 1;
  for (std::size_t k = 2; k < n; ++k)
    if (cost(packing(n, k), ratio) < cost(packing(n, best), ratio)) best = k;
  return best;
}

std::vector<std::size_t> best_chain(std::size_t n, const Fraction& ratio) {
  check_symbols(n);
  check_ratio(ratio);
  // A level costs the same whatever the chain around it, so that the best chain from a symbols goes
  // on with the best one from the next factor. Ordered by cost, length, symbols.
  using Candidate = std::tuple<WideCount, std::size_t, std::vector<std::size_t>>;
  std::vector<Candidate> best_from(n + 1);
  best_from[1] = {0, 1, {1}};
  for (std::size_t a = 2; a <= n; ++a) {
    for (std::size_t b = 1; b < a; ++b) {
      const auto& [inner_cost, inner_length, inner] = best_from[b];
      std::vector<std::size_t> chain{a};
      chain.insert(chain.end(), inner.begin(), inner.end());
      Candidate candidate{cost(star_promises::packing_level(n, a, b), ratio) + inner_cost,
                          inner_length + 1, std::move(chain)};
      if (b == 1 || candidate < best_from[a]) best_from[a] = std::move(candidate);
    }
  }
  return std::get<2>(best_from[n]);
}

}  // namespace lockstep::star_costs
