// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Any formula topology behind the interface of AnyTopology. What a family knows in closed form is
/// used where it says so; the rest is searched, where that is affordable.

#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "catalog/closed_forms.hpp"
#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep::catalog {

/// More nodes than this are not searched: 2 million take a second.
inline constexpr std::uint64_t searchable_nodes = 2'000'000;
/// Searches from all nodes look at this many arcs.
inline constexpr std::uint64_t searchable_arcs = 200'000'000;

template <Topology T>
class TopologyModel final : public TopologyBehind<T, AnyTopologyInterface> {
 public:
  using TopologyBehind<T, AnyTopologyInterface>::TopologyBehind;

  [[nodiscard]] std::string port_label(NodeId u, Port p) const override {
    if constexpr (requires { named_port(topology(), u, p); })
      return named_port(topology(), u, p);
    else
      return "port " + std::to_string(index(p));
  }

  [[nodiscard]] bool symmetric() const override { return CayleyTopology<T>; }
  [[nodiscard]] Network network() const override { return build_network(topology()); }
  [[nodiscard]] std::optional<AnyCayley> cayley() const override {
    if constexpr (CayleyTopology<T>)
      return any_cayley(topology());
    else
      return std::nullopt;
  }

  [[nodiscard]] std::optional<std::uint64_t> link_count() const override {
    if constexpr (requires { closed_link_count(topology()); })
      return closed_link_count(topology());
    else
      return lockstep::link_count(topology());
  }

  [[nodiscard]] std::optional<std::uint64_t> diameter() const override {
    if constexpr (requires { topology().diameter(); }) return topology().diameter();
    const std::uint64_t roots = symmetric() ? 1 : topology().node_count();
    if (topology().node_count() > searchable_nodes ||
        roots * topology().node_count() * topology().max_degree() > searchable_arcs)
      return std::nullopt;
    return lockstep::diameter(topology());
  }

  [[nodiscard]] std::vector<std::uint64_t> level_sizes(NodeId from) const override {
    std::vector<std::uint64_t> levels;
    if constexpr (requires { closed_level_sizes(topology()); })
      levels = closed_level_sizes(topology());
    else if constexpr (requires { topology().level_sizes(from); })
      levels = topology().level_sizes(from);
    if (levels.empty() && topology().node_count() <= searchable_nodes)
      levels = lockstep::level_sizes(topology(), from);
    return levels;
  }

  [[nodiscard]] std::optional<NodeId> find(const std::string& text) const override {
    if constexpr (requires { node_from_label(topology(), text); }) {
      return node_from_label(topology(), text);
    } else {
      for (std::uint64_t u = 0; u < std::min(topology().node_count(), searchable_nodes); ++u)
        if (topology().label(NodeId{u}) == text) return NodeId{u};
      return std::nullopt;
    }
  }

  [[nodiscard]] const void* address_if(const std::type_info& type) const noexcept override {
    return type == typeid(T) ? &topology() : nullptr;
  }

 private:
  using TopologyBehind<T, AnyTopologyInterface>::topology;
};

template <Topology T>
[[nodiscard]] AnyTopology any_topology(T topology) {
  return AnyTopology(std::make_shared<TopologyModel<T>>(std::move(topology)));
}

}  // namespace lockstep::catalog
