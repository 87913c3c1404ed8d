// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A topology that was named at run time: itself a topology, slower than the family's own type, and
/// able to give that type back. For lists, reports and tests that hold for every network.
///
///     const AnyTopology star = make_topology("star:5");
///     star.node_count() == 120;
///     star.as<StarGraph>()->symbols() == 5;       // null if it is of another family

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/erased_topology.hpp"
#include "lockstep/topology/network.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

/// What stands behind AnyTopology; the catalogue implements it for every family.
class AnyTopologyInterface : public TopologyInterface {
 public:
  [[nodiscard]] virtual std::string port_label(NodeId u, Port p) const = 0;
  [[nodiscard]] virtual bool symmetric() const = 0;
  [[nodiscard]] virtual std::optional<std::uint64_t> link_count() const = 0;
  [[nodiscard]] virtual std::optional<std::uint64_t> diameter() const = 0;
  [[nodiscard]] virtual std::vector<std::uint64_t> level_sizes(NodeId from) const = 0;
  [[nodiscard]] virtual std::optional<NodeId> find(const std::string& label) const = 0;
  [[nodiscard]] virtual Network network() const = 0;
  [[nodiscard]] virtual std::optional<AnyCayley> cayley() const = 0;
  [[nodiscard]] virtual const void* address_if(const std::type_info& type) const noexcept = 0;
};

class AnyTopology : public ErasedTopology<AnyTopologyInterface> {
 public:
  using ErasedTopology::ErasedTopology;
  AnyTopology() = default;
  /// As make_topology(). Implicit: a name is the usual way to write a network.
  AnyTopology(const std::string& text);  // NOLINT(google-explicit-constructor)
  AnyTopology(const char* text);         // NOLINT(google-explicit-constructor)

  /// A port as the papers call it: "dimension 4"; "port 0" where they give it no name.
  [[nodiscard]] std::string port_label(NodeId u, Port p) const;

  /// Whether it is a Cayley graph: every node sees the same network.
  [[nodiscard]] bool symmetric() const;
  /// Empty where it exceeds 64 bits.
  [[nodiscard]] std::optional<std::uint64_t> link_count() const;
  /// Closed form where the family has one, else breadth-first search; empty if that takes too long.
  [[nodiscard]] std::optional<std::uint64_t> diameter() const;
  /// Nodes at distance 0, 1, 2, ... from `from`; empty if too large to search and no closed form.
  [[nodiscard]] std::vector<std::uint64_t> level_sizes(NodeId from) const;
  /// The node with that label; empty if there is none (of large networks without a formula for it,
  /// only the first nodes are looked at).
  [[nodiscard]] std::optional<NodeId> find(const std::string& label) const;
  /// Tabulated. Takes Network::bytes().
  [[nodiscard]] Network network() const;
  /// With its group; empty if it is no Cayley graph, or its group is not known.
  [[nodiscard]] std::optional<AnyCayley> cayley() const;

  /// The family's own type, or null.
  template <class T>
  [[nodiscard]] const T* as() const noexcept {
    return static_cast<const T*>(behind().address_if(typeid(T)));
  }
};

inline std::string AnyTopology::port_label(NodeId u, Port p) const {
  return behind().port_label(u, p);
}
inline bool AnyTopology::symmetric() const { return behind().symmetric(); }
inline std::optional<std::uint64_t> AnyTopology::link_count() const {
  return behind().link_count();
}
inline std::optional<std::uint64_t> AnyTopology::diameter() const { return behind().diameter(); }
inline std::vector<std::uint64_t> AnyTopology::level_sizes(NodeId from) const {
  return behind().level_sizes(from);
}
inline std::optional<NodeId> AnyTopology::find(const std::string& label) const {
  return behind().find(label);
}
inline Network AnyTopology::network() const { return behind().network(); }
inline std::optional<AnyCayley> AnyTopology::cayley() const { return behind().cayley(); }

static_assert(Topology<AnyTopology>);

/// "star:7" -> the star graph on 7 symbols. Throws InvalidParameter that says what was given, what
/// is allowed, and the nearest valid name.
[[nodiscard]] AnyTopology make_topology(const std::string& text);

}  // namespace lockstep
