// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/star_graph.hpp"

#include "core/invalid.hpp"
#include "topology/star_distances.hpp"

namespace lockstep {

namespace star_detail {

namespace {

/// 8 * (rank of positions 1..7 among themselves) + symbol at position 0.
std::uint64_t split_rank(Permutation x) {
  std::uint64_t others = 0;
  for (std::size_t l = 1; l < tabulated_symbols; ++l) {
    const std::uint64_t among_others = x[l] - (x[l] > x[0] ? 1U : 0U);
    others |= among_others << (4 * (l - 1));
  }
  const Permutation pattern = Permutation::from_packed(others, tabulated_symbols - 1);
  return rank(pattern) * tabulated_symbols + x[0];
}

/// 1 if a >= b, else 0, for small numbers: a comparison here would become a branch, and guessing it
/// wrong costs more than all the rest of exchanged_far.
constexpr std::uint64_t at_least(std::uint64_t a, std::uint64_t b) noexcept {
  return 1 - ((a - b) >> 63);
}

std::unique_ptr<const Tables> build_tables() {
  auto tables = std::make_unique<Tables>();
  for (std::size_t i = 1; i < tabulated_symbols; ++i)
    for (std::uint64_t r = 0; r < factorial(i + 1); ++r)
      tables->exchanged[exchange_offsets[i] + r] =
          static_cast<std::uint16_t>(rank(unrank(i + 1, r).with_exchanged(0, i)));
  for (std::uint64_t r = 0; r < tabulated_nodes; ++r) {
    const std::uint64_t split = split_rank(unrank(tabulated_symbols, r));
    tables->split[r] = static_cast<std::uint16_t>(split);
    tables->joined[split] = static_cast<std::uint16_t>(r);
  }
  return tables;
}

}  // namespace

const Tables& tables() {
  static const std::unique_ptr<const Tables> shared = build_tables();
  return *shared;
}

// Works on relative symbols: the symbol at position j counted among positions 0..j is j - d_j,
// whatever stands higher. First pass, upwards: the symbol at position 0 grows by one for every
// later symbol below it. The exchange happens at position i. Second pass, downwards: the same with
// the new symbol at position 0, until only the tabulated positions are left.
std::uint64_t exchanged_far(const Tables& tables, std::uint64_t r, std::size_t i) noexcept {
  using permutation_detail::by_factorial;
  using permutation_detail::factorials;
  std::array<std::uint64_t, StarGraph::max_symbols> among_others{};  // position 0 left out

  std::uint64_t blocks = by_factorial[tabulated_symbols].quotient(r);
  const std::uint64_t split = tables.split[r - blocks * tabulated_nodes];
  std::uint64_t first = split % tabulated_symbols;  // the symbol at position 0
  for (std::size_t j = tabulated_symbols; j < i; ++j) {
    const std::uint64_t larger_blocks = by_factorial[j + 1].quotient(r);
    const std::uint64_t symbol = j - (blocks - larger_blocks * (j + 1));
    blocks = larger_blocks;
    first += at_least(first, symbol);
    among_others[j] = symbol - at_least(symbol, first);  // never equal
  }
  const std::uint64_t last = i - blocks;
  first += at_least(first, last);

  std::uint64_t result = (i - first) * factorials[i];
  first = last - at_least(last, first);
  for (std::size_t j = i; j-- > tabulated_symbols;) {
    const std::uint64_t above = at_least(among_others[j], first);
    result += (j - among_others[j] - above) * factorials[j];
    first -= 1 - above;
  }
  return result + tables.joined[split - split % tabulated_symbols + first];
}

std::size_t distance_from_identity(Permutation x) noexcept {
  std::size_t distance = 0;
  std::uint32_t seen = 0;
  for (std::size_t start = 0; start < x.size(); ++start) {
    if (((seen >> start) & 1U) != 0 || x[start] == start) continue;
    std::size_t length = 0;
    for (std::size_t at = start; ((seen >> at) & 1U) == 0; at = x[at]) {
      seen |= 1U << at;
      ++length;
    }
    distance += start == 0 ? length - 1 : length + 1;
  }
  return distance;
}

}  // namespace star_detail

StarGraph::StarGraph(std::size_t n)
    : SymmetricGroupGraph("star", n), tables_(&star_detail::tables()) {}

// Left translation by the inverse of u moves u to the identity and keeps distances.
std::size_t StarGraph::distance(NodeId u, NodeId v) const noexcept {
  return star_detail::distance_from_identity(compose(permutation(u).inverse(), permutation(v)));
}

std::vector<std::uint64_t> StarGraph::level_sizes() const { return star_level_sizes(symbols()); }

Port StarGraph::from_paper_dimension(std::size_t dimension) const {
  if (dimension < 2 || dimension > symbols())
    throw invalid("{}: dimension {}; allowed: 2..{}", name(), dimension, symbols());
  return port(dimension - 2);
}

}  // namespace lockstep
