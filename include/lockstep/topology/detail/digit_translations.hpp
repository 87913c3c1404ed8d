// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Right translations of tori, Eisenstein-Jacobi networks and other products of groups, whose
/// product multiplies digit by digit. Tables hold the products of some digits at a time: a look-up
/// per table takes the place of several multiplications per digit.
///
///     const Translations<Torus> translations(torus, elements);    // a, b
///     translations.apply(u, 1, products);                         // products[k] = (u + k) b

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "lockstep/core/detail/divisor.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/core/mixed_radix.hpp"
#include "lockstep/topology/topology.hpp"
#include "lockstep/topology/translations.hpp"

namespace lockstep {

/// The tables. There are none if the group has one digit, for which a table would take as many
/// products as it saves, or if a digit has too many values.
class DigitTables {
 public:
  struct Group {
    const MixedRadix& digits;
    NodeId identity;
    std::function<NodeId(NodeId, NodeId)> product;
  };

  DigitTables(const Group& group, std::span<const NodeId> elements);

  [[nodiscard]] static std::uint64_t bytes(const MixedRadix& digits, std::uint64_t elements);
  [[nodiscard]] static bool are_useful(const MixedRadix& digits);

  /// Whether there are none.
  [[nodiscard]] bool empty() const noexcept { return parts_.empty(); }
  /// `node` times element i. Precondition, also of multiply(): there are tables.
  [[nodiscard]] std::uint32_t product(std::uint32_t node, std::uint32_t i) const noexcept;
  /// The same for consecutive nodes.
  void multiply(std::uint32_t first, std::uint32_t i,
                std::span<std::uint32_t> products) const noexcept;
  /// The same for any nodes.
  void multiply(std::span<const std::uint32_t> nodes, std::uint32_t i,
                std::span<std::uint32_t> products) const noexcept;

 private:
  /// One digit, or several neighbouring digits that share a table.
  struct Part {
    std::vector<std::size_t> digits;  // the least significant first
    std::uint64_t size;               // values
    std::uint64_t stride;
    Divisor by_size;
  };
  [[nodiscard]] static std::vector<Part> parts_of(const MixedRadix& digits);
  [[nodiscard]] std::uint32_t product_above(std::uint64_t rest,
                                            const std::uint32_t* rows) const noexcept;

  std::vector<Part> parts_;  // the least significant first
  /// Row by row: terms_[row + d] is what value d of a part of the node adds to the product.
  std::vector<std::uint32_t> terms_;
  /// rows_[i * parts + p] is where the row of element i in part p begins.
  std::vector<std::uint32_t> rows_;
};

template <CayleyTopology Group>
requires(knows<Group>(Knows::coordinates)) class Translations<Group> {
 public:
  Translations(const Group& group, std::span<const NodeId> elements)
      : tables_({group.coordinates(), group.identity(),
                 [&group](NodeId u, NodeId v) { return group.product(u, v); }},
                elements) {
    if (tables_.empty()) by_product_.emplace(group, elements);
  }

  [[nodiscard]] static std::uint64_t bytes(const Group& group, std::uint64_t elements) {
    return DigitTables::are_useful(group.coordinates())
               ? DigitTables::bytes(group.coordinates(), elements)
               : TranslationsByProduct<Group>::bytes(group, elements);
  }

  [[nodiscard]] NodeId apply(NodeId u, std::uint32_t i) const {
    if (by_product_) return by_product_->apply(u, i);
    return NodeId{tables_.product(static_cast<std::uint32_t>(index(u)), i)};
  }
  void apply(NodeId first, std::uint32_t i, std::span<std::uint32_t> products) const {
    if (by_product_) return by_product_->apply(first, i, products);
    tables_.multiply(static_cast<std::uint32_t>(index(first)), i, products);
  }
  void apply(std::span<const std::uint32_t> nodes, std::uint32_t i,
             std::span<std::uint32_t> products) const {
    if (by_product_) return by_product_->apply(nodes, i, products);
    tables_.multiply(nodes, i, products);
  }

 private:
  DigitTables tables_;
  std::optional<TranslationsByProduct<Group>> by_product_;
};

}  // namespace lockstep
