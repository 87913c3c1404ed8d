// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The lower bounds of a collective on a network, from what its family knows of it or a search
/// finds. They depend on network, operation and port model only, never on an algorithm.
///
///     lower_bound_on(AnyTopology("hypercube:3"), {Operation::total_exchange},
///                    port_models::single_port)->least == Cost{3, 12};
///
/// Laws:
///   models      A port model that admits another one has no higher bound, term by term.
///   mirrors     Broadcast and reduce, scatter and gather, all-gather and reduce-scatter have equal
///               bounds where the port model sends as many messages as it receives.
///   names       A network has the same bounds under every name and numbering. Exceptions go
///               by more than the links of the network. Message times of a total
///               exchange that go by a cut or by one class of ports take the bisection, the factors
///               or the generators of a family, or a search that depends on the numbering of the
///               nodes. All bounds of fat trees, XGFTs and k-ary trees also go by the levels of the
///               switches.
///               Networks that are not Cayley graphs are searched from one node only beyond 2,048
///               nodes; with switches, and for odd distances, beyond 512.

#include <optional>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/collective/collective.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/verify/lower_bounds.hpp"

namespace lockstep::catalog {

/// The bound counts whole blocks, whatever parts they travel in. It uses degrees alone if the
/// network is too large to be searched.
[[nodiscard]] std::optional<LowerBound> lower_bound_on(const AnyTopology& topology,
                                                       const Collective& collective,
                                                       const PortModel& model);

}  // namespace lockstep::catalog
