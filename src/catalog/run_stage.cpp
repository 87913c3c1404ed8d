// SPDX-License-Identifier: Apache-2.0
#include "catalog/run_stage.hpp"

#include <algorithm>
#include <utility>

#include "catalog/forecast.hpp"
#include "lockstep/cost/model.hpp"
#include "verify/shared_ledger.hpp"

namespace lockstep::catalog {

Expectations expectations(const RunForecast& run) {
  return {.promise = run.predicted,
          .footprint = run.steps_known ? std::optional(run.footprint) : std::nullopt,
          .bound = run.lower_bound ? std::optional(run.lower_bound->of(run.parts_per_block()))
                                   : std::nullopt,
          .unbuffered = run.algorithm.unbuffered,
          .network = run.network};
}

RunStage::RunStage(const RunForecast& run, const RunRequest& request, std::optional<Network> table,
                   const ProgramMachines& machines, const RunControl& control)
    : run_(run),
      request_(request),
      table_(std::move(table)),
      queues_(run.measures_queues && table_
                  ? std::optional<QueueLedger>(std::in_place, *table_, request.topology.levels())
                  : std::nullopt),
      run_on_(control.run_on),
      processes_(control.processes),
      host_(host_parameters(run, request, run.collective.on(request.topology))),
      machine_(
          made(machines, machine_options(run, request, control, queues_ ? &*queues_ : nullptr))) {}

std::unique_ptr<AnyMachine> RunStage::made(const ProgramMachines& machines,
                                           const MachineOptions& options) {
  if (table_) return machines.machine(run_.channel, *table_, host_, options);
  return machines.receive_once_machine(host_, options);
}

RunRecord RunStage::record() {
  if (run_on_ != nullptr) return machine_->run(*run_on_);
  executor_ = make_executor(request_.executor, run_.workers);
  return machine_->run(*executor_);
}

RunResult RunStage::result(Clock::time_point start) {
  RunResult result{.forecast = run_, .record = record()};
  // Workers use their memory for the first time after the machine is made.
  const std::chrono::duration<double> all = Clock::now() - start;
  result.setup_seconds = all.count() - result.record.wall.step_seconds;
  result.cost = cost_of(result.record, run_.parts_per_block());
  const SharedLedger ledger(host_, processes_, run_.nodes);
  result.judgement =
      judge(result.record, result.cost, ledger.judge(result.record.deliveries), expectations(run_));
  if (request_.fault.kind != FaultKind::none && host_.verify() == VerifyKind::exact)
    result.missing = ledger.all_missing();
  result.output = host_.take_output();
  result.peak_bytes = peak_.bytes();
  return result;
}

/// The ledger belongs to those who still work with it: deliveries are as the machine counted them.
RunResult interrupted_result(const RunForecast& run, std::optional<RunRecord> finished) {
  RunResult result{.forecast = run,
                   .record = std::move(finished).value_or(RunRecord{.nodes = run.nodes,
                                                                    .processors = run.processors,
                                                                    .block_bytes = run.part_bytes(),
                                                                    .interrupted = true})};
  result.setup_seconds = result.record.wall.setup_seconds;
  result.cost = cost_of(result.record, run.parts_per_block());
  DeliveryVerdict deliveries{.expected = run.expected_messages(),
                             .tally = result.record.deliveries};
  deliveries.checked = run.verify != VerifyKind::off;
  const std::uint64_t arrived =
      deliveries.checked ? deliveries.tally.verified : deliveries.tally.delivered;
  deliveries.missing = deliveries.expected - std::min(arrived, deliveries.expected);
  result.judgement = judge(result.record, result.cost, deliveries, expectations(run));
  return result;
}

}  // namespace lockstep::catalog
