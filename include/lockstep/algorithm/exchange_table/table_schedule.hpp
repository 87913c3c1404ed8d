// SPDX-License-Identifier: Apache-2.0
#pragma once

/// An exchange table as the list of moves that every processor follows. A row is one place in each
/// processor's memory, of one block by turns: the block of the word that is on its way through this
/// row. Nothing travels with a message; the step and the port tell row, word and position.
///
///     NodeInvariantSchedule schedule = table_schedule(star, table);         // all ports at once
///     NodeInvariantSchedule slow = one_word_at_a_time(star, table);         // one port per step

#include <cstdint>
#include <vector>

#include "lockstep/algorithm/exchange_table/exchange_table.hpp"
#include "lockstep/program/node_invariant_schedule.hpp"
#include "lockstep/topology/star_graph.hpp"

namespace lockstep {

/// Column t is step t. Throws InvalidParameter unless the table is a full one, without faults, for
/// this network.
[[nodiscard]] NodeInvariantSchedule table_schedule(const StarGraph& star,
                                                   const ExchangeTable& table);

/// The words of the table one after the other: one send and one reception per step.
[[nodiscard]] NodeInvariantSchedule one_word_at_a_time(const StarGraph& star,
                                                       const ExchangeTable& table);

/// At most this much memory for either plan.
[[nodiscard]] std::uint64_t table_schedule_bytes(const StarGraph& star, const ExchangeTable& table);

}  // namespace lockstep
