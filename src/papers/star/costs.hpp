// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Quantities of the star paper's analysis, from the closed forms (algorithm/star_promises.hpp):
/// mean distances, the ratios t_s/t_m from which packing pays, and the best packing factor for a
/// ratio. All exact: ties are ties. InvalidParameter outside the sizes given.
///
///     star_costs::mean_distance(5, 3) == Fraction{49, 20};
///     star_costs::least_ratio_for_packing(5, 3);              // 0.15023...: table 2
///     star_costs::best_k(7, Fraction{100, 1});                // 3
///
/// Source: Tseng, Chang, Sheu, "Efficient all-to-all broadcast in star graph interconnection
/// networks", sections III.2 and IV.2.

#include <cstddef>
#include <optional>

#include "lockstep/core/fraction.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/cost.hpp"

namespace lockstep::star_costs {

/// l(n, k): mean distance from a node of S_n to its substars of k symbols. 1 <= k <= n <= 19.
[[nodiscard]] Fraction mean_distance(std::size_t n, std::size_t k);

/// T(n, k), eq. (1): packing with the one factor k; k = 1 is the algorithm without packing.
/// 1 <= k < n <= 19 (k = n would be an empty outer level, the same as k = 1).
[[nodiscard]] Cost packing(std::size_t n, std::size_t k);

/// Eq. (2), table 2: the t_s/t_m above which T(n, k) < T(n, 1). 0: at every ratio; empty: at none.
[[nodiscard]] std::optional<Fraction> least_ratio_for_packing(std::size_t n, std::size_t k);

/// The formulas of an algorithm of star graphs, also for n that no machine runs. 3 <= n <= 20; of
/// the level-wise total exchange, n <= 19.
[[nodiscard]] Cost by_formulas(const AlgorithmInfo& info, std::size_t n);

/// Eq. (5), table 3: the t_s/t_m above which the all-gather on the mesh beats the Hamiltonian ring:
/// 5/((n-1)! - 6) for n >= 5, empty for n = 3, 4. 3 <= n <= 20.
[[nodiscard]] std::optional<Fraction> least_ratio_for_mesh(std::size_t n);

/// The k, 1 <= k < n, with the least T(n, k) at that t_s/t_m; the smallest of several. 2 <= n
/// <= 19.
[[nodiscard]] std::size_t best_k(std::size_t n, const Fraction& ratio);

}  // namespace lockstep::star_costs
