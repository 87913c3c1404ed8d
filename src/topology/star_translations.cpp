// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/star_translations.hpp"

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

/// Field i of a label word: four times the symbol at position i. Symbols above the tenth position
/// do not fit; nodes with more are multiplied by way of their permutations.
constexpr std::size_t fields = 10;

std::uint64_t label_word(Permutation x, unsigned field_bits) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < std::min(fields, x.size()); ++i)
    word |= std::uint64_t{4 * x[i]} << (field_bits * i);
  return word;
}

}  // namespace

Translations<StarGraph>::Translations(const StarGraph& star, std::span<const NodeId> elements)
    : star_(star), small_products_(small_count * small_count) {
  if (star.symbols() <= fields) {
    labels_.resize(star.node_count());
    for (std::uint64_t u = 0; u < star.node_count(); ++u)
      labels_[u] = label_word(star.permutation(NodeId{u}), field_bits);
  }
  elements_.reserve(elements.size());
  for (const NodeId element : elements)
    elements_.push_back({index(element), star.permutation(element)});
  // Products in S_5, or in S_n where that is all there is.
  const std::size_t symbols = std::min<std::size_t>(5, star.symbols());
  const std::uint64_t count = factorial(symbols);
  for (std::uint64_t a = 0; a < count; ++a)
    for (std::uint64_t b = 0; b < count; ++b)
      small_products_[a * small_count + b] =
          static_cast<std::uint8_t>(rank(compose(unrank(symbols, a), unrank(symbols, b))));
}

/// core/permutation.hpp's rank of label o element, written out for each position: only then does
/// the compiler turn the loop over nodes into vector instructions.
template <std::size_t... positions>
void Translations<StarGraph>::multiply_fixed(std::index_sequence<positions...>, NodeId first,
                                             Permutation element,
                                             std::span<NodeId> products) const noexcept {
  constexpr std::uint64_t one_in_each_nibble = 0x1111'1111'1111'1111;
  constexpr std::uint64_t field = (std::uint64_t{1} << field_bits) - 1;
  const std::uint64_t shifts[] = {field_bits * element[positions]...};
  const std::uint64_t* const labels = labels_.data() + index(first);
  const std::size_t count = products.size();
  NodeId* const out = products.data();
  for (std::size_t k = 0; k < count; ++k) {
    std::uint64_t product = 0;
    std::uint64_t greater_seen = 0;  // nibble s: how many symbols above s stood further left
    (
        [&] {
          const std::uint64_t nibble = (labels[k] >> shifts[positions]) & field;
          product += ((greater_seen >> nibble) & 15U) * factorial(positions);
          greater_seen += one_in_each_nibble & ((std::uint64_t{1} << nibble) - 1);
        }(),
        ...);
    out[k] = NodeId{product};
  }
}

void Translations<StarGraph>::multiply(NodeId first, const Element& element,
                                       std::span<NodeId> products) const noexcept {
  switch (star_.symbols()) {
    case 6:
      return multiply_fixed(std::make_index_sequence<6>{}, first, element.permutation, products);
    case 7:
      return multiply_fixed(std::make_index_sequence<7>{}, first, element.permutation, products);
    case 8:
      return multiply_fixed(std::make_index_sequence<8>{}, first, element.permutation, products);
    case 9:
      return multiply_fixed(std::make_index_sequence<9>{}, first, element.permutation, products);
    case 10:
      return multiply_fixed(std::make_index_sequence<10>{}, first, element.permutation, products);
    default:  // up to five symbols every product is small
      for (std::size_t k = 0; k < products.size(); ++k)
        products[k] = star_.product(NodeId{index(first) + k}, NodeId{element.node});
  }
}

}  // namespace lockstep
