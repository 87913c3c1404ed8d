// SPDX-License-Identifier: Apache-2.0
#include "topology/star_distances.hpp"

#include <string>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/permutation.hpp"

namespace lockstep {

std::uint64_t star_distance_sum(std::size_t n, std::size_t k) {
  if (k < 1 || k > n || n > max_star_distance_symbols)
    throw InvalidParameter("star_distance_sum: n = " + std::to_string(n) +
                           ", k = " + std::to_string(k) +
                           ", allowed 1 <= k <= n <= " + std::to_string(max_star_distance_symbols));
  // Everything over the common denominator k!: N l = (n!/k!) l, and n! / m is whole for m <= n.
  if (n == k) return 0;
  const std::uint64_t nodes = factorial(n);
  std::uint64_t sum = nodes / n * (n - k) * (n + k - 3);  // n > k: n + k >= 3
  for (std::size_t m = k + 1; m <= n; ++m) sum += nodes / m;
  return sum / factorial(k);
}

}  // namespace lockstep
