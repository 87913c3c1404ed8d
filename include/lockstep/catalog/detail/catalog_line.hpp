// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A line of the catalogue: an algorithm with its type forgotten.

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/catalog/detail/any_program.hpp"
#include "lockstep/core/detail/std_basics.hpp"
#include "lockstep/machine/detail/machine_memory.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/switch_tree.hpp"

namespace lockstep::catalog {

/// An algorithm for one network and one choice of settings, and how its program is made.
struct AlgorithmInstance {
  std::shared_ptr<const Algorithm> algorithm;
  std::function<std::unique_ptr<AnyProgram>()> program;
  std::optional<ProgramFacts> facts{};  ///< where the line cannot know the program's type
};

struct CatalogLine {
  AlgorithmEntry entry;
  ProgramFacts program;
  /// The pattern that is made before anything is chosen; empty where it is no PatternedAlgorithm.
  Pattern (*fixed_pattern)(const AnyTopology& topology, const Settings& settings);
  std::function<AlgorithmInstance(const AnyTopology& topology, const Settings& settings,
                                  const Pattern& fixed)>
      make;
  /// The settings that the algorithm chooses from; always empty where it is not an OpenAlgorithm.
  std::function<std::vector<Settings>(const AnyTopology& topology, const Settings& settings,
                                      const Pattern& fixed, double startup_blocks)>
      choices;
  /// The promise is a formula: it costs nothing on networks of any size. Otherwise a plan may have
  /// to be made for it.
  bool by_formula = false;
  bool suits_any = false;  ///< knows a network by its neighbours only, whatever its family
};

/// The topology as algorithms for T take it: T itself, any Cayley graph as AnyCayley, anything as
/// ErasedTopology, a fat tree or an XGFT as SwitchTree, a ring as a torus of one dimension, which
/// has the same ports. Empty if it is none.
template <class T>
[[nodiscard]] std::optional<T> topology_for(const ErasedTopology& topology) {
  if constexpr (std::is_same_v<T, AnyCayley>) {
    return topology.cayley();
  } else if constexpr (std::is_same_v<T, ErasedTopology>) {
    return topology;
  } else if constexpr (std::is_same_v<T, SwitchTree>) {
    return switch_tree(topology);
  } else {
    if (const T* const own = topology.as<T>()) return *own;
    if constexpr (std::is_same_v<T, Torus>)
      if (const Ring* const ring = topology.as<Ring>()) return Torus({ring->node_count()});
    return std::nullopt;
  }
}

/// The facts of a program that machines ask for, where its type is known; for a choice, those of
/// the first program.
template <class P>
struct FactsOfType {
  static constexpr ProgramFacts value = facts_of<P>();
};
template <class P, class... Others>
struct FactsOfType<std::variant<P, Others...>> : FactsOfType<P> {
  /// The facts of all programs of the choice, by number.
  static constexpr std::array all{FactsOfType<P>::value, FactsOfType<Others>::value...};
};

template <AlgorithmClass A>
[[nodiscard]] Pattern fixed_pattern_of(const AnyTopology& topology, const Settings& settings) {
  if constexpr (PatternedAlgorithm<A>)
    return A::fixed_pattern(*topology_for<typename A::TopologyType>(topology), settings);
  else
    return {};
}

/// Its program, or the one of a choice of programs.
template <class Net, class A>
[[nodiscard]] AlgorithmInstance instance_of(const std::shared_ptr<const Net>& network,
                                            const std::shared_ptr<const A>& algorithm) {
  using Programs = decltype(algorithm->program());
  if constexpr (Program<Programs>)
    return {algorithm,
            [network, algorithm] { return any_program(*network, algorithm->program()); }};
  else
    return {algorithm,
            [network, algorithm] {
              return std::visit(
                  [&network](auto program) { return any_program(*network, std::move(program)); },
                  algorithm->program());
            },
            FactsOfType<Programs>::all.at(algorithm->program_type())};
}

template <AlgorithmClass A>
[[nodiscard]] AlgorithmInstance make_algorithm(const AnyTopology& topology,
                                               const Settings& settings, const Pattern& fixed) {
  using Net = typename A::TopologyType;
  const auto network = std::make_shared<const Net>(*topology_for<Net>(topology));
  if constexpr (PatternedAlgorithm<A>)
    return instance_of(network, std::make_shared<const A>(*network, settings, fixed));
  else
    return instance_of(network, std::make_shared<const A>(*network, settings));
}

template <AlgorithmClass A>
[[nodiscard]] std::vector<Settings> choices_of(const AnyTopology& topology,
                                               const Settings& settings, const Pattern& fixed,
                                               double startup_blocks) {
  using Net = typename A::TopologyType;
  if constexpr (requires(const Net& network) {
                  A::choices(network, settings, fixed, startup_blocks);
                })
    return A::choices(*topology_for<Net>(topology), settings, fixed, startup_blocks);
  else if constexpr (OpenAlgorithm<A>)
    return A::choices(*topology_for<Net>(topology), settings, startup_blocks);
  else
    return {};
}

/// Networks of type T that `admits`, null: all. Of the type of the network alone: there are ten
/// times as many algorithms.
template <class T>
[[nodiscard]] SupportedNetworks networks_of_type(std::string_view text, bool (*admits)(const T&)) {
  return {text, [admits](const ErasedTopology& topology) {
            const auto network = topology_for<T>(topology);
            return network.has_value() && (admits == nullptr || admits(*network));
          }};
}

/// A::admits; null if it has none.
template <AlgorithmClass A>
[[nodiscard]] constexpr auto admits_in() {
  bool (*admits)(const typename A::TopologyType&) = nullptr;
  if constexpr (requires { &A::admits; }) admits = &A::admits;
  return admits;
}

/// A line of the catalogue, for the networks that the algorithm names unless others are given.
/// Precondition: `networks` are of the algorithm's type.
template <AlgorithmClass A>
[[nodiscard]] CatalogLine line(SupportedNetworks networks = A::networks()) {
  using ProgramType = decltype(std::declval<const A&>().program());
  static_assert(
      OpenAlgorithm<A> || !requires { &A::choices; },
      "algorithm: static std::vector<Settings> choices(const TopologyType&, const "
      "Settings&, double startup_blocks)");
  CatalogLine made{.entry = {A::info, std::move(networks)},
                   .program = FactsOfType<ProgramType>::value,
                   .fixed_pattern = fixed_pattern_of<A>,
                   .make = make_algorithm<A>,
                   .choices = choices_of<A>};
  constexpr bool by_neighbours = std::is_same_v<typename A::TopologyType, ErasedTopology>;
  made.suits_any = by_neighbours && made.entry.networks.is_general();
  made.entry.info.plans_every_node |= by_neighbours;
  made.entry.info.general |= made.suits_any;
  return made;
}

/// A line whose algorithm promises its cost by a formula.
template <AlgorithmClass A>
[[nodiscard]] CatalogLine formula(SupportedNetworks networks = A::networks()) {
  CatalogLine made = line<A>(std::move(networks));
  made.by_formula = true;
  return made;
}

}  // namespace lockstep::catalog
