// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Cayley graphs on all permutations of n symbols: n! nodes, n - 1 ports, and every generator
/// rearranges positions and undoes itself. What they share, and two of the families; the star graph
/// is star_graph.hpp. Nodes are numbered by `rank` (core/permutation.hpp); nothing is tabulated.
///
///     const BubbleSortGraph bubble(4);
///     bubble.label(bubble.neighbor(*bubble.find("3241"), Port{1})) == "3421";
///     const PancakeGraph pancake(4);
///     pancake.label(pancake.neighbor(*pancake.find("3241"), Port{1})) == "4231";

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/core/permutation.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class SymmetricGroupGraph {
 public:
  static constexpr Knows knows = Knows::find | Knows::permutation;
  static constexpr std::size_t min_symbols = 2;
  static constexpr std::size_t max_symbols = 12;

  /// "star:7".
  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::size_t symbols() const noexcept { return symbols_; }
  [[nodiscard]] std::uint64_t node_count() const noexcept { return node_count_; }
  [[nodiscard]] std::size_t max_degree() const noexcept { return symbols_ - 1; }
  [[nodiscard]] std::size_t degree(NodeId) const noexcept { return symbols_ - 1; }
  /// A generator undoes itself: both ends call the link by the same port.
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
  /// Throws InvalidParameter, in the name of the family, unless 2 <= n <= 12.
  SymmetricGroupGraph(std::string_view family, std::size_t n);

 private:
  std::string_view family_;  // a literal
  std::size_t symbols_;
  std::uint64_t node_count_;
};

template <CayleyTopology Group>
class Translations;
/// Defined in topology/detail/permutation_translations.hpp; faster than the general template.
template <CayleyTopology Group>
requires std::derived_from<Group, SymmetricGroupGraph>
class Translations<Group>;

/// The bubble-sort graph of n symbols: port p exchanges the symbols at the positions p and p + 1.
/// Source: S. B. Akers, B. Krishnamurthy, "A group-theoretic model for symmetric interconnection
/// networks", IEEE Transactions on Computers 38 (1989). The distance of two nodes is the number of
/// pairs of symbols they order differently; diameter n (n-1) / 2.
class BubbleSortGraph : public SymmetricGroupGraph {
 public:
  static constexpr Knows knows =
      SymmetricGroupGraph::knows | Knows::port_label | Knows::diameter | Knows::level_sizes;
  /// Throws InvalidParameter unless 2 <= n <= 12.
  explicit BubbleSortGraph(std::size_t n) : SymmetricGroupGraph("bubble-sort", n) {}

  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const noexcept {
    return node(permutation(u).with_exchanged(index(p), std::size_t{index(p)} + 1));
  }
  /// "positions 2, 3", counted from 1.
  [[nodiscard]] std::string port_label(NodeId, Port p) const {
    return "positions " + std::to_string(index(p) + 1) + ", " + std::to_string(index(p) + 2);
  }

  /// Closed forms; tests hold them against breadth-first search.
  [[nodiscard]] std::uint64_t diameter() const noexcept { return symbols() * (symbols() - 1) / 2; }
  /// Permutations by inversions: symbol i adds 0..i of them.
  [[nodiscard]] std::vector<std::uint64_t> level_sizes() const;
};

/// The pancake graph of n symbols: port p turns the first p + 2 symbols round.
/// Source: as the bubble-sort graph. No formula is known for the diameter: the values are those
/// computed so far (OEIS A058986).
class PancakeGraph : public SymmetricGroupGraph {
 public:
  static constexpr Knows knows = SymmetricGroupGraph::knows | Knows::port_label | Knows::diameter;
  /// Throws InvalidParameter unless 2 <= n <= 12.
  explicit PancakeGraph(std::size_t n) : SymmetricGroupGraph("pancake", n) {}

  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const noexcept {
    Permutation x = permutation(u);
    for (std::size_t i = 0, j = std::size_t{index(p)} + 1; i < j; ++i, --j)
      x = x.with_exchanged(i, j);
    return node(x);
  }
  /// "first 3 turned".
  [[nodiscard]] std::string port_label(NodeId, Port p) const {
    return "first " + std::to_string(index(p) + 2) + " turned";
  }

  [[nodiscard]] std::uint64_t diameter() const noexcept {
    constexpr std::array<std::uint8_t, max_symbols + 1> known{0, 0, 1,  3,  4,  5, 7,
                                                              8, 9, 10, 11, 13, 14};
    return known[symbols()];
  }
};

static_assert(CayleyTopology<BubbleSortGraph>);
template <>
inline constexpr bool laws_are_proven<BubbleSortGraph> = true;
extern template std::shared_ptr<const TopologyInterface> topology_model(BubbleSortGraph);
static_assert(CayleyTopology<PancakeGraph>);
template <>
inline constexpr bool laws_are_proven<PancakeGraph> = true;
extern template std::shared_ptr<const TopologyInterface> topology_model(PancakeGraph);

}  // namespace lockstep
