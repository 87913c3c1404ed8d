// SPDX-License-Identifier: Apache-2.0
#include "topology/star_routing.hpp"

#include <optional>

#include "core/invalid.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "topology/star_distances.hpp"

namespace lockstep {

std::uint64_t star_distance_sum(std::size_t n, std::size_t k) {
  if (k < 1 || k > n || n > max_star_distance_symbols)
    throw invalid("star_distance_sum: n = {}, k = {}; allowed: 1 <= k <= n <= {}", n, k,
                  max_star_distance_symbols);
  // Everything over the common denominator k!: N l = (n!/k!) l, and n! / m is whole for m <= n.
  if (n == k) return 0;
  const std::uint64_t nodes = factorial(n);
  std::uint64_t sum = nodes / n * (n - k) * (n + k - 3);  // n > k: n + k >= 3
  for (std::size_t m = k + 1; m <= n; ++m) sum += nodes / m;
  return sum / factorial(k);
}

std::vector<std::uint64_t> star_level_sizes(std::size_t n) {
  if (n < 2 || n > max_star_distance_symbols)
    throw invalid("star_level_sizes: n = {}; allowed: 2..{}", n, max_star_distance_symbols);
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

namespace {

void check_sizes(std::size_t a, std::size_t b) {
  if (b < 1 || b > a || a > Permutation::max_size)
    throw invalid(
        "substars of {} symbols in a star graph of {} symbols; allowed: 1 <= {} <= {} <= {}", b, a,
        b, a, Permutation::max_size);
}

/// The position whose symbol is to be exchanged with the first one; none on arrival.
std::optional<std::size_t> next_exchange(Permutation x, Substar to,
                                         Permutation position_in_target) {
  const auto fixed_in_target = [&](std::size_t symbol) {
    return position_in_target[symbol] >= to.size;
  };
  if (fixed_in_target(x[0])) return position_in_target[x[0]];  // R4
  for (std::size_t i = 1; i < x.size(); ++i)                   // R3
    if (fixed_in_target(x[i]) && position_in_target[x[i]] != i) return i;
  return std::nullopt;
}

}  // namespace

StarRoute star_route(Permutation from, Substar to) {
  expects(from.size() == to.member.size(), "a route stays among the same symbols");
  expects(to.size >= 1, "a substar has at least one symbol");
  const Permutation position_in_target = to.member.inverse();
  StarRoute route{.ports = {}, .end = from};
  while (const auto i = next_exchange(route.end, to, position_in_target)) {
    route.ports.push_back(port(*i - 1));
    route.end = route.end.with_exchanged(0, *i);
  }
  return route;
}

std::uint64_t substar_count(std::size_t a, std::size_t b) {
  check_sizes(a, b);
  return factorial(a) / factorial(b);
}

// In the list of all permutations sorted as words, every b!-th starts a new arrangement of the
// first a - b symbols, followed by the rest in ascending order; turned by b positions this is the
// member wanted.
Substar substar(std::size_t a, std::size_t b, std::uint64_t t) {
  if (t >= substar_count(a, b))
    throw invalid("substar {} of {} symbols in a star graph of {}; allowed: 0..{}", t, b, a,
                  substar_count(a, b) - 1);
  const Permutation word = lexicographic_unrank(a, t * factorial(b));
  std::uint64_t packed = 0;
  for (std::size_t i = 0; i < a; ++i) packed |= std::uint64_t{word[i]} << (4 * ((i + b) % a));
  return {.size = b, .member = Permutation::from_packed(packed, a)};
}

std::vector<StarRoute> star_routes(std::size_t a, std::size_t b) {
  const std::uint64_t count = substar_count(a, b);
  std::vector<StarRoute> routes;
  routes.reserve(count);
  for (std::uint64_t t = 0; t < count; ++t)
    routes.push_back(star_route(Permutation::identity(a), substar(a, b, t)));
  return routes;
}

}  // namespace lockstep
