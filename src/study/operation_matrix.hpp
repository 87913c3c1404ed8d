// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The algorithms that run by default: a row per network, a column per operation; in each cell the
/// algorithm that a run without --algorithm takes, and its port model.

#include <optional>
#include <string>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/collective/collective.hpp"
#include "lockstep/report/table.hpp"

namespace lockstep::study {

/// "tree, all-port-half-duplex"; empty where no algorithm of the catalogue carries out the
/// operation on this network.
[[nodiscard]] std::string default_algorithm(const AnyTopology& network, Operation operation);

/// The example of every family that has one.
[[nodiscard]] std::vector<AnyTopology> example_networks();

/// The matrix of all operations, or of one.
[[nodiscard]] Table operation_matrix(const std::vector<AnyTopology>& networks,
                                     std::optional<Operation> operation = std::nullopt);

}  // namespace lockstep::study
