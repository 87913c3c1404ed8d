// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The moves that schedules are made of (program/node_invariant_schedule.hpp).

#include <cstdint>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/blocks.hpp"

namespace lockstep {

/// A run of consecutive entries of NodeInvariantSchedule::elements().
struct Elements {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// One thing that every processor does in a step.
struct Action {
  enum class Kind : std::uint8_t {
    take_store,         ///< arrival through `port` -> blocks
    take_scatter,       ///< arrival through `port` -> gather list `list` of blocks.region
    take_deliver,       ///< arrival through `port`: block i from u elements[i]
    take_combine,       ///< blocks o arrival through `port` -> blocks
    take_combine_list,  ///< the same for gather list `list` of blocks.region
    take,               ///< arrival through `port`: not used
    take_combine_into,  ///< blocks <- as many from slot `list` of their region o arrival
    combine,            ///< blocks <- as many from slot elements.first o as many from slot `list`
    load,               ///< block i <- own block for (u element) elements[i]
    deliver,            ///< own block i, from u elements[i]
    send,               ///< blocks through `port`
    send_list,          ///< gather list `list` of blocks.region through `port`
    // Of schedules by node only (program/schedule.hpp), in which elements are nodes as they are,
    // and a load or delivery without elements means the node itself.
    load_pairs,      ///< block i <- own block of origin elements[2i] for node elements[2i + 1]
    copy,            ///< blocks <- as many from slot `list` of region elements.first
    send_route,      ///< blocks over route elements.first
    send_route_list  ///< gather list `list` of blocks.region over route elements.first
  };
  Kind kind : 8;  // one word with the port: plans have millions of actions
  Port port : 24;
  Blocks blocks;
  Elements elements;
  std::uint32_t element_or_list;

  constexpr Action(Kind what, Port through, Blocks own, Elements addresses,
                   std::uint32_t number) noexcept
      : kind(what), port(through), blocks(own), elements(addresses), element_or_list(number) {}
};

/// Whether the action is the reception of a message of the step before.
[[nodiscard]] constexpr bool is_reception(Action::Kind kind) noexcept {
  return kind <= Action::Kind::take_combine_into;
}

}  // namespace lockstep
