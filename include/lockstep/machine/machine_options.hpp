// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How a machine runs a program: what is recorded, what is enforced, how it is cut into tasks.

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string_view>
#include <vector>

#include "lockstep/core/detail/std_basics.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/machine/fault.hpp"
#include "lockstep/machine/send_event.hpp"
#include "lockstep/machine/step_observer.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/program/work.hpp"

namespace lockstep {

class Processes;
class QueueLedger;

/// The largest block.
inline constexpr std::size_t max_block_bytes = std::size_t{1} << 40U;

/// Throws InvalidParameter where no block is so long.
void check_block_bytes(std::size_t bytes);

struct MachineOptions {
  PortModel model = port_models::single_port;
  std::size_t block_bytes = 8;
  std::uint64_t processors_per_task = 0;  ///< 0: an equal share for each worker
  /// Slot channels keep rows: `row` channels where processors run in groups.
  bool rows = true;
  bool keep_series = false;  ///< per-step records
  bool stop_at_violation = true;
  bool watch_waits = false;       ///< RunRecord::waits
  QueueLedger* queues = nullptr;  ///< measures what waits in switches: RunRecord::queues
  /// Enforces Rule::in_flight for programs whose processors make different moves. If it is off, the
  /// record says so, and changing a block that is being read is a data race.
  bool watch_in_flight = true;
  std::uint64_t max_steps = 0;  ///< a longer run is interrupted; 0: no limit
  /// The processes that share the run; null: this one alone. Each makes a machine of the same
  /// parts.
  Processes* processes = nullptr;
  SendTrace* trace = nullptr;  ///< receives every message, by step and sender; slow, and long
  Fault fault{};               ///< stress only
  std::function<void(std::uint64_t, std::size_t)> disturb{};  ///< stress only: (step, task)
  std::stop_token stop{};                                     ///< looked at between steps
  std::vector<StepObserver*> observers{};                     ///< none of them null
  ExpectedStep step{};  ///< decides whether workers share steps
};

namespace detail {

/// The parts of a machine that is about to be made.
struct MachineParts {
  std::string_view channels{};  ///< their name
  bool wormhole = false;
  std::uint64_t nodes = 0;
  std::uint64_t degree = 0;
  std::uint64_t allowed_degree = 0;   ///< by the channels
  std::uint64_t degree_of_fault = 0;  ///< of the node that sends the faulty message
  const std::vector<std::uint32_t>& regions;
  const std::vector<Region>& control_regions;
};

/// Throws InvalidParameter where the parts or the options are out of range.
void check_machine(const MachineParts& parts, const MachineOptions& options);

}  // namespace detail

}  // namespace lockstep
