// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Translations of any group, or by any rule, as a value: copies share them.
///
///     const AnyTranslations translations(group, elements);    // a, b
///     translations.apply(u, 1, products);                     // products[k] = (u + k) b

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/detail/permutation_translations.hpp"
#include "lockstep/topology/translations.hpp"

namespace lockstep {

/// The node at address `element` relative to `node`, without a group.
using AddressRule = std::function<NodeId(NodeId node, NodeId element)>;

/// The interface of Translations (translations.hpp) for any rule, which receives the elements
/// unchanged.
class RuleTranslations {
 public:
  RuleTranslations(AddressRule rule, std::span<const NodeId> elements)
      : rule_(std::move(rule)), elements_(elements.begin(), elements.end()) {}

  [[nodiscard]] NodeId apply(NodeId u, std::uint32_t i) const { return rule_(u, elements_[i]); }
  void apply(NodeId first, std::uint32_t i, std::span<std::uint32_t> products) const {
    for (std::size_t k = 0; k < products.size(); ++k)
      products[k] = static_cast<std::uint32_t>(index(apply(NodeId{index(first) + k}, i)));
  }

 private:
  AddressRule rule_;
  std::vector<NodeId> elements_;
};

class AnyTranslations {
 public:
  AnyTranslations(AddressRule rule, std::span<const NodeId> elements)
      : behind_(std::make_shared<const TranslationsModel<RuleTranslations>>(std::move(rule),
                                                                            elements)) {}
  template <CayleyTopology Group>
  AnyTranslations(const Group& group, std::span<const NodeId> elements) {
    if constexpr (std::derived_from<Group, AnyCayley>)
      behind_ = group.translations(elements);
    else
      behind_ = std::make_shared<const TranslationsModel<Translations<Group>>>(group, elements);
  }

  void apply(NodeId first, std::uint32_t i, std::span<std::uint32_t> products) const {
    behind_->apply(first, i, products);
  }
  /// products[k] = nodes[k] times element number i.
  void apply(std::span<const std::uint32_t> nodes, std::uint32_t i,
             std::span<std::uint32_t> products) const {
    behind_->apply(nodes, i, products);
  }

 private:
  std::shared_ptr<const TranslationsInterface> behind_;
};

}  // namespace lockstep
