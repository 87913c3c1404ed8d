// SPDX-License-Identifier: Apache-2.0
#include "catalog/host_work.hpp"

#include <algorithm>
#include <cmath>

#include "lockstep/machine/detail/passes_together.hpp"
#include "lockstep/machine/detail/task_outcome.hpp"
#include "lockstep/verify/delivery.hpp"

namespace lockstep::catalog {
namespace {

/// Loads of blocks that are the same for all destinations, and of reductions.
[[nodiscard]] double loads_without_addresses(const RunForecast& run) {
  const Collective& collective = run.collective;
  if (has_root(collective.operation) && !is_reduction(collective.operation)) return 1;
  const auto origins = static_cast<double>(collective.pattern.origins(run.processors));
  return collective.personalised() ? origins * static_cast<double>(run.processors) : origins;
}

/// Counts of networks that nobody can run may exceed 64 bits: as many as there are, then.
[[nodiscard]] std::uint64_t rounded(double number) {
  constexpr double most = 1e18;
  return static_cast<std::uint64_t>(std::llround(std::min(most, number)));
}
[[nodiscard]] std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return rounded(static_cast<double>(a) * static_cast<double>(b));
}

/// An estimate for a run without a plan: every node sends in every step, all messages are equally
/// long, and every block is copied from where the one before it lies.
[[nodiscard]] PlannedWork estimated_work(const RunForecast& run) {
  const bool reduces = is_reduction(run.collective.operation);
  const std::uint64_t steps = run.footprint.steps;
  PlannedWork work;
  work.messages = run.footprint.hops != 0 ? run.footprint.hops : product(steps, run.processors);
  work.blocks_sent = rounded(static_cast<double>(work.messages) * predicted_length(run));
  // A vector of a reduction is loaded, and its result delivered, as a whole.
  const double parts = reduces ? 1 : static_cast<double>(run.parts_per_message());
  const std::uint64_t delivered =
      run.footprint.deliveries != 0 ? run.footprint.deliveries : run.expected_messages();
  work.deliveries = rounded(static_cast<double>(delivered) * parts);
  work.loads = run.collective.personalised() && !reduces
                   ? work.deliveries
                   : rounded(loads_without_addresses(run) * parts);
  MachineWork& machine = work.machine;
  machine.turns = run.loop.starts_with("groups") || run.loop == "nodes" ? product(steps, run.nodes)
                                                                        : work.messages;
  (reduces ? machine.combines : machine.copies) = work.messages;
  (reduces ? machine.combined : machine.copied) = work.blocks_sent;
  return work;
}

/// The record that a run will have, as far as work goes.
[[nodiscard]] RunRecord expected_record(const RunForecast& run) {
  const PlannedWork planned = run.footprint.work ? *run.footprint.work : estimated_work(run);
  RunRecord record{.block_bytes = run.part_bytes(),
                   .steps = run.footprint.steps,
                   .messages_sent = planned.messages,
                   .blocks_moved = planned.blocks_sent,
                   .blocks_loaded = planned.loads};
  record.deliveries.delivered = planned.deliveries;
  record.work = planned.machine;
  if (run.loop.starts_with("groups")) {
    const std::uint64_t nodes = std::min(detail::most_group, run.nodes);
    // A send and a reception each.
    record.work.rows = 2 * planned.messages / nodes + (planned.loads + planned.deliveries) / nodes;
    if (nodes >= detail::DeliveryBatch::least_row) record.work.delivered_rows = planned.deliveries;
  }
  if (run.workers_per_step > 1) record.wall.barriers = record.steps;
  const std::size_t workers = std::max<std::size_t>(1, run.workers_per_step);
  const double known = workers > 1 ? run.step.parallelism : 0;
  record.wall.longest_turns = rounded(static_cast<double>(record.work.turns) /
                                      (known > 0 ? known : static_cast<double>(workers)));
  return record;
}

}  // namespace

double predicted_length(const RunForecast& run) {
  if (!run.predicted || run.predicted->startups == 0) return 1;
  return run.predicted->message_times.value() * static_cast<double>(run.parts_per_block()) /
         static_cast<double>(run.predicted->startups);
}

HostWork host_work(const RunForecast& run, const RunRecord& record) {
  using enum HostKind;
  const auto number = [](std::uint64_t count) { return static_cast<double>(count); };
  const MachineWork& machine = record.work;
  const bool grouped = machine.rows != 0;
  const bool checked = run.verify != VerifyKind::off;
  const double part_bytes = number(record.block_bytes);
  const double loads = number(record.blocks_loaded);
  const double deliveries = number(record.deliveries.delivered);
  const double messages = number(record.messages_sent);
  const double copied_bytes = number(machine.copied) * part_bytes;
  const double combined_bytes = number(machine.combined) * part_bytes;
  const auto message_bytes = static_cast<double>(run.message_bytes());

  HostWork work{.memory_bytes = number(run.steps_bytes)};
  work.alone[whole_run] = 1;
  work.alone[step] = number(record.steps);
  work.alone[barrier] = work.alone[handover] = number(record.wall.barriers);
  if (record.wall.longest_turns != 0)
    work.parallelism = std::clamp(number(machine.turns) / number(record.wall.longest_turns), 1.0,
                                  std::max(1.0, number(run.workers_per_step)));

  OfHostKinds<double>& shared = work.shared;
  shared[copied_byte] = copied_bytes;
  shared[combined_byte] = combined_bytes;
  shared[loaded_byte] = loads * part_bytes;
  shared[checked_byte] = checked ? deliveries * message_bytes : 0;
  // Bytes that are read and written.
  shared[far_byte] = shared[farther_byte] =
      2 * copied_bytes + 3 * combined_bytes + shared[loaded_byte] + shared[checked_byte];
  shared[combine] = number(machine.combines);
  if (run.channel == ChannelKind::spsc) shared[queued_message] = messages;
  if (run.channel == ChannelKind::wormhole) shared[routed_message] = messages;
  if (grouped) {
    const double rows = number(machine.delivered_rows);
    const double runs = number(machine.delivered_runs);
    shared[row] = number(machine.rows);
    shared[row_block] = messages + number(machine.copies);
    if (run.channel != ChannelKind::row) shared[row_message] = messages;
    shared[row_slot] = number(machine.listed);
    shared[row_load] = loads;
    shared[row_delivery] = rows;
    shared[run_delivery] = runs;
    shared[delivery] = std::max(0.0, deliveries - rows - runs);
  } else if (run.receive_once) {
    // A node is called, takes, delivers and sends the block in one go.
    shared[once_turn] = shared[far_access] = number(machine.turns);
    return work;
  } else {
    shared[run.loop == "nodes" ? dense_turn : turn] = number(machine.turns);
    shared[message] = messages;
    shared[copy] = number(machine.copies);
    shared[listed_slot] = number(machine.listed);
    shared[search] = number(machine.searches);
    shared[load] = loads;
    shared[delivery] = deliveries;
    // Turns of nodes and actions of a plan, slots of messages, and both ends of a copy.
    shared[far_access] =
        3 * number(machine.turns) + 2 * messages + number(machine.copies + machine.combines);
  }
  shared[copied_block] = number(machine.copied - std::min(machine.copied, machine.copies));
  shared[combined_block] = number(machine.combined - std::min(machine.combined, machine.combines));
  if (checked) shared[checked_delivery] = shared[delivery];
  if (checked && is_reduction(run.collective.operation)) {
    const auto [once, each_result] =
        ReductionResults::contributions(run.collective.operation, run.processors);
    const auto block_bytes = static_cast<double>(run.block_bytes);
    work.alone[contribution] = once;
    work.alone[contributed_byte] = once * block_bytes;
    shared[contribution] = each_result * deliveries;
    shared[contributed_byte] = shared[contribution] * block_bytes;
  }
  if (run.measures_queues) {
    work.alone[queue_step] = work.alone[step];
    work.alone[queue_switch] = work.alone[step] * number(run.nodes - run.processors);
    // The queues note a message when it is sent, and each range of slots when it is stored.
    shared[queue_run] = messages + number(machine.copies + machine.listed);
  }
  return work;
}

HostWork expected_work(const RunForecast& run) { return host_work(run, expected_record(run)); }

}  // namespace lockstep::catalog
