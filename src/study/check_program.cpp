// SPDX-License-Identifier: Apache-2.0
#include "lockstep/study/check_program.hpp"

#include <memory>
#include <utility>

#include "study/stress_jobs.hpp"

namespace lockstep::detail {
namespace {

using study::Conditions;
using study::Job;
using study::RunOutcome;

/// Each value of each setting at least once. A receive-once machine has tasks of whole words
/// of 64 nodes.
[[nodiscard]] std::vector<Conditions> conditions_on(ChannelKind channel, bool receive_once) {
  const auto task = [receive_once](std::uint64_t size) {
    return receive_once ? std::uint64_t{64} : size;
  };
  return {{channel, ExecutorKind::serial, 1, task(1)},
          {channel, default_executor, 2, task(7)},
          {channel, ExecutorKind::thread, 3, task(1)},
          {channel, default_executor, 8, task(1024)}};
}

[[nodiscard]] RunOutcome outcome(const CheckedProgram& checked, const Job& job,
                                 const Conditions& conditions) {
  study::RecordingHost host = study::host_for(checked.network, job);
  MachineOptions options = study::options_of(job, conditions);
  if (job.receive_once) options.watch_waits = false;
  const std::unique_ptr<catalog::AnyMachine> machine =
      job.receive_once
          ? checked.machines.receive_once_machine(host, options)
          : checked.machines.machine(conditions.channel, checked.network, host, options);
  const RunRecord record = machine->run(*make_executor(conditions.executor, conditions.workers));
  return study::outcome_of(record, host);
}

/// All runs on one kind of channel. Stops at the first that differs.
void check_channel(const CheckedProgram& checked, const Job& job, ChannelKind channel,
                   ProgramCheckResult& result) {
  SendTrace expected_trace;
  const RunOutcome expected =
      study::run_reference(checked.network, checked.program, job, channel, &expected_trace);
  for (Conditions conditions : conditions_on(channel, job.receive_once)) {
    SendTrace trace;
    if (!job.receive_once) conditions.trace = &trace;
    std::vector<std::string> differences =
        study::differences(outcome(checked, job, conditions), expected);
    if (!job.receive_once && trace != expected_trace)
      differences.emplace_back("the messages are not those of the reference machine");
    ++result.runs;
    if (differences.empty()) continue;
    result.differences = {study::described(conditions)};
    result.differences.insert(result.differences.end(), differences.begin(), differences.end());
    return;
  }
}

}  // namespace

ProgramCheckResult check_program(const CheckedProgram& checked, const Collective& collective,
                                 const CheckOptions& options) {
  const Job job{
      .model = options.model, .collective = collective, .block_bytes = options.block_bytes};
  std::vector<std::pair<ChannelKind, bool>> machines;
  if (checked.routes)
    machines = {{ChannelKind::wormhole, false}};
  else
    machines = {
        {ChannelKind::slot, false}, {ChannelKind::spsc, false}, {ChannelKind::mailbox, false}};
  if (checked.makes_same_moves) machines.emplace_back(ChannelKind::row, false);
  if (checked.receives_once) machines.emplace_back(ChannelKind::mailbox, true);
  ProgramCheckResult result;
  for (const auto& [channel, receive_once] : machines) {
    if (!result.ok()) break;
    Job here = job;
    here.receive_once = receive_once;
    here.watch_waits = !receive_once;
    check_channel(checked, here, channel, result);
  }
  return result;
}

}  // namespace lockstep::detail
