// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Any Cayley graph behind one type, itself a Cayley graph: algorithms that are written for groups,
/// not for a family, are compiled once. A call costs a virtual call more than the family's own; the
/// products of a whole range of nodes cost one for all of them.
///
///     const AnyCayley group = any_cayley(Ring{5});
///     group.product(NodeId{3}, NodeId{4}) == NodeId{2};
///     group.translate(NodeId{0}, NodeId{4}, products);      // products[k] = k * 4 = 4 0 1 2 3

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/topology.hpp"
#include "lockstep/topology/translations.hpp"

namespace lockstep {

class AnyCayley {
 public:
  class Interface;
  explicit AnyCayley(std::shared_ptr<const Interface> group) : it_(std::move(group)) {}

  [[nodiscard]] std::string name() const { return it_->name(); }
  [[nodiscard]] std::uint64_t node_count() const { return it_->node_count(); }
  [[nodiscard]] std::size_t max_degree() const { return it_->max_degree(); }
  [[nodiscard]] std::size_t degree(NodeId u) const { return it_->degree(u); }
  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const { return it_->neighbor(u, p); }
  [[nodiscard]] Port reverse_port(NodeId u, Port p) const { return it_->reverse_port(u, p); }
  [[nodiscard]] NodeKind kind(NodeId u) const { return it_->kind(u); }
  [[nodiscard]] std::string label(NodeId u) const { return it_->label(u); }
  [[nodiscard]] NodeId identity() const { return it_->identity(); }
  [[nodiscard]] NodeId product(NodeId u, NodeId v) const { return it_->product(u, v); }
  [[nodiscard]] NodeId inverse(NodeId u) const { return it_->inverse(u); }

  /// products[k] = (first + k) times `element`, for as many nodes as there are products; node
  /// numbers below 2^32, as in a tabulated network.
  void translate(NodeId first, NodeId element, std::span<std::uint32_t> products) const {
    it_->translate(first, element, products);
  }

  /// What stands behind it.
  class Interface {
   public:
    Interface() = default;
    Interface(const Interface&) = delete;
    Interface& operator=(const Interface&) = delete;
    virtual ~Interface() = default;

    [[nodiscard]] virtual std::string name() const = 0;
    [[nodiscard]] virtual std::uint64_t node_count() const = 0;
    [[nodiscard]] virtual std::size_t max_degree() const = 0;
    [[nodiscard]] virtual std::size_t degree(NodeId u) const = 0;
    [[nodiscard]] virtual NodeId neighbor(NodeId u, Port p) const = 0;
    [[nodiscard]] virtual Port reverse_port(NodeId u, Port p) const = 0;
    [[nodiscard]] virtual NodeKind kind(NodeId u) const = 0;
    [[nodiscard]] virtual std::string label(NodeId u) const = 0;
    [[nodiscard]] virtual NodeId identity() const = 0;
    [[nodiscard]] virtual NodeId product(NodeId u, NodeId v) const = 0;
    [[nodiscard]] virtual NodeId inverse(NodeId u) const = 0;
    virtual void translate(NodeId first, NodeId element,
                           std::span<std::uint32_t> products) const = 0;
  };

 private:
  std::shared_ptr<const Interface> it_;
};

static_assert(CayleyTopology<AnyCayley>);

namespace any_cayley_detail {

template <CayleyTopology Group>
class Model final : public AnyCayley::Interface {
 public:
  explicit Model(Group group) : group_(std::move(group)) {}

  [[nodiscard]] std::string name() const override { return group_.name(); }
  [[nodiscard]] std::uint64_t node_count() const override { return group_.node_count(); }
  [[nodiscard]] std::size_t max_degree() const override { return group_.max_degree(); }
  [[nodiscard]] std::size_t degree(NodeId u) const override { return group_.degree(u); }
  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const override { return group_.neighbor(u, p); }
  [[nodiscard]] Port reverse_port(NodeId u, Port p) const override {
    return group_.reverse_port(u, p);
  }
  [[nodiscard]] NodeKind kind(NodeId u) const override { return group_.kind(u); }
  [[nodiscard]] std::string label(NodeId u) const override { return group_.label(u); }
  [[nodiscard]] NodeId identity() const override { return group_.identity(); }
  [[nodiscard]] NodeId product(NodeId u, NodeId v) const override { return group_.product(u, v); }
  [[nodiscard]] NodeId inverse(NodeId u) const override { return group_.inverse(u); }
  void translate(NodeId first, NodeId element, std::span<std::uint32_t> products) const override {
    for (std::size_t k = 0; k < products.size(); ++k)
      products[k] =
          static_cast<std::uint32_t>(index(group_.product(NodeId{index(first) + k}, element)));
  }

 private:
  Group group_;
};

}  // namespace any_cayley_detail

/// Keeps the topology; AnyCayley itself stays what it is.
template <CayleyTopology Group>
[[nodiscard]] AnyCayley any_cayley(Group group) {
  return AnyCayley(std::make_shared<any_cayley_detail::Model<Group>>(std::move(group)));
}
[[nodiscard]] inline AnyCayley any_cayley(AnyCayley group) { return group; }

/// Products of consecutive nodes in one virtual call; the product with the identity, which own
/// blocks are loaded by, in none.
template <>
class Translations<AnyCayley> {
 public:
  Translations(AnyCayley group, std::span<const NodeId> elements)
      : group_(std::move(group)),
        identity_(group_.identity()),
        elements_(elements.begin(), elements.end()) {}

  [[nodiscard]] static std::uint64_t bytes(const AnyCayley&, std::uint64_t elements) noexcept {
    return elements * sizeof(NodeId);
  }

  /// u times element number i.
  [[nodiscard]] NodeId apply(NodeId u, std::uint32_t i) const {
    return elements_[i] == identity_ ? u : group_.product(u, elements_[i]);
  }

  /// The same for the consecutive nodes first, first + 1, ...
  void apply(NodeId first, std::uint32_t i, std::span<std::uint32_t> products) const {
    group_.translate(first, elements_[i], products);
  }

 private:
  AnyCayley group_;
  NodeId identity_;
  std::vector<NodeId> elements_;
};

}  // namespace lockstep
