// SPDX-License-Identifier: Apache-2.0
#pragma once

/// One program, run by the machines in every way it can be run, and by the reference machine.
///
///     const RunOutcome expected = run_reference(network, program, job);
///     differences(run(network, program, job, {.channel = ChannelKind::spsc}), expected);  // none

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "lockstep/collective/collective.hpp"
#include "lockstep/machine/detail/channels.hpp"
#include "lockstep/machine/executor.hpp"
#include "lockstep/machine/machine.hpp"
#include "lockstep/machine/receive_once_machine.hpp"
#include "lockstep/machine/spsc_channels.hpp"
#include "lockstep/program/detail/erased_program.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/network.hpp"
#include "lockstep/verify/delivery.hpp"
#include "machine/schedule_machines.hpp"
#include "reference/fnv1a.hpp"
#include "reference/reference_machine.hpp"

namespace lockstep::study {

/// RecordingHost: proves deliveries as ProvingHost does, and keeps a digest of all that was handed
/// to it - bytes, claimed source and order, for each destination. Two runs with one digest
/// delivered the same.
class RecordingHost final : public Host {
 public:
  explicit RecordingHost(const ProvingHost::Parameters& parameters)
      : proving_(parameters),
        block_bytes_(*proving_.block_bytes()),
        digests_(parameters.processors) {}

  [[nodiscard]] std::optional<std::uint64_t> processors() const override {
    return proving_.processors();
  }
  [[nodiscard]] std::optional<std::size_t> block_bytes() const override {
    return proving_.block_bytes();
  }
  [[nodiscard]] std::uint64_t parts_per_block() const override {
    return proving_.parts_per_block();
  }

  void load(std::byte* bytes, NodeId node, Origin origin, NodeId destination) noexcept override {
    proving_.load(bytes, node, origin, destination);
  }

  void accept(std::span<const Delivery> batch, DeliveryTally& tally) noexcept override {
    for (const Delivery& block : batch) note(block);
    proving_.accept(batch, tally);
  }
  void accept_each(const std::byte* const* bytes, std::size_t offset, NodeId first,
                   std::span<const std::uint32_t> origins, DeliveryTally& tally) noexcept override {
    for (std::size_t k = 0; k < origins.size(); ++k)
      note({bytes[k] + offset, NodeId{origins[k]}, NodeId{index(first) + k}});
    proving_.accept_each(bytes, offset, first, origins, tally);
  }
  void settle(DeliveryTally& tally) noexcept override { proving_.settle(tally); }

  void combine(std::byte* into, const std::byte* left, const std::byte* right,
               std::size_t block_bytes, std::uint32_t blocks) noexcept override {
    proving_.combine(into, left, right, block_bytes, blocks);
  }

  /// By destination.
  [[nodiscard]] std::vector<std::uint64_t> digests(Destinations own) const {
    std::vector<std::uint64_t> values;
    for (std::uint64_t i = own.first; i < own.last; ++i) values.push_back(digests_[i].value());
    return values;
  }

  [[nodiscard]] const ProvingHost& proving() const noexcept { return proving_; }

 private:
  void note(const Delivery& block) noexcept {
    reference::Fnv1a& digest = digests_[index(block.destination)];
    digest.little_endian_32(index(block.origin));
    for (std::size_t i = 0; i < block_bytes_; ++i)
      digest.byte(std::to_integer<std::uint64_t>(block.bytes[i]));
  }

  ProvingHost proving_;
  std::size_t block_bytes_;
  std::vector<reference::Fnv1a> digests_;
};

/// A run: everything that may change the result.
struct Job {
  PortModel model = port_models::single_port;
  Collective collective{Operation::total_exchange};
  std::size_t block_bytes = 8;        ///< of what the machine moves
  std::uint64_t parts_per_block = 1;  ///< of those that the host checks
  VerifyKind verify = VerifyKind::exact;
  bool keep_series = true;
  bool stop_at_violation = true;
  bool watch_waits = true;
  bool measure_queues = false;  ///< of switches, by the reference machine
  bool receive_once = false;    ///< on the receive-once machine
  Fault fault{};
};

/// How it is run: nothing of it may change the result.
struct Conditions {
  ChannelKind channel = ChannelKind::row;
  ExecutorKind executor = ExecutorKind::thread;
  std::size_t workers = 2;
  std::uint64_t processors_per_task = 0;
  std::function<void(std::uint64_t, std::size_t)> disturb{};
  SendTrace* trace = nullptr;
  std::stop_token stop{};
  Processes* processes = nullptr;  ///< that share it; null: one runs all
};

[[nodiscard]] std::string described(const Job& job);
[[nodiscard]] std::string described(const Conditions& conditions);
[[nodiscard]] std::string described(const Violation& violation);

struct RunOutcome {
  RunRecord record;
  DeliveryVerdict verdict;
  std::vector<MissingPair> missing{};  ///< where the ledger is exact
  std::uint64_t digest = 0;            ///< of all deliveries
};

/// `processes`: that shared the run; null: this one alone.
[[nodiscard]] RunOutcome outcome_of(const RunRecord& record, const RecordingHost& host,
                                    Processes* processes = nullptr);

/// Field by field, each as a line; none where nothing differs but seconds.
[[nodiscard]] std::vector<std::string> differences(const RunRecord& got, const RunRecord& expected);
[[nodiscard]] std::vector<std::string> differences(const RunOutcome& got,
                                                   const RunOutcome& expected);

template <Topology Net>
RecordingHost host_for(const Net& network, const Job& job) {
  return RecordingHost({.collective = job.collective,
                        .processors = processor_count(network),
                        .block_bytes = job.block_bytes * job.parts_per_block,
                        .verify = job.verify,
                        .parts_per_block = job.parts_per_block,
                        .logged_ledger = 0});
}

[[nodiscard]] inline MachineOptions options_of(const Job& job, const Conditions& conditions) {
  return {.model = job.model,
          .block_bytes = job.block_bytes,
          .processors_per_task = conditions.processors_per_task,
          .rows = conditions.channel == ChannelKind::row,
          .keep_series = job.keep_series,
          .stop_at_violation = job.stop_at_violation,
          .watch_waits = job.watch_waits,
          .processes = conditions.processes,
          .trace = conditions.trace,
          .fault = job.fault,
          .disturb = conditions.disturb,
          .stop = conditions.stop};
}

template <class Chans, Topology Net, Program Prog>
RunOutcome run_through(const Net& network, const Prog& program, const Job& job,
                       const Conditions& conditions) {
  RecordingHost host = host_for(network, job);
  Machine<Net, Prog, Chans> machine(network, program, host, options_of(job, conditions));
  const RunRecord record = machine.run(*make_executor(conditions.executor, conditions.workers));
  return outcome_of(record, host, conditions.processes);
}

/// Other networks are tabulated, so that one machine is compiled for all of them.
template <Topology Net, Program Prog>
RunOutcome run(const Net& network, const Prog& program, const Job& job,
               const Conditions& conditions = {}) {
  if constexpr (!std::same_as<Net, Network>) {
    return run(build_network(network), program, job, conditions);
  } else if constexpr (RoutingProgram<Prog>) {
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

/// On the receive-once machine, which stops at a violation and watches no waits.
template <Topology Net, Program Prog>
RunOutcome run_in_boxes(const Net& network, const Prog& program, const Job& job,
                        const Conditions& conditions = {}) {
  RecordingHost host = host_for(network, job);
  MachineOptions options = options_of(job, conditions);
  options.stop_at_violation = true;
  options.watch_waits = false;
  ReceiveOnceMachine<Net, Prog> machine(network, program, host, options);
  const RunRecord record = machine.run(*make_executor(conditions.executor, conditions.workers));
  return outcome_of(record, host, conditions.processes);
}

/// `like`: whether channels keep one message per node; `trace`: filled if given.
[[nodiscard]] RunOutcome run_reference(const Network& network, const ErasedProgram& program,
                                       const Job& job, ChannelKind like, SendTrace* trace);

template <Topology Net, Program Prog>
RunOutcome run_reference(const Net& network, const Prog& program, const Job& job,
                         ChannelKind like = ChannelKind::row, SendTrace* trace = nullptr) {
  const ErasedProgramOf<Prog> any(program);
  if constexpr (std::same_as<Net, Network>)
    return run_reference(network, any, job, like, trace);
  else
    return run_reference(build_network(network), any, job, like, trace);
}

}  // namespace lockstep::study
