// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Translations of any group as a value: copies share them.
///
///     const AnyTranslations translations(group, elements);    // a, b
///     translations.apply(u, 1, products);                     // products[k] = (u + k) b

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/detail/digit_translations.hpp"
#include "lockstep/topology/detail/permutation_translations.hpp"
#include "lockstep/topology/translations.hpp"

namespace lockstep {

class AnyTranslations {
 public:
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
