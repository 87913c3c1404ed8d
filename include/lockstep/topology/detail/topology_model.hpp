// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The concrete topology of an ErasedTopology. It uses the closed forms that a family declares and
/// searches for the rest if that is affordable.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "lockstep/core/detail/std_basics.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/arc_classes.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/detail/closed_forms.hpp"
#include "lockstep/topology/detail/digit_translations.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/topology/detail/permutation_translations.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/translations.hpp"

namespace lockstep {

/// More nodes than this are not searched: 2 million take a second.
inline constexpr std::uint64_t searchable_nodes = 2'000'000;
/// Searches from all nodes look at this many arcs.
inline constexpr std::uint64_t searchable_arcs = 200'000'000;
/// Nor are groups by their generators, which every estimate asks for: some milliseconds.
inline constexpr std::uint64_t searchable_for_classes = 1'000'000;

template <Topology T>
class TopologyModel final : public TopologyInterface {
 public:
  explicit TopologyModel(T topology) : topology_(std::move(topology)) {}

  [[nodiscard]] std::string name() const override { return topology_.name(); }
  [[nodiscard]] std::uint64_t node_count() const override { return topology_.node_count(); }
  [[nodiscard]] std::uint64_t processor_count() const override {
    return lockstep::processor_count(topology_);
  }
  [[nodiscard]] std::size_t max_degree() const override { return topology_.max_degree(); }
  [[nodiscard]] std::size_t degree(NodeId u) const override { return topology_.degree(u); }
  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const override {
    return topology_.neighbor(u, p);
  }
  [[nodiscard]] Port reverse_port(NodeId u, Port p) const override {
    return topology_.reverse_port(u, p);
  }
  [[nodiscard]] std::string label(NodeId u) const override { return topology_.label(u); }

  [[nodiscard]] std::string port_label(NodeId u, Port p) const override {
    return known_port_label(topology_, u, p);
  }
  [[nodiscard]] bool are_laws_proven() const override {
    return lockstep::are_laws_proven(topology_);
  }
  [[nodiscard]] bool symmetric() const override { return CayleyTopology<T>; }
  [[nodiscard]] bool composes_permutations() const override { return knows<T>(Knows::permutation); }
  [[nodiscard]] std::vector<NodeId> orbits() const override {
    if constexpr (knows<T>(Knows::orbits)) return topology_.orbits();
    return CayleyTopology<T> ? std::vector<NodeId>{NodeId{0}} : std::vector<NodeId>{};
  }
  [[nodiscard]] std::optional<std::uint64_t> link_count() const override {
    return known_link_count(topology_);
  }

  [[nodiscard]] std::vector<std::uint64_t> level_sizes(NodeId from) const override {
    std::vector<std::uint64_t> levels = known_level_sizes(topology_, from);
    if (levels.empty() && node_count() <= searchable_nodes)
      levels = lockstep::level_sizes(topology_, from);
    return levels;
  }

  [[nodiscard]] Cut bisection() const override { return known_bisection(topology_); }
  [[nodiscard]] std::vector<ArcClass> arc_classes() const override {
    if constexpr (CayleyTopology<T> && !knows<T>(Knows::arc_classes)) {
      if (node_count() > searchable_for_classes) return {};
      return classes_of_generators(network(), searchable_for_classes);
    } else {
      return known_arc_classes(topology_);
    }
  }
  [[nodiscard]] std::vector<Level> levels() const override {
    if constexpr (knows<T>(Knows::levels)) return topology_.levels();
    return {};
  }
  [[nodiscard]] std::vector<ErasedTopology> factors() const override {
    std::vector<ErasedTopology> erased;
    if constexpr (knows<T>(Knows::factors))
      for (const auto& factor : topology_.factors()) {
        using Factor = std::remove_cvref_t<decltype(factor)>;
        if constexpr (std::derived_from<Factor, ErasedTopology>)
          erased.push_back(factor);
        else
          erased.emplace_back(std::make_shared<TopologyModel<Factor>>(factor));
      }
    return erased;
  }

  [[nodiscard]] std::optional<NodeId> find(const std::string& text) const override {
    if constexpr (knows<T>(Knows::find)) {
      return topology_.find(text);
    } else {
      for (std::uint64_t u = 0; u < std::min(node_count(), searchable_nodes); ++u)
        if (label(NodeId{u}) == text) return NodeId{u};
      return std::nullopt;
    }
  }

  [[nodiscard]] const NodeNames* names() const override {
    if constexpr (std::derived_from<T, Network>) return topology_.names();
    return nullptr;
  }
  [[nodiscard]] Network network() const override {
    if constexpr (std::derived_from<T, Network>)
      return topology_;
    else
      return build_network(topology_);
  }
  [[nodiscard]] const void* address_if(const std::type_info& type) const noexcept override {
    return type == typeid(T) ? &topology_ : nullptr;
  }

  [[nodiscard]] NodeId identity() const override {
    return in_group([](const auto& group) { return group.identity(); });
  }
  [[nodiscard]] NodeId product(NodeId u, NodeId v) const override {
    return in_group([=](const auto& group) { return group.product(u, v); });
  }
  [[nodiscard]] NodeId inverse(NodeId u) const override {
    return in_group([=](const auto& group) { return group.inverse(u); });
  }
  [[nodiscard]] std::shared_ptr<const TranslationsInterface> translations(
      std::span<const NodeId> elements) const override {
    if constexpr (CayleyTopology<T>)
      return std::make_shared<const TranslationsModel<Translations<T>>>(topology_, elements);
    invariant_failed("only a Cayley graph has translations");
  }
  [[nodiscard]] std::uint64_t translation_bytes(std::uint64_t elements) const override {
    if constexpr (CayleyTopology<T>) return Translations<T>::bytes(topology_, elements);
    return 0;
  }

 private:
  [[nodiscard]] std::optional<std::uint64_t> computed_diameter() const override {
    if constexpr (knows<T>(Knows::diameter)) return topology_.diameter();
    const std::vector<NodeId> known = orbits();
    const std::uint64_t roots = known.empty() ? node_count() : known.size();
    if (node_count() > searchable_nodes || roots * node_count() * max_degree() > searchable_arcs)
      return std::nullopt;
    std::uint64_t largest = 0;
    for (std::uint64_t root = 0; root < roots; ++root)
      largest =
          std::max(largest, eccentricity(topology_, known.empty() ? NodeId{root} : known[root]));
    return largest;
  }

  template <class Operation>
  [[nodiscard]] NodeId in_group(Operation operation) const {
    if constexpr (CayleyTopology<T>) return operation(topology_);
    invariant_failed("only a Cayley graph has the operations of a group");
  }

  T topology_;
};

template <class T>
std::shared_ptr<const TopologyInterface> topology_model(T topology) {
  return std::make_shared<const TopologyModel<T>>(std::move(topology));
}

}  // namespace lockstep
