// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What is known of a run before anything is built, and whether this host can carry it. All that
/// does not depend on the types of topology and algorithm.

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/catalog/catalog.hpp"

namespace lockstep::catalog {

/// What is known of a program by its type.
struct ProgramFacts {
  std::uint64_t variables_bytes = 0;  ///< of a processor, beside its blocks
  bool receives_once = false;         ///< SingleReceptionProgram
  bool takes_routes = false;          ///< RoutingProgram
  std::size_t label_bytes = 0;        ///< of a block: LabelledProgram
};

/// Completes what the algorithm says of the request: topology, algorithm, settings, footprint and
/// predicted cost. Throws InvalidParameter where the request does not fit together.
[[nodiscard]] RunEstimate estimate_of(RunEstimate claimed, const ProgramFacts& program,
                                      const RunRequest& request);

/// Throws ResourceExhausted, with what is needed and what is available.
void check_resources(const RunEstimate& estimate, const RunRequest& request);

}  // namespace lockstep::catalog
