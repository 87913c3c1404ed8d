// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The star graph S_n: a node is a permutation x of n symbols; port p exchanges the symbols at the
/// positions 0 and p + 1. n! nodes of degree n - 1, diameter floor(3 (n-1) / 2), bipartite.
///
///     const StarGraph star{4};
///     const NodeId u = star.node(permutation_from_label("3241"));
///     star.label(star.neighbor(u, star.from_paper_dimension(4))) == "1243";
///
/// Nodes are numbered by `rank` (core/permutation.hpp), last symbol most significant: the ports
/// 0..k-2 never leave a block of k! consecutive numbers, which is the substar *^k y_{k+1}..y_n.
/// The papers count positions, symbols and dimensions from 1: their dimension i is port i - 2.
///
/// Source: S. B. Akers, D. Harel, B. Krishnamurthy, "The star graph: an attractive alternative to
/// the n-cube", ICPP 1987.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/core/permutation.hpp"
#include "lockstep/topology/symmetric_group_graph.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

namespace star_detail {

/// Positions 0..7 are looked up, higher ones computed: 8! two-byte entries stay in the cache.
inline constexpr std::size_t tabulated_symbols = 8;
inline constexpr std::uint32_t tabulated_nodes = 40'320;  // 8!

/// The beginning of the table of the exchange of positions 0 and i: 2! + 3! + ... + i!.
inline constexpr std::array<std::uint32_t, 9> exchange_offsets{0,   0,   2,     8,     32,
                                                               152, 872, 5'912, 46'232};

/// Shared by all star graphs, built when the first is made; 254 kB.
struct Tables {
  /// exchanged[exchange_offsets[i] + r]: rank r < (i+1)! after the exchange of positions 0 and i.
  std::array<std::uint16_t, exchange_offsets.back()> exchanged;
  /// Rank of 8 symbols <-> 8 * (rank of positions 1..7 among themselves) + symbol at position 0.
  std::array<std::uint16_t, tabulated_nodes> split;
  std::array<std::uint16_t, tabulated_nodes> joined;
};

[[nodiscard]] const Tables& tables();

/// Rank r < (i+1)! after the exchange of positions 0 and i, for 8 <= i <= 11.
[[nodiscard]] std::uint64_t exchanged_far(const Tables& tables, std::uint64_t r,
                                          std::size_t i) noexcept;

/// Distance of x from the identity, by its cycles. O(n).
[[nodiscard]] std::size_t distance_from_identity(Permutation x) noexcept;

}  // namespace star_detail

class StarGraph : public SymmetricGroupGraph {
 public:
  static constexpr Knows knows =
      SymmetricGroupGraph::knows | Knows::diameter | Knows::level_sizes | Knows::port_label;
  /// Throws InvalidParameter unless 2 <= n <= 12.
  explicit StarGraph(std::size_t n);

  /// A few nanoseconds: one table entry for p <= 6, some dozen instructions above.
  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const noexcept;

  /// Closed forms; tests hold them against breadth-first search.
  [[nodiscard]] std::size_t distance(NodeId u, NodeId v) const noexcept;
  [[nodiscard]] std::size_t diameter() const noexcept { return 3 * (symbols() - 1) / 2; }
  [[nodiscard]] std::vector<std::uint64_t> level_sizes() const;

  /// The papers call the exchange with the i-th symbol, 2 <= i <= n, dimension i.
  [[nodiscard]] static constexpr std::size_t to_paper_dimension(Port p) noexcept {
    return std::size_t{index(p)} + 2;
  }
  /// Throws InvalidParameter unless 2 <= dimension <= n.
  [[nodiscard]] Port from_paper_dimension(std::size_t dimension) const;
  /// "dimension 4".
  [[nodiscard]] std::string port_label(NodeId, Port p) const {
    return "dimension " + std::to_string(to_paper_dimension(p));
  }

 private:
  const star_detail::Tables* tables_;
};

inline NodeId StarGraph::neighbor(NodeId u, Port p) const noexcept {
  const std::size_t i = std::size_t{index(p)} + 1;  // positions 0 and i are exchanged
  const std::uint64_t blocks = permutation_detail::by_factorial[i + 1].quotient(index(u));
  const std::uint64_t start = blocks * permutation_detail::factorials[i + 1];
  const std::uint64_t r = index(u) - start;
  if (i < star_detail::tabulated_symbols)
    return NodeId{start + tables_->exchanged[star_detail::exchange_offsets[i] + r]};
  return NodeId{start + star_detail::exchanged_far(*tables_, r, i)};
}

static_assert(CayleyTopology<StarGraph>);
template <>
inline constexpr bool laws_are_proven<StarGraph> = true;
extern template std::shared_ptr<const TopologyInterface> topology_model(StarGraph);

}  // namespace lockstep
