// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A type-erased Cayley graph, itself a Cayley graph, so that algorithms for groups are compiled
/// once for all families. Each call costs one virtual call more; translations of a range of nodes
/// cost one virtual call in total.
///
///     const AnyCayley group = any_cayley(Ring{5});
///     group.product(NodeId{3}, NodeId{4}) == NodeId{2};
///     group.translations(elements)->apply(NodeId{0}, 0, products);   // elements = {4}: 4 0 1 2 3

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/topology/detail/topology_model.hpp"
#include "lockstep/topology/topology.hpp"
#include "lockstep/topology/translations.hpp"

namespace lockstep {

/// Precondition of construction: a symmetric() topology.
class AnyCayley : public ErasedTopology {
 public:
  using ErasedTopology::ErasedTopology;

  [[nodiscard]] NodeId identity() const { return behind()->identity(); }
  [[nodiscard]] NodeId product(NodeId u, NodeId v) const { return behind()->product(u, v); }
  [[nodiscard]] NodeId inverse(NodeId u) const { return behind()->inverse(u); }

  /// Right translations by these elements, as fast as the family has them (translations.hpp).
  [[nodiscard]] std::shared_ptr<const TranslationsInterface> translations(
      std::span<const NodeId> elements) const {
    return behind()->translations(elements);
  }
  /// The bytes of the translations of so many elements.
  [[nodiscard]] std::uint64_t translation_bytes(std::uint64_t elements) const {
    return behind()->translation_bytes(elements);
  }
};

static_assert(CayleyTopology<AnyCayley>);

inline std::optional<AnyCayley> ErasedTopology::cayley() const {
  return symmetric() ? std::optional(AnyCayley(it_)) : std::nullopt;
}

/// Keeps the topology; AnyCayley itself stays what it is.
template <CayleyTopology Group>
[[nodiscard]] AnyCayley any_cayley(Group group) {
  return AnyCayley(topology_model(std::move(group)));
}
[[nodiscard]] inline AnyCayley any_cayley(AnyCayley group) { return group; }

/// Translations of any group, erased or not.
template <CayleyTopology Group>
[[nodiscard]] std::shared_ptr<const TranslationsInterface> any_translations(
    const Group& group, std::span<const NodeId> elements) {
  if constexpr (std::derived_from<Group, AnyCayley>)
    return group.translations(elements);
  else
    return std::make_shared<const TranslationsModel<Translations<Group>>>(group, elements);
}

}  // namespace lockstep
