// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Right translations of a Cayley graph, prepared: u -> u a for a fixed list of elements a. A
/// node-invariant program looks up the node at a relative address for every block; groups
/// that can answer faster than by product() specialise this template (star_translations.hpp).
///
///     const Translations<StarGraph> translations(star, {a, b});
///     translations.apply(u, 1) == star.product(u, b);

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/core/detail/std_basics.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

template <CayleyTopology Group>
class Translations {
 public:
  Translations(Group group, std::span<const NodeId> elements)
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
    if constexpr (requires { group_.translate(first, elements_[i], products); })
      group_.translate(first, elements_[i], products);
    else
      for (std::size_t k = 0; k < products.size(); ++k)
        products[k] = static_cast<std::uint32_t>(index(apply(NodeId{index(first) + k}, i)));
  }

 private:
  Group group_;
  NodeId identity_;
  std::vector<NodeId> elements_;
};

/// The node at address `element` relative to `node`, without a group.
using AddressRule = std::function<NodeId(NodeId node, NodeId element)>;

/// The same interface for any rule. Elements name nothing but themselves.
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

/// Type-erased translations.
class AnyTranslations {
 public:
  AnyTranslations(AddressRule rule, std::span<const NodeId> elements)
      : behind_(std::make_shared<const Behind<RuleTranslations>>(std::move(rule), elements)) {}
  template <CayleyTopology Group>
  AnyTranslations(const Group& group, std::span<const NodeId> elements)
      : behind_(std::make_shared<const Behind<Translations<Group>>>(group, elements)) {}

  void apply(NodeId first, std::uint32_t i, std::span<std::uint32_t> products) const {
    behind_->apply(first, i, products);
  }
  /// products[k] = nodes[k] times element number i.
  void apply(std::span<const std::uint32_t> nodes, std::uint32_t i,
             std::span<std::uint32_t> products) const {
    behind_->apply(nodes, i, products);
  }

 private:
  struct Interface {
    Interface() = default;
    Interface(const Interface&) = delete;
    Interface& operator=(const Interface&) = delete;
    virtual ~Interface() = default;
    virtual void apply(NodeId first, std::uint32_t i, std::span<std::uint32_t> products) const = 0;
    virtual void apply(std::span<const std::uint32_t> nodes, std::uint32_t i,
                       std::span<std::uint32_t> products) const = 0;
  };
  template <class Known>
  struct Behind final : Interface {
    template <class Rule>
    Behind(const Rule& rule, std::span<const NodeId> elements) : translations(rule, elements) {}
    void apply(NodeId first, std::uint32_t i, std::span<std::uint32_t> products) const override {
      translations.apply(first, i, products);
    }
    void apply(std::span<const std::uint32_t> nodes, std::uint32_t i,
               std::span<std::uint32_t> products) const override {
      for (std::size_t k = 0; k < nodes.size(); ++k)
        products[k] = static_cast<std::uint32_t>(index(translations.apply(NodeId{nodes[k]}, i)));
    }
    Known translations;
  };

  std::shared_ptr<const Interface> behind_;
};

}  // namespace lockstep
