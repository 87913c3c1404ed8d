// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchanges of Cayley graphs in which all nodes make the same moves: algorithms of their
/// own, and parts of exchanges of products (factor_exchange.hpp).

#include "algorithm/total_exchange/queue_discipline.hpp"
#include "lockstep/program/plan/transfers.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/topology/any_cayley.hpp"

namespace lockstep {

/// One message per step, from one queue per node. Throws InvalidParameter where there are too many.
[[nodiscard]] Transfers queued_exchange(const AnyCayley& group, QueueDiscipline discipline);

/// All ports at once, by an edge colouring. Precondition: edge_colouring_exchange.networks admits
/// the group. Throws InvalidParameter where there are too many hops.
[[nodiscard]] Transfers coloured_exchange(const AnyCayley& group, Duplex duplex);

}  // namespace lockstep
