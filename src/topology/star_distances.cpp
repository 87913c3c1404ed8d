// SPDX-License-Identifier: Apache-2.0
#include "topology/star_distances.hpp"

#include <string>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/permutation.hpp"

namespace lockstep {

std::uint64_t star_distance_sum(std::size_t n, std::size_t k) {
  if (k < 1 || k > n || n > max_star_distance_symbols)
    throw InvalidParameter(
        "star_distance_sum: n = " + std::to_string(n) + ", k = " + std::to_string(k) +
        "; allowed: 1 <= k <= n <= " + std::to_string(max_star_distance_symbols));
  // Everything over the common denominator k!: N l = (n!/k!) l, and n! / m is whole for m <= n.
  if (n == k) return 0;
  const std::uint64_t nodes = factorial(n);
  std::uint64_t sum = nodes / n * (n - k) * (n + k - 3);  // n > k: n + k >= 3
  for (std::size_t m = k + 1; m <= n; ++m) sum += nodes / m;
  return sum / factorial(k);
}

std::vector<std::uint64_t> star_level_sizes(std::size_t n) {
  if (n < 2 || n > max_star_distance_symbols)
    throw InvalidParameter("star_level_sizes: n = " + std::to_string(n) + "; allowed: 2.." +
                           std::to_string(max_star_distance_symbols));
  // cycles[m][c]: permutations of m symbols without fixed points, in c cycles. The last symbol
  // joins a cycle of the others, or makes one with one of them.
  std::vector<std::vector<std::uint64_t>> cycles(n + 1, std::vector<std::uint64_t>(n + 1, 0));
  cycles[0][0] = 1;
  for (std::size_t m = 2; m <= n; ++m)
    for (std::size_t c = 1; 2 * c <= m; ++c)
      cycles[m][c] = (m - 1) * (cycles[m - 1][c] + cycles[m - 2][c - 1]);

  std::vector<std::uint64_t> levels(3 * (n - 1) / 2 + 1, 0);
  std::uint64_t choices = 1;  // of the m moved positions beside the first: n-1 choose m
  for (std::size_t m = 0; m < n; ++m) {
    for (std::size_t c = 0; 2 * c <= m; ++c)  // the first position stays
      if (cycles[m][c] != 0) levels[m + c] += choices * cycles[m][c];
    for (std::size_t c = 1; 2 * c <= m + 1; ++c)  // the first position moves, and m others
      levels[m + c - 1] += choices * cycles[m + 1][c];
    choices = choices * (n - 1 - m) / (m + 1);
  }
  return levels;
}

}  // namespace lockstep
