// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Distances from a node of S_n to its substars, in closed form. The costs of the star graph's
/// algorithms are made of them (algorithm/star_promises.hpp); tests hold them against breadth-first
/// search.
///
///     star_distance_sum(5, 1) == 442    // to all 120 nodes
///     star_distance_sum(5, 3) == 49     // to the nearest node of each of the 20 substars

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep {

/// The largest n for which n! times a distance of S_n fits 64 bits.
inline constexpr std::size_t max_star_distance_symbols = 19;

/// Sum of the distances from a node of S_n to all n!/k! substars of k symbols, the own one
/// included: N l(n, k) with N = n!/k! and
///     l(n, k) = (n-k)(n+k-3)/n + H_n - H_k,   H_m = 1 + 1/2 + ... + 1/m.
/// k = 1: the sum of the distances to all nodes. Exact, O(n); throws InvalidParameter unless
/// 1 <= k <= n <= 19.
/// Source: derived in closed form (the star paper describes l(n, k) in words, section III.2).
[[nodiscard]] std::uint64_t star_distance_sum(std::size_t n, std::size_t k);

/// The distance distribution of S_n: how many nodes lie at distance 0, 1, ..., 3(n-1)/2 from any
/// node. Throws InvalidParameter unless 2 <= n <= 19.
/// Source: permutations counted by their cycles; a cycle of L >= 2 symbols costs L + 1 steps, or
/// L - 1 if the first position is in it (spec of the distance in star_graph.hpp).
[[nodiscard]] std::vector<std::uint64_t> star_level_sizes(std::size_t n);

}  // namespace lockstep
