// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The bubble-sort graph of n symbols: a node is a permutation; port p exchanges the symbols at the
/// positions p and p + 1. n! nodes of degree n - 1.
///
///     const BubbleSortGraph bubble(4);
///     bubble.label(bubble.neighbor(*bubble.find("3241"), Port{1})) == "3421";
///
/// Source: S. B. Akers, B. Krishnamurthy, "A group-theoretic model for symmetric interconnection
/// networks", IEEE Transactions on Computers 38 (1989). The distance of two nodes is the number of
/// pairs of symbols they order differently; diameter n (n-1) / 2.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/topology/symmetric_group_graph.hpp"

namespace lockstep {

class BubbleSortGraph : public SymmetricGroupGraph {
 public:
  /// Throws InvalidParameter unless 2 <= n <= 12.
  explicit BubbleSortGraph(std::size_t n) : SymmetricGroupGraph("bubble-sort", n, exchanged) {}

  /// "positions 2, 3", counted from 1.
  [[nodiscard]] std::string port_label(Port p) const {
    return "positions " + std::to_string(index(p) + 1) + ", " + std::to_string(index(p) + 2);
  }

  /// Closed forms; tests hold them against breadth-first search.
  [[nodiscard]] std::uint64_t diameter() const noexcept { return symbols() * (symbols() - 1) / 2; }
  /// Permutations by inversions: symbol i adds 0..i of them.
  [[nodiscard]] std::vector<std::uint64_t> level_sizes() const;

 private:
  [[nodiscard]] static Permutation exchanged(std::size_t n, std::size_t p) {
    return Permutation::identity(n).with_exchanged(p, p + 1);
  }
};

static_assert(CayleyTopology<BubbleSortGraph>);

}  // namespace lockstep
