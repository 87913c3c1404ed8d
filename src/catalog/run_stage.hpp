// SPDX-License-Identifier: Apache-2.0
#pragma once

/// One run, carried out: of an algorithm of the catalogue (prepared_run.cpp) and of a program of
/// one's own (own_run.cpp) alike.

#include <chrono>
#include <memory>
#include <optional>

#include "catalog/memory.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/catalog/detail/program_machines.hpp"
#include "lockstep/machine/detail/queue_ledger.hpp"
#include "lockstep/topology/network.hpp"
#include "lockstep/verify/delivery.hpp"

namespace lockstep::catalog {

using Clock = std::chrono::steady_clock;

/// Host and machine of a run.
class RunStage {
 public:
  /// `table`: of the network; empty where the machine keeps one box per node. The others outlive
  /// this.
  RunStage(const RunForecast& run, const RunRequest& request, std::optional<Network> table,
           const ProgramMachines& machines, const RunControl& control);

  [[nodiscard]] RunRecord record();

  /// All that is known of the run afterwards; `start`: of its set-up.
  [[nodiscard]] RunResult result(Clock::time_point start);

 private:
  [[nodiscard]] std::unique_ptr<AnyMachine> made(const ProgramMachines& machines,
                                                 const MachineOptions& options);

  PeakMemory peak_;  // from before the others take theirs
  const RunForecast& run_;
  const RunRequest& request_;
  std::optional<Network> table_;
  std::optional<QueueLedger> queues_;
  Executor* run_on_;
  Processes* processes_;
  ProvingHost host_;
  std::unique_ptr<AnyMachine> machine_;
  std::unique_ptr<Executor> executor_;  // of this run
};

/// The expectations that the run is judged by.
[[nodiscard]] Expectations expectations(const RunForecast& run);

/// The result of a run that was given up: interrupted, with the steps that were finished.
[[nodiscard]] RunResult interrupted_result(const RunForecast& run,
                                           std::optional<RunRecord> finished);

}  // namespace lockstep::catalog
