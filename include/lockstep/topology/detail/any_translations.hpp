// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Translations of any group, erased or not.
///
///     const auto translations = any_translations(group, elements);    // a, b
///     translations->apply(u, 1, products);                            // products[k] = (u + k) b

#include <concepts>
#include <memory>
#include <span>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/detail/digit_translations.hpp"
#include "lockstep/topology/detail/permutation_translations.hpp"
#include "lockstep/topology/translations.hpp"

namespace lockstep {

template <CayleyTopology Group>
[[nodiscard]] std::shared_ptr<const TranslationsInterface> any_translations(
    const Group& group, std::span<const NodeId> elements) {
  if constexpr (std::derived_from<Group, AnyCayley>)
    return group.translations(elements);
  else
    return std::make_shared<const TranslationsModel<Translations<Group>>>(group, elements);
}

}  // namespace lockstep
