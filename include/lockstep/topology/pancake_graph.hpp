// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The pancake graph of n symbols: a node is a permutation; port p turns its first p + 2 symbols
/// round. n! nodes of degree n - 1.
///
///     const PancakeGraph pancake(4);
///     pancake.label(pancake.neighbor(*pancake.find("3241"), Port{1})) == "4231";
///
/// Source: S. B. Akers, B. Krishnamurthy, "A group-theoretic model for symmetric interconnection
/// networks", IEEE Transactions on Computers 38 (1989). No formula is known for the diameter: the
/// values are those computed so far (OEIS A058986).

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "lockstep/topology/symmetric_group_graph.hpp"

namespace lockstep {

class PancakeGraph : public SymmetricGroupGraph {
 public:
  /// Throws InvalidParameter unless 2 <= n <= 12.
  explicit PancakeGraph(std::size_t n) : SymmetricGroupGraph("pancake", n, turned) {}

  /// "first 3 turned".
  [[nodiscard]] std::string port_label(Port p) const {
    return "first " + std::to_string(index(p) + 2) + " turned";
  }

  [[nodiscard]] std::uint64_t diameter() const noexcept {
    constexpr std::array<std::uint8_t, max_symbols + 1> known{0, 0, 1,  3,  4,  5, 7,
                                                              8, 9, 10, 11, 13, 14};
    return known[symbols()];
  }

 private:
  [[nodiscard]] static Permutation turned(std::size_t n, std::size_t p) {
    Permutation x = Permutation::identity(n);
    for (std::size_t i = 0, j = p + 1; i < j; ++i, --j) x = x.with_exchanged(i, j);
    return x;
  }
};

static_assert(CayleyTopology<PancakeGraph>);

}  // namespace lockstep
