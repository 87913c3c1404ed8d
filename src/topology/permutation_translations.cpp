// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/detail/permutation_translations.hpp"

#include <algorithm>

namespace lockstep {
namespace {

/// One position of core/permutation.hpp's rank, in 32 bits: `greater_seen` counts, in nibble s < 8,
/// the symbols above s that stood further left; symbol 8 of nine has none above it. Shifting twice
/// by half keeps a shift by 32 defined.
template <std::size_t position>
void add_digit(std::uint32_t word, std::uint32_t shift, std::uint32_t& greater_seen,
               std::uint32_t& rank) {
  constexpr std::uint32_t one_in_each_nibble = 0x1111'1111;
  const std::uint32_t half = 2 * ((word >> shift) & 15U);
  rank += ((greater_seen >> half >> half) & 15U) * static_cast<std::uint32_t>(factorial(position));
  greater_seen += one_in_each_nibble & ((1U << half << half) - 1);
}

}  // namespace

PermutationTranslations::PermutationTranslations(const SymmetricGroupGraph& graph,
                                                 std::span<const NodeId> elements)
    : graph_(graph), differences_(small_count * small_count) {
  if (graph.symbols() <= vector_symbols) {
    const std::size_t words = graph.symbols() <= word_symbols ? 1 : 2;
    const auto label_word = [](Permutation x, std::size_t word) {
      return static_cast<std::uint32_t>(x.packed() >> (4 * word_symbols * word));
    };
    for (std::size_t word = 0; word < words; ++word) {
      labels_[word].resize(graph.node_count());
      for (std::uint64_t u = 0; u < graph.node_count(); ++u)
        labels_[word][u] = label_word(graph.permutation(NodeId{u}), word);
    }
  }
  elements_.reserve(elements.size());
  for (const NodeId element : elements)
    elements_.push_back({index(element), graph.permutation(element)});
  // Products in S_5, or in S_n where that is all there is.
  const std::size_t symbols = std::min<std::size_t>(5, graph.symbols());
  const std::uint64_t count = factorial(symbols);
  for (std::uint64_t a = 0; a < count; ++a)
    for (std::uint64_t b = 0; b < count; ++b)
      differences_[b * small_count + a] =
          static_cast<std::uint32_t>(rank(compose(unrank(symbols, a), unrank(symbols, b))) - a);
}

/// The last digits of consecutive nodes count up, so that the differences are consecutive, too.
void PermutationTranslations::add_differences(std::uint32_t first, const Element& element,
                                              std::span<std::uint32_t> products) const noexcept {
  const std::uint32_t* const differences = differences_of(element);
  std::uint32_t* __restrict out = products.data();
  std::uint32_t low = first % small_count;
  for (std::size_t left = products.size(); left != 0; low = 0) {
    const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(small_count - low, left));
    for (std::uint32_t j = 0; j < count; ++j) out[j] = first + j + differences[low + j];
    out += count;
    first += count;
    left -= count;
  }
}

void PermutationTranslations::apply(std::span<const std::uint32_t> nodes, std::uint32_t i,
                                    std::span<std::uint32_t> products) const noexcept {
  const Element& element = elements_[i];
  const std::uint32_t* const in = nodes.data();
  std::uint32_t* __restrict const out = products.data();
  if (element.node < small_count) {
    const std::uint32_t* const differences = differences_of(element);
    for (std::size_t k = 0; k < nodes.size(); ++k)
      out[k] = in[k] + differences[in[k] % static_cast<std::uint32_t>(small_count)];
    return;
  }
  if (labels_.front().empty()) {
    for (std::size_t k = 0; k < nodes.size(); ++k) out[k] = product(NodeId{in[k]}, element);
    return;
  }
  constexpr std::size_t most = 64;
  std::array<std::array<std::uint32_t, most>, 2> labels;
  for (std::size_t done = 0; done < nodes.size(); done += most) {
    const std::span<std::uint32_t> some =
        products.subspan(done, std::min(most, nodes.size() - done));
    for (std::size_t word = 0; word < labels.size() && !labels_[word].empty(); ++word)
      for (std::size_t k = 0; k < some.size(); ++k) labels[word][k] = labels_[word][in[done + k]];
    multiply_labels({labels[0].data(), labels[1].data()}, element.permutation, some);
  }
}

/// The rank of label o element. Positions are written out and numbers are of 32 bits: only then
/// does the compiler make vector instructions of the loop over nodes.
template <std::size_t... positions>
void PermutationTranslations::multiply_fixed(std::index_sequence<positions...>,
                                             const Labels& labels, Permutation element,
                                             std::span<std::uint32_t> products) noexcept {
  const std::uint32_t* const words[] = {labels[element[positions] / word_symbols]...};
  const std::uint32_t shifts[] = {
      static_cast<std::uint32_t>(4 * (element[positions] % word_symbols))...};
  std::uint32_t* __restrict const out = products.data();
  const std::size_t count = products.size();
  for (std::size_t k = 0; k < count; ++k) {
    std::uint32_t rank = 0;
    std::uint32_t greater_seen = 0;
    (add_digit<positions>(words[positions][k], shifts[positions], greater_seen, rank), ...);
    out[k] = rank;
  }
}

void PermutationTranslations::multiply_labels(const Labels& labels, Permutation element,
                                              std::span<std::uint32_t> products) noexcept {
  switch (element.size()) {
    case 6:
      return multiply_fixed(std::make_index_sequence<6>{}, labels, element, products);
    case 7:
      return multiply_fixed(std::make_index_sequence<7>{}, labels, element, products);
    case 8:
      return multiply_fixed(std::make_index_sequence<8>{}, labels, element, products);
    default:
      return multiply_fixed(std::make_index_sequence<9>{}, labels, element, products);
  }
}

void PermutationTranslations::multiply(NodeId first, const Element& element,
                                       std::span<std::uint32_t> products) const noexcept {
  if (labels_.front().empty()) {
    for (std::size_t k = 0; k < products.size(); ++k)
      products[k] = product(NodeId{index(first) + k}, element);
    return;
  }
  const auto from = [&](const std::vector<std::uint32_t>& words) {
    return words.empty() ? nullptr : words.data() + index(first);
  };
  multiply_labels({from(labels_[0]), from(labels_[1])}, element.permutation, products);
}

}  // namespace lockstep
