// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Moves by which plans of transfers are compared.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "lockstep/program/plan/transfers.hpp"

namespace lockstep::test {

/// Each transfer with its port, in one order.
[[nodiscard]] inline auto moves_of(const Transfers& plan, const ErasedTopology& network) {
  using Number = std::uint32_t;
  std::vector<std::tuple<Number, Number, Number, Number, Number, Port, std::uint16_t>> moves;
  for (const Transfer& one : plan.list) {
    Port through = one.port;
    for (std::size_t p = 0; through == first_port_there; ++p)
      if (network.neighbor(NodeId{one.from}, port(p)) == NodeId{one.to}) through = port(p);
    moves.emplace_back(one.step, one.source, one.destination, one.from, one.to, through, one.part);
  }
  std::ranges::sort(moves);
  return moves;
}

}  // namespace lockstep::test
