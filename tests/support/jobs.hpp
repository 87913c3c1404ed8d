// SPDX-License-Identifier: Apache-2.0
#pragma once

/// One program, run by the machine in every way it can be run, and by the reference machine.
///
///     const Outcome expected = run_reference(network, program, job);
///     for (const Conditions& conditions : all_conditions(every_channel))
///       expect_same(run(network, program, job, conditions), expected);

#include <gtest/gtest.h>

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "lockstep/machine/channels.hpp"
#include "lockstep/machine/schedule_machines.hpp"
#include "lockstep/program/erased_program.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/network.hpp"
#include "reference/reference_machine.hpp"
#include "support/executors.hpp"
#include "support/recording_host.hpp"

namespace lockstep::test {

inline const std::vector<ChannelKind> every_channel{ChannelKind::slot, ChannelKind::spsc,
                                                    ChannelKind::mailbox};

/// What is run: everything that may change the result.
struct Job {
  PortModel model = port_models::single_port;
  Collective collective{Operation::total_exchange};
  std::size_t block_bytes = 8;
  VerifyKind verify = VerifyKind::exact;
  bool keep_series = true;
  bool stop_at_violation = true;
  bool watch_waits = true;
  Fault fault{};
};

/// How it is run: nothing of it may change the result.
struct Conditions {
  ChannelKind channel = ChannelKind::slot;
  ExecutorKind executor = executor_kind();
  std::size_t workers = 2;
  std::uint64_t processors_per_task = 0;
  std::function<void(std::uint64_t, std::size_t)> disturb{};
  SendTrace* trace = nullptr;
};

inline std::string described(const Conditions& conditions) {
  const char* const channels[] = {"automatic", "spsc", "slot", "mailbox", "wormhole"};
  const char* const executors[] = {"tbb", "thread", "serial"};
  return std::string(channels[static_cast<std::size_t>(conditions.channel)]) + ", " +
         executors[static_cast<std::size_t>(conditions.executor)] + ", workers " +
         std::to_string(conditions.workers) + ", block " +
         std::to_string(conditions.processors_per_task);
}

/// Every combination of the given channels with all executors, workers 1, 2, 3, 8 and blocks of 1,
/// 7, 1024 processors.
inline std::vector<Conditions> all_conditions(const std::vector<ChannelKind>& channels) {
  std::vector<Conditions> all;
  for (const ChannelKind channel : channels)
    for (const ExecutorKind executor : executor_kinds())
      for (const std::size_t workers : {1U, 2U, 3U, 8U})
        for (const std::uint64_t block : {1U, 7U, 1024U})
          if (executor != ExecutorKind::serial || workers == 1)
            all.push_back({channel, executor, workers, block, {}});
  return all;
}

/// Each value of each setting at least once.
inline std::vector<Conditions> some_conditions(const std::vector<ChannelKind>& channels) {
  std::vector<Conditions> all;
  for (const ChannelKind channel : channels) {
    all.push_back({channel, ExecutorKind::serial, 1, 1, {}});
    all.push_back({channel, executor_kind(), 2, 7, {}});
    all.push_back({channel, ExecutorKind::thread, 3, 1, {}});
    all.push_back({channel, executor_kind(), 8, 1024, {}});
  }
  return all;
}

struct Outcome {
  RunRecord record;
  DeliveryVerdict verdict;
  std::vector<MissingPair> missing;  ///< where the ledger is exact
  std::uint64_t digest = 0;          ///< of all deliveries
};

inline Outcome outcome_of(const RunRecord& record, const RecordingHost& host) {
  Outcome outcome{record, host.proving().judge(record.deliveries), {}, host.digest()};
  if (host.proving().verify() == VerifyKind::exact) outcome.missing = host.proving().all_missing();
  return outcome;
}

template <Topology Net>
RecordingHost host_for(const Net& network, const Job& job) {
  return RecordingHost({.collective = job.collective,
                        .processors = processor_count(network),
                        .block_bytes = job.block_bytes,
                        .verify = job.verify});
}

template <class Chans, Topology Net, Program Prog>
Outcome run_through(const Net& network, const Prog& program, const Job& job,
                    const Conditions& conditions) {
  RecordingHost host = host_for(network, job);
  Machine<Net, Prog, Chans> machine(network, program, host,
                                    {.model = job.model,
                                     .block_bytes = job.block_bytes,
                                     .processors_per_task = conditions.processors_per_task,
                                     .keep_series = job.keep_series,
                                     .stop_at_violation = job.stop_at_violation,
                                     .watch_waits = job.watch_waits,
                                     .trace = conditions.trace,
                                     .fault = job.fault,
                                     .disturb = conditions.disturb});
  const RunRecord record = machine.run(*make_executor(conditions.executor, conditions.workers));
  return outcome_of(record, host);
}

template <Topology Net, Program Prog>
Outcome run(const Net& network, const Prog& program, const Job& job,
            const Conditions& conditions = {}) {
  if constexpr (RoutingProgram<Prog>) {
    return run_through<WormholeChannels>(network, program, job, conditions);
  } else {
    switch (conditions.channel) {
      case ChannelKind::spsc:
        return run_through<SpscChannels>(network, program, job, conditions);
      case ChannelKind::mailbox:
        return run_through<MailboxChannels>(network, program, job, conditions);
      default:
        return run_through<SlotChannels>(network, program, job, conditions);
    }
  }
}

inline Outcome run_reference(const Network& network, const ErasedProgram& program, const Job& job,
                             ChannelKind like, SendTrace* trace) {
  RecordingHost host = host_for(network, job);
  reference::ReferenceOptions options{.model = job.model,
                                      .block_bytes = job.block_bytes,
                                      .keep_series = job.keep_series,
                                      .stop_at_violation = job.stop_at_violation,
                                      .watch_waits = job.watch_waits,
                                      .one_message_per_node = like == ChannelKind::mailbox,
                                      .fault = job.fault};
  if (trace != nullptr)
    options.on_send = [trace](const SendEvent& event) { trace->push_back(event); };
  const RunRecord record = reference::ReferenceMachine(network, program, host, options).run();
  return outcome_of(record, host);
}

/// `trace`: filled if given.
template <Topology Net, Program Prog>
Outcome run_reference(const Net& network, const Prog& program, const Job& job,
                      ChannelKind like = ChannelKind::slot, SendTrace* trace = nullptr) {
  const ErasedProgramOf<Prog> any(program);
  if constexpr (std::same_as<Net, Network>)
    return run_reference(network, any, job, like, trace);
  else
    return run_reference(build_network(network), any, job, like, trace);
}

}  // namespace lockstep::test
