// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What pancake and bubble-sort graphs share: a Cayley graph on all permutations of n symbols whose
/// every generator rearranges positions and undoes itself. Nodes are numbered by `rank`
/// (core/permutation.hpp); nothing is tabulated but the generators.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lockstep/core/ids.hpp"
#include "lockstep/core/permutation.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class SymmetricGroupGraph {
 public:
  static constexpr std::size_t min_symbols = 2;
  static constexpr std::size_t max_symbols = 12;

  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::size_t symbols() const noexcept { return symbols_; }
  [[nodiscard]] std::uint64_t node_count() const noexcept { return factorial(symbols_); }
  [[nodiscard]] std::size_t max_degree() const noexcept { return symbols_ - 1; }
  [[nodiscard]] std::size_t degree(NodeId) const noexcept { return symbols_ - 1; }
  [[nodiscard]] NodeKind kind(NodeId) const noexcept { return NodeKind::processor; }

  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const noexcept {
    return node(compose(permutation(u), generators_[index(p)]));
  }
  [[nodiscard]] Port reverse_port(NodeId, Port p) const noexcept { return p; }

  [[nodiscard]] Permutation permutation(NodeId u) const noexcept {
    return unrank(symbols_, index(u));
  }
  /// Precondition: x has symbols() symbols.
  [[nodiscard]] NodeId node(Permutation x) const noexcept { return NodeId{rank(x)}; }

  [[nodiscard]] std::string label(NodeId u) const { return to_paper_label(permutation(u)); }
  [[nodiscard]] std::optional<NodeId> find(const std::string& label) const;

  /// The group: composition of permutations, (a o b)[i] = a[b[i]].
  [[nodiscard]] NodeId identity() const noexcept { return NodeId{0}; }
  [[nodiscard]] NodeId product(NodeId a, NodeId b) const noexcept {
    return node(compose(permutation(a), permutation(b)));
  }
  [[nodiscard]] NodeId inverse(NodeId u) const noexcept { return node(permutation(u).inverse()); }

 protected:
  /// Port p < n - 1 applies generator(n, p), which undoes itself. Throws InvalidParameter, in the
  /// name of the family, unless 2 <= n <= 12.
  SymmetricGroupGraph(std::string_view family, std::size_t n,
                      Permutation (*generator)(std::size_t n, std::size_t p));

 private:
  std::string_view family_;  // a literal
  std::size_t symbols_;
  std::array<Permutation, max_symbols - 1> generators_{};
};

}  // namespace lockstep
