// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Right translations of the star graph: the product of a node and a permutation rearranges the
/// node's label, which is kept for all nodes (8 n! bytes), in fields of six bits that hold four times
/// the symbol, so that the rank needs no multiplication to find a nibble. For consecutive nodes the
/// loop is vectorised: 1 ns a product instead of 5. Elements of S_5 touch only the last digits of
/// the node's number: they are looked up.

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/core/permutation.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "lockstep/topology/translations.hpp"

namespace lockstep {

template <>
class Translations<StarGraph> {
 public:
  Translations(const StarGraph& star, std::span<const NodeId> elements);

  [[nodiscard]] static std::uint64_t bytes(const StarGraph& star, std::uint64_t elements) noexcept {
    return star.node_count() * sizeof(std::uint64_t) + elements * sizeof(Element) +
           small_count * small_count;
  }

  /// u times element number i.
  [[nodiscard]] NodeId apply(NodeId u, std::uint32_t i) const noexcept {
    const Element& element = elements_[i];
    if (element.node < small_count) return small_product(u, element);
    NodeId product;
    multiply(u, element, {&product, 1});
    return product;
  }

  /// The same for the consecutive nodes first, first + 1, ...
  void apply(NodeId first, std::uint32_t i, std::span<NodeId> products) const noexcept {
    const Element& element = elements_[i];
    if (element.node >= small_count) return multiply(first, element, products);
    for (std::size_t k = 0; k < products.size(); ++k)
      products[k] = small_product(NodeId{index(first) + k}, element);
  }

 private:
  static constexpr std::uint64_t small_count = 120;  // 5!: one-byte products, 14 kB in all
  static constexpr unsigned field_bits = 6;          // ten symbols in a word, two in the second

  struct Element {
    std::uint64_t node;
    Permutation permutation;
  };

  [[nodiscard]] NodeId small_product(NodeId u, const Element& element) const noexcept {
    const std::uint64_t low = index(u) % small_count;
    return NodeId{index(u) - low + small_products_[low * small_count + element.node]};
  }

  void multiply(NodeId first, const Element& element, std::span<NodeId> products) const noexcept;
  template <std::size_t... positions>
  void multiply_fixed(std::index_sequence<positions...> all, NodeId first, Permutation element,
                      std::span<NodeId> products) const noexcept;

  StarGraph star_;
  std::vector<std::uint64_t> labels_;  // empty above ten symbols
  std::vector<Element> elements_;
  std::vector<std::uint8_t> small_products_;
};

}  // namespace lockstep
