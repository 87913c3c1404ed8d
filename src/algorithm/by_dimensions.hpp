// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gathers and total exchanges in products, dimension by dimension: phase j is one in each line
/// of its dimension, whose messages carry all blocks that go the same way. Rotated: part c of a
/// block takes the dimensions c, c + 1, .., c - 1 (cyclic), all parts at the same time; each phase
/// lasts as long as its longest dimension (Johnsson and Ho 1989).
///
///     all_gather_by_dimensions(network, Ports::one, Rotated::no);

#include <functional>

#include "algorithm/pipeline.hpp"
#include "lockstep/program/plan/transfers.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

enum class Rotated : std::uint8_t { no, yes };

[[nodiscard]] Transfers all_gather_by_dimensions(const ErasedTopology& network, Ports ports,
                                                 Rotated rotated);
/// `line_exchange`: of a dimension.
[[nodiscard]] Transfers total_exchange_by_dimensions(
    const ErasedTopology& network, Rotated rotated,
    const std::function<Transfers(const ErasedTopology& line)>& line_exchange);

}  // namespace lockstep
