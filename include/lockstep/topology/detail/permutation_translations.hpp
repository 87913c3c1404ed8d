// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Right translations of star, pancake and bubble-sort graphs, whose nodes are numbered by the rank
/// of a permutation: the product of a node and a permutation rearranges the node's label, which is
/// kept for all nodes of S_2 to S_9. The loop over many nodes is vectorised: for consecutive ones
/// on S_7 a product takes 0.3 ns instead of 5. Elements of S_5 touch only the last digits of the
/// node's number: what they add to it is looked up.

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/core/permutation.hpp"
#include "lockstep/topology/symmetric_group_graph.hpp"
#include "lockstep/topology/translations.hpp"

namespace lockstep {

class PermutationTranslations {
 public:
  PermutationTranslations(const SymmetricGroupGraph& graph, std::span<const NodeId> elements);

  [[nodiscard]] static std::uint64_t bytes(const SymmetricGroupGraph& graph,
                                           std::uint64_t elements) noexcept {
    const std::uint64_t words =
        graph.symbols() > vector_symbols ? 0 : (graph.symbols() + word_symbols - 1) / word_symbols;
    return words * graph.node_count() * sizeof(std::uint32_t) + elements * sizeof(Element) +
           small_count * small_count * sizeof(std::uint32_t);
  }

  /// u times element number i.
  [[nodiscard]] NodeId apply(NodeId u, std::uint32_t i) const noexcept {
    const Element& element = elements_[i];
    if (element.node < small_count) return small_product(u, element);
    std::uint32_t product = 0;
    multiply(u, element, {&product, 1});
    return NodeId{product};
  }

  /// The same for the consecutive nodes first, first + 1, ... (plain numbers: the compiler has no
  /// vectors of enumerations).
  void apply(NodeId first, std::uint32_t i, std::span<std::uint32_t> products) const noexcept {
    const Element& element = elements_[i];
    if (element.node >= small_count) return multiply(first, element, products);
    add_differences(static_cast<std::uint32_t>(index(first)), element, products);
  }
  /// The same for any nodes.
  void apply(std::span<const std::uint32_t> nodes, std::uint32_t i,
             std::span<std::uint32_t> products) const noexcept;

 private:
  static constexpr std::uint64_t small_count = 120;  // 5!: differences of 57 kB in all
  static constexpr std::size_t vector_symbols = 9;
  static constexpr std::size_t word_symbols = 8;  // of a label: four bits each

  struct Element {
    std::uint64_t node;
    Permutation permutation;
  };

  [[nodiscard]] NodeId small_product(NodeId u, const Element& element) const noexcept {
    // Modulo 2^32, as all numbers of nodes with translations.
    const auto node = static_cast<std::uint32_t>(index(u));
    return NodeId{node + differences_of(element)[node % small_count]};
  }
  [[nodiscard]] const std::uint32_t* differences_of(const Element& element) const noexcept {
    return differences_.data() + element.node * small_count;
  }
  void add_differences(std::uint32_t first, const Element& element,
                       std::span<std::uint32_t> products) const noexcept;

  /// Without labels.
  [[nodiscard]] std::uint32_t product(NodeId u, const Element& element) const noexcept {
    return static_cast<std::uint32_t>(index(graph_.product(u, NodeId{element.node})));
  }
  void multiply(NodeId first, const Element& element,
                std::span<std::uint32_t> products) const noexcept;
  /// The words of labels that lie one after the other.
  using Labels = std::array<const std::uint32_t*, 2>;
  /// For S_6 to S_9.
  static void multiply_labels(const Labels& labels, Permutation element,
                              std::span<std::uint32_t> products) noexcept;
  template <std::size_t... positions>
  static void multiply_fixed(std::index_sequence<positions...> all, const Labels& labels,
                             Permutation element, std::span<std::uint32_t> products) noexcept;

  SymmetricGroupGraph graph_;
  std::array<std::vector<std::uint32_t>, 2> labels_;  // eight symbols in a word; empty above S_9
  std::vector<Element> elements_;
  /// By element of S_5 and last digits of a node: what the product adds to the node's number.
  std::vector<std::uint32_t> differences_;
};

template <CayleyTopology Group>
requires std::derived_from<Group, SymmetricGroupGraph>
class Translations<Group> : public PermutationTranslations {
 public:
  using PermutationTranslations::PermutationTranslations;
};

}  // namespace lockstep
