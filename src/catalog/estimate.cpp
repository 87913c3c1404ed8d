// SPDX-License-Identifier: Apache-2.0
#include "catalog/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "catalog/bounds.hpp"
#include "catalog/memory.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/machine/channels.hpp"
#include "lockstep/machine/port_ledger.hpp"
#include "lockstep/machine/queue_ledger.hpp"
#include "lockstep/machine/single_reception_boxes.hpp"
#include "lockstep/machine/task_outcome.hpp"
#include "report/names.hpp"
#include "report/quantities.hpp"

namespace lockstep::catalog {
namespace {

/// The program itself, its libraries and what the allocator keeps.
constexpr std::uint64_t process_bytes = std::uint64_t{8} << 20U;
/// A worker: its stack and its share of the allocator.
constexpr std::uint64_t worker_bytes = std::uint64_t{256} << 10U;

/// Buffers of more than a huge page end at the end of one: a sixteenth more, 16 MiB at most.
[[nodiscard]] Bytes in_huge_pages(Bytes bytes) {
  constexpr std::uint64_t most = std::uint64_t{16} << 20U;
  return bytes + std::min(bytes.value() / 16, most);
}

/// As many places for arcs as the tables will have.
[[nodiscard]] ArcLayout arcs_of(std::uint64_t nodes, std::uint64_t degree,
                                const std::optional<std::uint64_t>& links) {
  if (links && ArcLayout::is_better_listed(nodes, degree, 2 * *links)) return {2 * *links, 1};
  return {nodes, degree};
}
[[nodiscard]] ArcLayout arcs_of(const RunEstimate& run) {
  return arcs_of(run.nodes, run.degree, run.links);
}

[[nodiscard]] std::uint64_t channel_bytes(const RunEstimate& run) {
  const ArcLayout arcs = arcs_of(run);
  switch (run.channel) {
    case ChannelKind::spsc:
      return SpscChannels::bytes(arcs);
    case ChannelKind::mailbox:
      return MailboxChannels::bytes({run.nodes, run.degree});
    case ChannelKind::wormhole:
      return WormholeChannels::bytes(arcs);
    default:
      return SlotChannels::bytes(arcs);
  }
}

/// Network, channels and processors of a machine that keeps one box per node.
[[nodiscard]] Bytes box_bytes(const RunEstimate& run, const ProgramFacts& program) {
  const Bytes stride = detail::SingleReceptionBoxes::stride(run.block_bytes);
  const Bytes boxes = Bytes{run.nodes} * (stride + Bytes{program.variables_bytes});
  return in_huge_pages(boxes + Bytes{detail::NodeBits::bytes(run.nodes)} *
                                   detail::SingleReceptionBoxes::bits_per_node);
}

/// Network, channels and processors of the machine that runs any program.
[[nodiscard]] Bytes table_machine_bytes(const RunEstimate& run, const ProgramFacts& program,
                                        const AnyTopology& topology) {
  constexpr std::uint64_t counters_bytes = 2 * sizeof(std::uint32_t);  // of messages, per node
  const std::uint64_t watched_bytes = run.algorithm.unbuffered ? sizeof(std::uint32_t) : 0;
  const bool counted = program.block_slots + program.word_slots != 0;
  const Footprint& footprint = run.footprint;
  const Bytes claimed = footprint.blocks_of_all != 0
                            ? Bytes{footprint.blocks_of_all}
                            : Bytes{run.nodes} * footprint.blocks_per_processor;
  const Bytes slots = counted ? Bytes{program.block_slots} : claimed;
  const std::uint64_t queued_bytes = run.measures_queues ? QueueLedger::slot_bytes : 0;
  const Bytes blocks =
      slots * (Bytes{run.part_bytes()} + run.label_bytes + watched_bytes + queued_bytes) +
      Bytes{program.word_slots} * word_bytes;
  const Bytes processors = blocks + Bytes{run.nodes} * (Bytes{program.variables_bytes} +
                                                        counters_bytes + program.kept_bytes);
  return Bytes{table_bytes(topology)} + in_huge_pages(processors + channel_bytes(run)) +
         PortLedger::bytes(run.model, run.nodes, run.degree, arcs_of(run).size());
}

/// Where all queues of all switches take a small part of memory and time.
[[nodiscard]] bool can_measure_queues(const AnyTopology& topology, const RunEstimate& run) {
  constexpr std::uint64_t most_bytes = std::uint64_t{320} << 20U;
  constexpr std::uint64_t most_hops = 20'000'000;  // each takes three times as long
  return run.steps_known && !topology.levels().empty() && run.footprint.hops <= most_hops &&
         QueueLedger::bytes(topology.levels(), run.footprint.steps) <=
             std::min(most_bytes, run.available_bytes / 16);
}
[[nodiscard]] std::uint64_t queue_bytes(const AnyTopology& topology, const RunEstimate& run,
                                        const PlanMemory& plan) {
  return QueueLedger::bytes(plan.levels.empty() ? topology.levels() : plan.levels,
                            run.footprint.steps);
}

/// What the tasks of a pass leave behind.
[[nodiscard]] Bytes outcome_bytes(const RunEstimate& run) {
  constexpr std::uint64_t tasks_per_worker = 64;
  const std::uint64_t least = run.one_box_per_node ? detail::NodeBits::nodes_per_word : 1;
  const std::uint64_t tasks = run.processors_per_task == 0
                                  ? tasks_per_worker * run.workers
                                  : run.nodes / std::max(run.processors_per_task, least) + 1;
  return Bytes{tasks} * (sizeof(detail::TaskOutcome) + alignof(detail::TaskOutcome));
}

/// The plan is made before the machine: what only planning needs is given back by then.
[[nodiscard]] std::uint64_t memory_of(const RunEstimate& run, const ProgramFacts& program,
                                      const RunRequest& request, const PlanMemory& plan) {
  constexpr std::uint64_t growing = 2;  // an array that grows is copied into a larger one
  const std::uint64_t series_bytes = request.keep_series ? sizeof(StepRecord) : 0;
  const ProvingHost::Parameters host{.collective = run.collective,
                                     .processors = run.processors,
                                     .block_bytes = run.message_bytes(),
                                     .verify = run.verify,
                                     .parts_per_block = run.parts_per_message(),
                                     .input = request.input,
                                     .operation = request.combine};
  const Bytes running =
      Bytes{run.footprint.plan_bytes} +
      (run.one_box_per_node ? box_bytes(run, program)
                            : table_machine_bytes(run, program, request.topology)) +
      Bytes{run.footprint.steps} * series_bytes * growing + outcome_bytes(run) +
      (run.measures_queues ? queue_bytes(request.topology, run, plan) : 0) +
      ProvingHost::bytes(host);
  const Bytes process = Bytes{process_bytes} + Bytes{worker_bytes} * run.workers;
  return (process + std::max(running.value(), plan.planning_bytes)).value();
}

/// Seconds from rates that were measured with the packing algorithm on one worker of a 2020s
/// server; good to a factor of two or three. PreparedRun::probe() measures.
[[nodiscard]] double rough_seconds(const RunEstimate& run) {
  constexpr double seconds_per_step = 1e-6;
  constexpr double seconds_per_hop = 6e-9;
  constexpr double seconds_per_byte = 5e-11;
  constexpr double seconds_per_delivery = 1.2e-8;
  const auto bytes = static_cast<double>(run.part_bytes());
  const auto nodes = static_cast<double>(run.nodes);
  const auto steps = static_cast<double>(run.footprint.steps);
  const auto parts = static_cast<double>(run.parts_per_block());
  const double times = run.predicted ? run.predicted->message_times.value() * parts : steps;
  const double hops =
      run.footprint.hops != 0 ? static_cast<double>(run.footprint.hops) : steps * nodes;
  const auto deliveries = static_cast<double>(run.expected_messages);
  const double work = hops * seconds_per_hop + deliveries * seconds_per_delivery +
                      (times * nodes + deliveries) * bytes * seconds_per_byte;
  return first_use_seconds(run) + steps * seconds_per_step +
         work / static_cast<double>(run.workers);
}

[[nodiscard]] std::size_t workers_of(const RunRequest& request) {
  if (request.executor == ExecutorKind::serial) return 1;
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t workers = request.workers == 0 ? cores : request.workers;
  if (workers > max_workers)
    throw InvalidParameter(fmt::format("threads: {} given, allowed 1..{}", workers, max_workers));
  return workers;
}

/// Where a processor receives once and nothing is harmed or measured beyond that, one box per node
/// is smallest and fastest. Otherwise registers per arc are fastest; one per node is smallest,
/// where a node receives one message in a step. Queues of switches are measured with registers.
[[nodiscard]] bool fits_one_box(const RunRequest& request, const ProgramFacts& program,
                                const AlgorithmInfo& info) {
  const AnyTopology& topology = request.topology;
  return program.receives_once && topology.processor_count() == topology.node_count() &&
         request.fault.kind == FaultKind::none && request.stop_at_violation && !info.unbuffered &&
         topology.max_degree() <= detail::SingleReceptionBoxes::max_ports;
}

[[nodiscard]] bool receives_one(const ProgramFacts& program, const AlgorithmInfo& info) {
  return program.receives_once || info.model.receptions == 1;
}

/// Why channels of this kind cannot carry what such programs send, and which can; empty: they can.
[[nodiscard]] std::string refusal_of(ChannelKind kind, const RunRequest& request,
                                     const ProgramFacts& program, const AlgorithmInfo& info) {
  if (program.takes_routes)
    return kind == ChannelKind::wormhole
               ? ""
               : fmt::format("'{}' sends over routes; allowed wormhole", info.name);
  const std::string_view per_arc = program.every_channel ? "slot, spsc" : "slot";
  const std::uint64_t degree = request.topology.max_degree();
  if (kind == ChannelKind::wormhole)
    return fmt::format("'{}' sends to neighbours; allowed {}", info.name, per_arc);
  if (kind == ChannelKind::mailbox && !receives_one(program, info))
    return fmt::format("'{}' receives several messages in a step; allowed {}", info.name, per_arc);
  if (kind == ChannelKind::mailbox && degree > MailboxChannels::max_ports)
    return fmt::format("a node of {} has {} ports, more than {}; allowed {}",
                       request.topology.name(), degree, MailboxChannels::max_ports, per_arc);
  const bool boxes = fits_one_box(request, program, info);
  if (kind == ChannelKind::slot || program.every_channel || (kind == ChannelKind::mailbox && boxes))
    return "";
  return fmt::format("'{}' is compiled for the fastest channels only; allowed {}", info.name,
                     boxes ? "slot, mailbox" : "slot");
}

[[nodiscard]] ChannelKind channel_of(const RunRequest& request, const ProgramFacts& program,
                                     const RunEstimate& run) {
  check_channel(request, program, run.algorithm);
  if (program.takes_routes) return ChannelKind::wormhole;
  if (request.channel != ChannelKind::automatic) return request.channel;
  if (fits_one_box(request, program, run.algorithm)) return ChannelKind::mailbox;
  const bool carries = refusal_of(ChannelKind::mailbox, request, program, run.algorithm).empty();
  const std::uint64_t slots = SlotChannels::bytes(arcs_of(run));
  return carries && slots > run.available_bytes / 4 ? ChannelKind::mailbox : ChannelKind::slot;
}

[[nodiscard]] std::size_t block_bytes_of(const RunRequest& request, std::uint64_t processors) {
  constexpr std::uint64_t many_processors = std::uint64_t{1} << 24U;
  constexpr std::size_t usual = 64;
  if (request.block_bytes == 0U)
    throw InvalidParameter(
        "blocks of 0 bytes given, allowed 1 or more: without bytes nothing proves that a block "
        "arrived");
  return request.block_bytes.value_or(processors > many_processors ? 1 : usual);
}

}  // namespace

void check_channel(const RunRequest& request, const ProgramFacts& program,
                   const AlgorithmInfo& info) {
  if (request.channel == ChannelKind::automatic) return;
  const std::string reason = refusal_of(request.channel, request, program, info);
  if (!reason.empty())
    throw InvalidParameter(
        fmt::format("channel: {} given, but {}", report::channel_name(request.channel), reason));
}

std::vector<ChannelKind> channels_for(const RunRequest& request, const ProgramFacts& program,
                                      const AlgorithmInfo& info) {
  std::vector<ChannelKind> kinds;
  for (const ChannelKind kind :
       {ChannelKind::slot, ChannelKind::spsc, ChannelKind::mailbox, ChannelKind::wormhole})
    if (refusal_of(kind, request, program, info).empty()) kinds.push_back(kind);
  return kinds;
}

std::uint64_t available_bytes(std::uint64_t limit) {
  return limit == 0 ? available_bytes() : std::min(limit, available_bytes());
}

std::uint64_t table_bytes(const AnyTopology& topology) {
  const std::uint64_t nodes = topology.node_count();
  const ArcLayout arcs = arcs_of(nodes, topology.max_degree(), topology.link_count());
  if (arcs.nodes() == nodes) return Network::bytes(nodes, arcs.ports(), topology.symmetric());
  return Network::bytes(arcs.nodes(), 1, false) + nodes * sizeof(std::uint64_t);
}

RunEstimate estimate_of(RunEstimate run, const ProgramFacts& program, const RunRequest& request,
                        const PlanMemory& plan) {
  const AnyTopology& topology = request.topology;
  run.nodes = topology.node_count();
  run.processors = topology.processor_count();
  run.links = topology.link_count();  // more than 64 bits count are more than memory holds
  run.degree = topology.max_degree();
  run.diameter = topology.diameter();
  run.model = request.port_model.value_or(run.algorithm.model);
  run.block_bytes = block_bytes_of(request, run.processors);
  run.label_bytes = program.label_bytes;
  run.reads = program.reads;
  run.seed = request.seed;
  run.executor = report::executor_name(request.executor);
  run.workers = workers_of(request);
  run.processors_per_task = std::min(request.processors_per_task, run.nodes);
  run.expected_messages = run.collective.deliveries(run.processors);
  run.available_bytes = available_bytes(request.memory_limit);
  run.channel = channel_of(request, program, run);
  run.one_box_per_node =
      run.channel == ChannelKind::mailbox && fits_one_box(request, program, run.algorithm);
  run.verify = ProvingHost::definite({.collective = run.collective,
                                      .processors = run.processors,
                                      .block_bytes = run.block_bytes,
                                      .verify = request.verify,
                                      .operation = request.combine});
  run.measures_queues = can_measure_queues(topology, run);
  run.memory_bytes = memory_of(run, program, request, plan);
  run.rough_seconds = rough_seconds(run);
  const std::uint64_t parts = run.parts_are_messages() ? run.parts_per_block() : 1;
  run.lower_bound = lower_bound_on(topology, of_whole_blocks(run.collective, parts), run.model);
  return run;
}

void check_memory(std::string_view what, std::uint64_t needed, std::uint64_t available) {
  if (needed > available)
    throw ResourceExhausted(fmt::format("{}: needs {} of memory, available {}", what,
                                        report::bytes_text(needed), report::bytes_text(available)));
}

void check_least_memory(const AlgorithmInfo& algorithm, const ProgramFacts& program,
                        const RunRequest& request) {
  constexpr std::uint64_t arcs_planned_in_a_moment = std::uint64_t{1} << 20U;
  const AnyTopology& topology = request.topology;
  RunEstimate run;
  run.algorithm = algorithm;
  run.nodes = topology.node_count();
  run.degree = topology.max_degree();
  if ((Bytes{run.nodes} * run.degree).value() <= arcs_planned_in_a_moment) return;
  run.links = topology.link_count();
  run.model = request.port_model.value_or(algorithm.model);
  run.available_bytes = available_bytes(request.memory_limit);
  run.channel = channel_of(request, program, run);
  const bool boxes =
      run.channel == ChannelKind::mailbox && fits_one_box(request, program, run.algorithm);
  const Bytes least = boxes ? box_bytes(run, program) : table_machine_bytes(run, program, topology);
  const std::uint64_t needed = (Bytes{process_bytes} + least).value();
  if (needed > run.available_bytes)
    throw ResourceExhausted(fmt::format("{} {} by {}: needs {} of memory or more, available {}",
                                        topology.name(), name_of(algorithm.operation),
                                        algorithm.name, report::bytes_text(needed),
                                        report::bytes_text(run.available_bytes)));
}

void check_resources(const RunEstimate& run, const RunRequest& request) {
  check_memory(fmt::format("{} {}", run.topology, name_of(run.algorithm.operation)),
               run.memory_bytes, run.available_bytes);
  constexpr double seconds_per_hour = 3600;
  if (run.rough_seconds > request.max_hours * seconds_per_hour)
    throw ResourceExhausted(
        fmt::format("{} {}: needs about {} on {} workers, allowed {} (--max-hours)", run.topology,
                    name_of(run.algorithm.operation), report::seconds_text(run.rough_seconds),
                    run.workers, report::seconds_text(request.max_hours * seconds_per_hour)));
}

}  // namespace lockstep::catalog

namespace lockstep {

std::size_t definite_block_bytes(const RunRequest& request) {
  return catalog::block_bytes_of(request, request.topology.processor_count());
}

}  // namespace lockstep
