// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Right translations of a Cayley graph, prepared: u -> u a for a fixed list of elements a. A
/// node-invariant program looks up the node at a relative address for every block; groups
/// that can answer faster than by product() specialise this template
/// (detail/permutation_translations.hpp, detail/digit_translations.hpp). A specialisation has
/// bytes() and the three apply() of TranslationsByProduct.
///
///     const Translations<StarGraph> translations(star, elements);    // a, b
///     translations.apply(u, 1) == star.product(u, b);

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

/// By product(), whatever the group.
template <CayleyTopology Group>
class TranslationsByProduct {
 public:
  TranslationsByProduct(Group group, std::span<const NodeId> elements)
      : group_(std::move(group)),
        identity_(group_.identity()),
        elements_(elements.begin(), elements.end()) {}

  [[nodiscard]] static std::uint64_t bytes(const Group&, std::uint64_t elements) noexcept {
    return elements * sizeof(NodeId);
  }

  /// u times element number i. Own blocks are loaded by the product with the identity.
  [[nodiscard]] NodeId apply(NodeId u, std::uint32_t i) const {
    return elements_[i] == identity_ ? u : group_.product(u, elements_[i]);
  }

  /// The same for the consecutive nodes first, first + 1, ...; one call for many. Plain
  /// numbers: the compiler has no vectors of enumerations, and a tabulated network has fewer than
  /// 2^32 nodes.
  void apply(NodeId first, std::uint32_t i, std::span<std::uint32_t> products) const {
    for (std::size_t k = 0; k < products.size(); ++k)
      products[k] = static_cast<std::uint32_t>(index(apply(NodeId{index(first) + k}, i)));
  }
  /// The same for any nodes.
  void apply(std::span<const std::uint32_t> nodes, std::uint32_t i,
             std::span<std::uint32_t> products) const {
    for (std::size_t k = 0; k < nodes.size(); ++k)
      products[k] = static_cast<std::uint32_t>(index(apply(NodeId{nodes[k]}, i)));
  }

 private:
  Group group_;
  NodeId identity_;
  std::vector<NodeId> elements_;
};

template <CayleyTopology Group>
class Translations : public TranslationsByProduct<Group> {
 public:
  using TranslationsByProduct<Group>::TranslationsByProduct;
};
/// Defined in topology/detail/digit_translations.hpp; faster than the general template.
template <CayleyTopology Group>
requires(knows<Group>(Knows::coordinates)) class Translations<Group>;

/// Type-erased translations: a virtual call per range of nodes.
class TranslationsInterface {
 public:
  TranslationsInterface() = default;
  TranslationsInterface(const TranslationsInterface&) = delete;
  TranslationsInterface& operator=(const TranslationsInterface&) = delete;
  virtual ~TranslationsInterface() = default;
  /// products[k] = (first + k) times element number i.
  virtual void apply(NodeId first, std::uint32_t i, std::span<std::uint32_t> products) const = 0;
  /// products[k] = nodes[k] times element number i.
  virtual void apply(std::span<const std::uint32_t> nodes, std::uint32_t i,
                     std::span<std::uint32_t> products) const = 0;
};

template <class Known>
class TranslationsModel final : public TranslationsInterface {
 public:
  template <class Rule>
  TranslationsModel(const Rule& rule, std::span<const NodeId> elements)
      : translations_(rule, elements) {}
  void apply(NodeId first, std::uint32_t i, std::span<std::uint32_t> products) const override {
    translations_.apply(first, i, products);
  }
  void apply(std::span<const std::uint32_t> nodes, std::uint32_t i,
             std::span<std::uint32_t> products) const override {
    translations_.apply(nodes, i, products);
  }

 private:
  Known translations_;
};

}  // namespace lockstep
