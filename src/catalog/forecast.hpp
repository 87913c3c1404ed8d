// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The cost, memory and time of a plan, and whether this host has enough. The code here does not
/// depend on the types of topology and algorithm.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/machine/detail/machine_memory.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/verify/delivery.hpp"

namespace lockstep::catalog {

/// Memory that an algorithm may state beside its footprint.
struct PlanMemory {
  std::uint64_t planning_bytes =
      0;                        ///< most bytes held while the plan is made, where it needs more
  std::vector<Level> levels{};  ///< the part of the network that it uses; empty: all of it
  std::optional<MachineSize> size{};  ///< of a program that is there; empty: by the footprint
};

/// The last stage of preparation: what the plan will take on this host, and come to. `predicted`:
/// the algorithm's own closed form.
[[nodiscard]] RunForecast forecast_of(RunPlan planned, std::optional<Cost> predicted,
                                      const ProgramFacts& program, const RunRequest& request,
                                      const PlanMemory& plan = {});

/// The machine and the host of a run.
[[nodiscard]] MachineOptions machine_options(const RunForecast& run, const RunRequest& request,
                                             const RunControl& control = {},
                                             QueueLedger* queues = nullptr);
[[nodiscard]] ProvingHost::Parameters host_parameters(const RunPlan& run, const RunRequest& request,
                                                      const Collective& collective);

/// The time to use the memory of the run for the first time; part of rough_seconds.
[[nodiscard]] constexpr double first_use_seconds(const RunForecast& run) {
  constexpr double seconds_per_byte = 1e-9;
  return static_cast<double>(run.memory_bytes) * seconds_per_byte;
}

/// The bytes of the network as a table.
[[nodiscard]] std::uint64_t table_bytes(const AnyTopology& topology);

/// Throws ResourceExhausted, with both, where the bytes are not there.
void check_memory(std::string_view what, std::uint64_t needed, std::uint64_t available);

/// Before a plan for every node is begun: the same of the least machine that would carry it out. On
/// small networks nothing is checked: the plan is there in a moment, and more can be told then.
void check_least_memory(const AlgorithmInfo& algorithm, const ProgramFacts& program,
                        const RunRequest& request);

/// The same of a run, and of its time.
void check_resources(const RunForecast& estimate, const RunRequest& request);

}  // namespace lockstep::catalog
