// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A line of the catalogue: an algorithm with its type forgotten.

#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "catalog/algorithm_traits.hpp"
#include "catalog/estimate.hpp"
#include "catalog/extrapolation.hpp"
#include "catalog/runner.hpp"
#include "lockstep/catalog/catalog.hpp"

namespace lockstep::catalog {

struct CatalogLine {
  AlgorithmEntry entry;
  bool (*admits)(const AnyTopology& topology);
  std::unique_ptr<PreparedRun> (*prepare)(const AnyTopology& topology, const RunRequest& request);
};

template <Algorithm A>
[[nodiscard]] std::unique_ptr<PreparedRun> prepare_with(const AnyTopology& topology,
                                                        const RunRequest& request) {
  const auto type = *topology_for<typename A::TopologyType>(topology);
  AlgorithmParameters given = request.parameters;
  if (given.batch == automatic_batch) {
    given.batch = 1;
    const AlgorithmParameters filled = parameters_of(A(type, given), given);
    given.batch = batch_of(filled.k, topology.node_count());
  }
  A algorithm(type, given);
  using ProgramType = decltype(algorithm.program());
  using Memory = typename ProgramType::Memory;
  const Claims claims{.info = info_of(algorithm),
                      .parameters = parameters_of(algorithm, given),
                      .footprint = algorithm.footprint(),
                      .promise = algorithm.promise(),
                      .variables_bytes = std::is_empty_v<Memory> ? 0 : sizeof(Memory),
                      .receives_once = SingleReceptionProgram<ProgramType>};
  return std::make_unique<AlgorithmRun<A>>(topology, std::move(algorithm), request,
                                           estimate_of(topology, claims, request));
}

/// Networks of the algorithm's type, or those of them that it names.
template <Algorithm A>
[[nodiscard]] bool admits(const AnyTopology& topology) {
  const auto type = topology_for<typename A::TopologyType>(topology);
  if constexpr (requires { A::admits(*type); })
    return type.has_value() && A::admits(*type);
  else
    return type.has_value();
}

/// A line of the catalogue; `topologies` as users write them: "star".
template <Algorithm A>
[[nodiscard]] CatalogLine line(std::string_view topologies) {
  return {{A::info, topologies}, admits<A>, prepare_with<A>};
}

}  // namespace lockstep::catalog
