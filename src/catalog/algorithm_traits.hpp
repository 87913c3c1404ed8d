// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the catalogue asks of any algorithm, whatever members it has.

#include <optional>
#include <type_traits>

#include "catalog/extrapolation.hpp"
#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/largest_queue.hpp"
#include "lockstep/report/run_result.hpp"
#include "lockstep/topology/any_cayley.hpp"

namespace lockstep::catalog {

/// The topology as algorithms for T take it: T itself, or any Cayley graph as AnyCayley. Empty if
/// it is none.
template <class T>
[[nodiscard]] std::optional<T> topology_for(const AnyTopology& topology) {
  if constexpr (std::is_same_v<T, AnyCayley>) {
    return topology.cayley();
  } else {
    const T* const own = topology.as<T>();
    return own == nullptr ? std::nullopt : std::optional<T>(*own);
  }
}

/// The parameters with defaults filled in, as the algorithm took them.
template <class A>
[[nodiscard]] AlgorithmParameters parameters_of(const A& algorithm, AlgorithmParameters given) {
  if constexpr (requires { algorithm.chain(); }) given.k = packing_factors(algorithm.chain());
  return given;
}

/// The port model is the algorithm's, or that of the plan it reads.
template <class A>
[[nodiscard]] AlgorithmInfo info_of(const A& algorithm) {
  AlgorithmInfo info = A::info;
  if constexpr (requires { algorithm.port_model(); }) info.model = algorithm.port_model();
  return info;
}

/// What the plan itself says once the run is over: the largest queue of one that succeeded, and
/// where a user's plan broke a rule.
template <class A, class ProgramType>
void add_figures_of_plan(RunResult& result, const A& algorithm, const ProgramType& program) {
  if constexpr (requires { algorithm.own_blocks(); })
    if (result.ok())
      result.largest_queue = largest_queue(program.schedule(), algorithm.own_blocks());
  if constexpr (requires { algorithm.place_of(std::uint64_t{}); })
    if (!result.record.legal())
      result.plan_place = algorithm.place_of(result.record.violations.front().step);
}

}  // namespace lockstep::catalog
