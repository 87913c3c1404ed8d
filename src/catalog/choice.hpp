// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The second stage of preparation: on which machine an algorithm carries out a request. Nothing
/// here knows a plan.

#include <cstdint>
#include <optional>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/machine/detail/machine_memory.hpp"

namespace lockstep::catalog {

/// Completes what is said of algorithm, settings and collective. Throws InvalidParameter where the
/// request does not fit together.
[[nodiscard]] RunChoice choice_of(RunChoice claimed, const ProgramFacts& program,
                                  const RunRequest& request);

/// The same choice, with only the facts that the memory of the machine depends on: nothing is
/// searched for it.
[[nodiscard]] RunChoice least_choice(const AlgorithmInfo& algorithm, const ProgramFacts& program,
                                     const RunRequest& request);

/// Throws InvalidParameter where the channels asked for cannot carry what such programs send.
void check_channel(const RunRequest& request, const ProgramFacts& program,
                   const AlgorithmInfo& info);

/// Those that can, whatever the request asks for.
[[nodiscard]] std::vector<ChannelKind> channels_for(const RunRequest& request,
                                                    const ProgramFacts& program,
                                                    const AlgorithmInfo& info);

/// As many places for arcs as the tables will have.
[[nodiscard]] ArcLayout arcs_of(std::uint64_t nodes, std::uint64_t degree,
                                const std::optional<std::uint64_t>& links);
/// Without the blocks of a plan.
[[nodiscard]] MachineSize machine_size(const RunChoice& run);

}  // namespace lockstep::catalog
