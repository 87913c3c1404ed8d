// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Right translations of tori, Eisenstein-Jacobi networks and other products of groups, whose
/// product multiplies digit by digit: the products of few digits at a time are looked up, where
/// they would take three divisions a digit.
///
///     const DigitTranslations translations(torus, elements);    // a, b
///     translations.apply(u, 1, products);                       // products[k] = (u + k) b

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "lockstep/core/detail/divisor.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/core/mixed_radix.hpp"
#include "lockstep/topology/topology.hpp"
#include "lockstep/topology/translations.hpp"

namespace lockstep {

/// Tables of products, if there are several digits, and none has too many values.
class DigitTables {
 public:
  struct Group {
    const MixedRadix& digits;
    NodeId identity;
    std::function<NodeId(NodeId, NodeId)> product;
  };

  /// Empty if tables would be too large, or of no use.
  DigitTables(const Group& group, std::span<const NodeId> elements);

  [[nodiscard]] static std::uint64_t bytes(const MixedRadix& digits,
                                           std::uint64_t elements) noexcept;

  [[nodiscard]] bool empty() const noexcept { return parts_.empty(); }
  /// Preconditions: it is not empty, and there are fewer than 2^32 nodes.
  [[nodiscard]] std::uint32_t product(std::uint32_t node, std::uint32_t i) const noexcept;
  /// The same for consecutive nodes.
  void multiply(std::uint32_t first, std::uint32_t i,
                std::span<std::uint32_t> products) const noexcept;

 private:
  /// One digit or several neighbouring ones.
  struct Part {
    std::vector<std::size_t> digits;  // the least significant first
    std::uint64_t size;
    std::uint64_t stride;
    Divisor by_size;
  };
  /// Empty for the same reasons.
  [[nodiscard]] static std::vector<Part> parts_of(const MixedRadix& digits);
  [[nodiscard]] std::uint32_t product_above(std::uint64_t rest,
                                            const std::uint32_t* rows) const noexcept;

  std::vector<Part> parts_;           // the least significant first
  std::vector<std::uint32_t> terms_;  // of a product: by digits of the element, then of the node
  std::vector<std::uint32_t> rows_;   // in terms_, of each element in each part
};

template <CayleyTopology Group>
requires(knows<Group>(Knows::coordinates)) class Translations<Group> {
 public:
  Translations(const Group& group, std::span<const NodeId> elements)
      : tables_({group.coordinates(), group.identity(),
                 [&group](NodeId u, NodeId v) { return group.product(u, v); }},
                elements),
        others_(group, elements) {}

  [[nodiscard]] static std::uint64_t bytes(const Group& group, std::uint64_t elements) noexcept {
    return DigitTables::bytes(group.coordinates(), elements) +
           TranslationsByProduct<Group>::bytes(group, elements);
  }

  [[nodiscard]] NodeId apply(NodeId u, std::uint32_t i) const {
    if (tables_.empty()) return others_.apply(u, i);
    return NodeId{tables_.product(static_cast<std::uint32_t>(index(u)), i)};
  }
  void apply(NodeId first, std::uint32_t i, std::span<std::uint32_t> products) const {
    if (tables_.empty()) return others_.apply(first, i, products);
    tables_.multiply(static_cast<std::uint32_t>(index(first)), i, products);
  }

 private:
  DigitTables tables_;
  TranslationsByProduct<Group> others_;
};

}  // namespace lockstep
