// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchanges of small networks, hop by hop, that others are composed of
/// (product_exchange.hpp): linear arrays, rings, Cayley graphs and any graph, with one port or all.
///
///     ring_exchange(8, QueueDiscipline::message_shift).steps == 8;      // ceil(64 / 8)
///     linear_exchange(5, Ports::one).steps == 12;                   // (25 - 1) / 2

#include <cstdint>

#include "algorithm/pipeline.hpp"
#include "algorithm/total_exchange/queue_discipline.hpp"
#include "lockstep/program/plan/transfers.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/topology/network_shapes.hpp"

namespace lockstep {

/// All ports: furthest destination first in both directions, floor(n^2 / 4) steps (thesis, section
/// 4.2). One port: the directions take turns, and the last step of each, in which only the middle
/// link is used if n is even, is one step. Throws InvalidParameter for more than
/// most_planned_transfers.
[[nodiscard]] Transfers linear_exchange(std::uint64_t n, Ports ports);

/// Both directions at once (thesis, sections 4.3.1 and 4.3.2). Blocks go the shorter way; in a ring
/// of an even number of nodes, those to the opposite node go up from even nodes and down from odd
/// ones. Disciplines: fifo has the nearest destination at the head at first, message-shift the
/// furthest. Throws InvalidParameter for more than most_planned_transfers.
[[nodiscard]] Transfers ring_exchange(std::uint64_t n, QueueDiscipline discipline);

/// In a Cayley graph in which all nodes make the same moves, one message per step, from one queue
/// per node. Throws InvalidParameter where there are too many.
[[nodiscard]] Transfers queued_exchange(const AnyCayley& group, QueueDiscipline discipline);

/// All ports at once, by an edge colouring. Precondition: edge_colouring_exchange.networks admits
/// the group. Throws InvalidParameter where there are too many hops.
[[nodiscard]] Transfers coloured_exchange(const AnyCayley& group, Duplex duplex);

/// The best one known of the network: of a product, composed. Throws InvalidParameter where it is
/// too large to be planned hop by hop.
[[nodiscard]] Transfers exchange_of(const ErasedTopology& network, Ports ports);

/// Whether all ports of a Cayley graph are planned by an edge colouring.
[[nodiscard]] bool is_coloured(const ErasedTopology& network);

/// Whether it is a ring whose nodes are numbered along it, upwards through port 0.
[[nodiscard]] bool is_ring(const ErasedTopology& network);

}  // namespace lockstep
