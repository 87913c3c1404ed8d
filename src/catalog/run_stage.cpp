// SPDX-License-Identifier: Apache-2.0
#include "catalog/run_stage.hpp"

#include <algorithm>
#include <utility>

#include "catalog/memory.hpp"
#include "lockstep/cost/model.hpp"

namespace lockstep::catalog {
namespace {

[[nodiscard]] MachineOptions machine_options(const RunEstimate& run, const RunRequest& request,
                                             const RunControl& control, QueueLedger* queues) {
  return {.model = run.model,
          .block_bytes = run.part_bytes(),
          .processors_per_task = run.processors_per_task,
          .keep_series = request.keep_series,
          .stop_at_violation = request.stop_at_violation,
          .watch_waits = run.algorithm.unbuffered,
          .queues = queues,
          .watch_in_flight = control.watch_in_flight,
          .max_steps = control.max_steps,
          .trace = control.trace,
          .fault = request.fault,
          .disturb = request.disturb,
          .stop = control.stop,
          .observers = control.observers};
}

[[nodiscard]] ProvingHost::Parameters host_parameters(const RunEstimate& run,
                                                      const RunRequest& request) {
  return {.collective = run.collective.on(request.topology),
          .processors = run.processors,
          .block_bytes = run.message_bytes(),
          .seed = run.seed,
          .verify = run.verify,
          .parts_per_block = run.parts_per_message(),
          .input = request.input,
          .operation = request.combine};
}

[[nodiscard]] Expectations expectations(const RunEstimate& run) {
  return {.promise = run.predicted,
          .footprint = run.steps_known ? std::optional(run.footprint) : std::nullopt,
          .bound = run.lower_bound ? std::optional(run.lower_bound->of(run.parts_per_block()))
                                   : std::nullopt,
          .unbuffered = run.algorithm.unbuffered};
}

}  // namespace

RunStage::RunStage(const RunEstimate& run, const RunRequest& request, std::optional<Network> table,
                   const ProgramMachines& machines, const RunControl& control)
    : run_(run),
      request_(request),
      table_(std::move(table)),
      queues_(run.measures_queues && table_
                  ? std::optional<QueueLedger>(std::in_place, *table_, request.topology.levels())
                  : std::nullopt),
      run_on_(control.run_on),
      host_(host_parameters(run, request)),
      machine_(
          made(machines, machine_options(run, request, control, queues_ ? &*queues_ : nullptr))) {}

std::unique_ptr<AnyMachine> RunStage::made(const ProgramMachines& machines,
                                           const MachineOptions& options) {
  if (table_) return machines.machine(run_.channel, *table_, host_, options);
  return machines.one_box_machine(host_, options);
}

RunRecord RunStage::record(Executor& executor) { return machine_->run(executor); }

RunResult RunStage::result(Clock::time_point start) {
  const std::unique_ptr<Executor> made =
      run_on_ == nullptr ? make_executor(request_.executor, run_.workers) : nullptr;
  Executor& executor = run_on_ == nullptr ? *made : *run_on_;
  const std::chrono::duration<double> setup = Clock::now() - start;
  RunResult result{.estimate = run_, .record = record(executor)};
  result.setup_seconds = setup.count();
  result.cost = cost_of(result.record, run_.parts_per_block());
  result.judgement =
      judge(result.record, result.cost, host_.judge(result.record.deliveries), expectations(run_));
  if (request_.fault.kind != FaultKind::none && host_.verify() == VerifyKind::exact)
    result.missing = host_.all_missing();
  result.output = host_.take_output();
  result.peak_bytes = peak_.bytes();
  return result;
}

/// The ledger belongs to those who still work with it: deliveries are as the machine counted them.
RunResult interrupted_result(const RunEstimate& run, std::optional<RunRecord> finished) {
  RunResult result{.estimate = run,
                   .record = std::move(finished).value_or(RunRecord{.nodes = run.nodes,
                                                                    .processors = run.processors,
                                                                    .block_bytes = run.part_bytes(),
                                                                    .interrupted = true})};
  result.setup_seconds = result.record.wall.setup_seconds;
  result.cost = cost_of(result.record, run.parts_per_block());
  DeliveryVerdict deliveries{.expected = run.expected_messages, .tally = result.record.deliveries};
  deliveries.checked = run.verify != VerifyKind::off;
  const std::uint64_t arrived =
      deliveries.checked ? deliveries.tally.verified : deliveries.tally.delivered;
  deliveries.missing = deliveries.expected - std::min(arrived, deliveries.expected);
  result.judgement = judge(result.record, result.cost, deliveries, expectations(run));
  return result;
}

}  // namespace lockstep::catalog
