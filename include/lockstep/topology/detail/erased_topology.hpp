// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A type-erased topology, for code that is compiled once for all families.
/// AnyCayley adds the operations of the group, AnyTopology (catalog/any_topology.hpp) names.
///
/// It holds a TopologyModel (topology_model.hpp) of the concrete type.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/network.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class ErasedTopology;
class TranslationsInterface;  // translations.hpp
struct PrimeForm;             // topology/prime_form.hpp

/// The members of ErasedTopology and AnyCayley, as virtual functions.
class TopologyInterface {
 public:
  TopologyInterface();
  TopologyInterface(const TopologyInterface&) = delete;
  TopologyInterface& operator=(const TopologyInterface&) = delete;
  virtual ~TopologyInterface() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::uint64_t node_count() const = 0;
  [[nodiscard]] virtual std::uint64_t processor_count() const = 0;
  [[nodiscard]] virtual std::size_t max_degree() const = 0;
  [[nodiscard]] virtual std::size_t degree(NodeId u) const = 0;
  [[nodiscard]] virtual NodeId neighbor(NodeId u, Port p) const = 0;
  [[nodiscard]] virtual Port reverse_port(NodeId u, Port p) const = 0;
  [[nodiscard]] virtual std::string label(NodeId u) const = 0;

  [[nodiscard]] virtual std::string port_label(NodeId u, Port p) const = 0;
  [[nodiscard]] virtual bool are_laws_proven() const = 0;
  [[nodiscard]] virtual bool symmetric() const = 0;
  [[nodiscard]] virtual bool composes_permutations() const = 0;
  [[nodiscard]] virtual std::vector<NodeId> orbits() const = 0;
  [[nodiscard]] virtual std::optional<std::uint64_t> link_count() const = 0;
  [[nodiscard]] std::optional<std::uint64_t> diameter() const;
  [[nodiscard]] virtual std::vector<std::uint64_t> level_sizes(NodeId from) const = 0;
  [[nodiscard]] virtual Cut bisection() const = 0;
  [[nodiscard]] virtual std::vector<ArcClass> arc_classes() const = 0;
  [[nodiscard]] virtual std::vector<Level> levels() const = 0;
  [[nodiscard]] virtual std::vector<ErasedTopology> factors() const = 0;
  [[nodiscard]] const DistanceFigures& distance_figures() const;
  [[nodiscard]] const PrimeForm* prime_form() const;
  [[nodiscard]] virtual std::optional<NodeId> find(const std::string& label) const = 0;
  [[nodiscard]] virtual const NodeNames* names() const = 0;
  [[nodiscard]] virtual Network network() const = 0;
  [[nodiscard]] virtual const void* address_if(const std::type_info& type) const noexcept = 0;

  // Precondition: symmetric().
  [[nodiscard]] virtual NodeId identity() const = 0;
  [[nodiscard]] virtual NodeId product(NodeId u, NodeId v) const = 0;
  [[nodiscard]] virtual NodeId inverse(NodeId u) const = 0;
  [[nodiscard]] virtual std::shared_ptr<const TranslationsInterface> translations(
      std::span<const NodeId> elements) const = 0;
  [[nodiscard]] virtual std::uint64_t translation_bytes(std::uint64_t elements) const = 0;

 private:
  /// By closed form or search, anew on every call.
  [[nodiscard]] virtual std::optional<std::uint64_t> computed_diameter() const = 0;

  struct Searched;
  const std::shared_ptr<Searched> searched_;
};

class AnyCayley;

/// Copies share what stands behind them.
class ErasedTopology {
 public:
  static constexpr Knows knows = Knows::processors | Knows::diameter | Knows::level_sizes |
                                 Knows::bisection | Knows::arc_classes | Knows::link_count |
                                 Knows::find | Knows::port_label | Knows::levels | Knows::factors |
                                 Knows::orbits;
  ErasedTopology() = default;  ///< none: only to be replaced
  explicit ErasedTopology(std::shared_ptr<const TopologyInterface> topology)
      : it_(std::move(topology)) {}

  /// Whether there is one.
  [[nodiscard]] explicit operator bool() const noexcept { return it_ != nullptr; }

  [[nodiscard]] std::string name() const { return it_->name(); }
  [[nodiscard]] std::uint64_t node_count() const { return it_->node_count(); }
  [[nodiscard]] std::uint64_t processor_count() const { return it_->processor_count(); }
  [[nodiscard]] std::size_t max_degree() const { return it_->max_degree(); }
  [[nodiscard]] std::size_t degree(NodeId u) const { return it_->degree(u); }
  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const { return it_->neighbor(u, p); }
  [[nodiscard]] Port reverse_port(NodeId u, Port p) const { return it_->reverse_port(u, p); }
  [[nodiscard]] std::string label(NodeId u) const { return it_->label(u); }

  /// A port as the papers call it: "dimension 4"; "port 0" where they give it no name.
  [[nodiscard]] std::string port_label(NodeId u, Port p) const { return it_->port_label(u, p); }
  /// Those of topology.hpp.
  [[nodiscard]] bool are_laws_proven() const { return it_->are_laws_proven(); }
  /// Whether it is a Cayley graph: every node sees the same network.
  [[nodiscard]] bool symmetric() const { return it_->symmetric(); }
  /// One node of each class of nodes that see the same network; empty where the classes are not
  /// known. A network of one class is vertex-transitive, as every Cayley graph is.
  [[nodiscard]] std::vector<NodeId> orbits() const { return it_->orbits(); }
  /// Whether nodes are permutations, whose composition is the product of the group.
  [[nodiscard]] bool composes_permutations() const { return it_->composes_permutations(); }
  /// Empty where it exceeds 64 bits.
  [[nodiscard]] std::optional<std::uint64_t> link_count() const { return it_->link_count(); }
  /// Closed form where the family has one, else breadth-first search on the first call of any copy;
  /// empty if that takes too long.
  [[nodiscard]] std::optional<std::uint64_t> diameter() const { return it_->diameter(); }
  /// Nodes at distance 0, 1, 2, ... from `from`; empty if too large to search and no closed form.
  [[nodiscard]] std::vector<std::uint64_t> level_sizes(NodeId from) const {
    return it_->level_sizes(from);
  }
  /// The cut through the middle of its family; without links if none is known.
  [[nodiscard]] Cut bisection() const { return it_->bisection(); }
  /// By factors, or by generators where the group is small; none where none are known.
  [[nodiscard]] std::vector<ArcClass> arc_classes() const { return it_->arc_classes(); }
  /// Levels of switches, from the processors up; empty if there are none.
  [[nodiscard]] std::vector<Level> levels() const { return it_->levels(); }
  /// The factors of a cartesian product, the most significant one in a node's number first; else
  /// none.
  [[nodiscard]] std::vector<ErasedTopology> factors() const { return it_->factors(); }
  /// The network as the product of its prime factors, found on the first call of any copy; null
  /// where there is none, or where it is this network with these numbers.
  [[nodiscard]] const PrimeForm* prime_form() const { return it_->prime_form(); }
  /// Searches from every node on the first call of any copy, then keeps the result.
  [[nodiscard]] const DistanceFigures& distance_figures() const { return it_->distance_figures(); }
  /// The node with that label; empty if there is none (of large networks without a formula for it,
  /// only the first nodes are looked at).
  [[nodiscard]] std::optional<NodeId> find(const std::string& label) const {
    return it_->find(label);
  }
  /// As Network::names(); null for other types.
  [[nodiscard]] const NodeNames* names() const { return it_->names(); }
  /// Tabulated. Takes Network::bytes().
  [[nodiscard]] Network network() const { return it_->network(); }
  /// With its group; empty if it is no Cayley graph, or its group is not known. Defined in
  /// any_cayley.hpp.
  [[nodiscard]] std::optional<AnyCayley> cayley() const;

  /// The family's own type, or null.
  template <class T>
  [[nodiscard]] const T* as() const noexcept {
    return static_cast<const T*>(it_->address_if(typeid(T)));
  }

 protected:
  [[nodiscard]] const std::shared_ptr<const TopologyInterface>& behind() const noexcept {
    return it_;
  }

 private:
  std::shared_ptr<const TopologyInterface> it_;
};

/// The first port of u that leads to v; empty if they are not neighbours.
[[nodiscard]] inline std::optional<Port> port_to(const ErasedTopology& network, NodeId u,
                                                 NodeId v) {
  for (std::size_t p = 0; p < network.degree(u); ++p)
    if (network.neighbor(u, port(p)) == v) return port(p);
  return std::nullopt;
}

}  // namespace lockstep
