// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Properties that a topology may know without a search, beyond the concept. It names them and has
/// the member for each:
///
///     static constexpr Knows knows = Knows::diameter | Knows::level_sizes;
///
/// A name without its member, or a member without its name, is an error where the topology is used,
/// not a silent search. closed_forms.hpp asks for all but the processors.

#include <cstdint>
#include <string>

#include "lockstep/core/ids.hpp"

namespace lockstep {

enum class Knows : std::uint16_t {
  nothing = 0,
  processors = 1U << 0U,   ///< processor_count(): the remaining nodes are switches
  diameter = 1U << 1U,     ///< diameter() of the whole network
  level_sizes = 1U << 2U,  ///< level_sizes(from) as metrics.hpp counts them, or level_sizes() where
                           ///< the network looks the same from every node
  bisection = 1U << 3U,    ///< bisection(): the cut through its middle; no links if none is known
  arc_classes = 1U << 4U,  ///< arc_classes(): what pairs need of the arcs of each factor
  link_count = 1U << 5U,   ///< link_count(); empty where it exceeds 64 bits
  find = 1U << 6U,         ///< find(label): the node with that label, if there is one
  port_label = 1U << 7U,   ///< port_label(u, p), as the papers call it: "dimension 4"
  levels = 1U << 8U        ///< levels() of a network of switches, from the processors up: the nodes
                           ///< of a level are numbered one after the other
};

[[nodiscard]] constexpr Knows operator|(Knows a, Knows b) noexcept {
  return static_cast<Knows>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

namespace detail {

template <class T>
[[nodiscard]] constexpr bool names(Knows what) noexcept {
  if constexpr (requires { T::knows; })
    return (static_cast<unsigned>(T::knows) & static_cast<unsigned>(what)) != 0;
  else
    return false;
}

/// Compile-time checks of the optional members of a topology, with one sentence each.
template <class T>
struct KnowledgeCheck {
  static_assert(
      names<T>(Knows::processors) == requires(const T& t) { t.processor_count(); },
      "topology: Knows::processors and std::uint64_t processor_count() const, or neither");
  static_assert(
      names<T>(Knows::diameter) == requires(const T& t) { t.diameter(); },
      "topology: Knows::diameter and std::uint64_t diameter() const, or neither");
  static_assert(names<T>(Knows::level_sizes) ==
                    (
                        requires(const T& t) { t.level_sizes(); } ||
                        requires(const T& t, NodeId u) { t.level_sizes(u); }),
                "topology: Knows::level_sizes and std::vector<std::uint64_t> level_sizes() const, "
                "or level_sizes(NodeId) const, or neither");
  static_assert(
      names<T>(Knows::bisection) == requires(const T& t) { t.bisection(); },
      "topology: Knows::bisection and Cut bisection() const, or neither");
  static_assert(
      names<T>(Knows::arc_classes) == requires(const T& t) { t.arc_classes(); },
      "topology: Knows::arc_classes and std::vector<ArcClass> arc_classes() const, or "
      "neither");
  static_assert(
      names<T>(Knows::link_count) == requires(const T& t) { t.link_count(); },
      "topology: Knows::link_count and std::uint64_t link_count() const, or neither");
  static_assert(
      names<T>(Knows::find) == requires(const T& t, const std::string& label) { t.find(label); },
      "topology: Knows::find and std::optional<NodeId> find(const std::string&) const, or "
      "neither");
  static_assert(
      names<T>(Knows::port_label) == requires(const T& t, NodeId u, Port p) { t.port_label(u, p); },
      "topology: Knows::port_label and std::string port_label(NodeId, Port) const, or "
      "neither");
  static_assert(
      names<T>(Knows::levels) == requires(const T& t) { t.levels(); },
      "topology: Knows::levels and std::vector<Level> levels() const, or neither");
};

}  // namespace detail

/// Whether a topology of this type knows it.
template <class T>
[[nodiscard]] constexpr bool knows(Knows what) noexcept {
  static_assert(sizeof(detail::KnowledgeCheck<T>) != 0);
  return detail::names<T>(what);
}

}  // namespace lockstep
