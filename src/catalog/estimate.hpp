// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What is known of a run before anything is built, and whether this host can carry it. All that
/// does not depend on the types of topology and algorithm.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/machine/machine_memory.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep::catalog {

/// What an algorithm may know of its memory beside its footprint.
struct PlanMemory {
  std::uint64_t planning_bytes =
      0;                        ///< most bytes held while the plan is made, where it needs more
  std::vector<Level> levels{};  ///< the part of the network that it uses; empty: all of it
  std::optional<MachineSize> size{};  ///< of a program that is there; empty: by the footprint
};

/// Completes what the algorithm says of the request: topology, algorithm, settings, collective,
/// footprint and predicted cost. Throws InvalidParameter where the request does not fit together.
[[nodiscard]] RunEstimate estimate_of(RunEstimate claimed, const ProgramFacts& program,
                                      const RunRequest& request, const PlanMemory& plan = {});

/// Throws InvalidParameter where the channels asked for cannot carry what such programs send. Needs
/// no plan.
void check_channel(const RunRequest& request, const ProgramFacts& program,
                   const AlgorithmInfo& info);

/// Those that can, whatever the request asks for.
[[nodiscard]] std::vector<ChannelKind> channels_for(const RunRequest& request,
                                                    const ProgramFacts& program,
                                                    const AlgorithmInfo& info);

/// What it takes to use the memory of the run for the first time; part of rough_seconds.
[[nodiscard]] constexpr double first_use_seconds(const RunEstimate& run) {
  constexpr double seconds_per_byte = 1e-9;
  return static_cast<double>(run.memory_bytes) * seconds_per_byte;
}

/// What may be taken where `limit` bytes are allowed; 0: any number.
[[nodiscard]] std::uint64_t available_bytes(std::uint64_t limit);

/// Of the network, tabulated.
[[nodiscard]] std::uint64_t table_bytes(const AnyTopology& topology);

/// Throws ResourceExhausted, with both, where the bytes are not there.
void check_memory(std::string_view what, std::uint64_t needed, std::uint64_t available);

/// Before a plan for every node is begun: the same of the least machine that would carry it out. On
/// small networks nothing is checked: the plan is there in a moment, and more can be told then.
void check_least_memory(const AlgorithmInfo& algorithm, const ProgramFacts& program,
                        const RunRequest& request);

/// The same of a run, and of its time.
void check_resources(const RunEstimate& estimate, const RunRequest& request);

}  // namespace lockstep::catalog
