// SPDX-License-Identifier: Apache-2.0
#include "catalog/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "catalog/choice.hpp"
#include "catalog/host_work.hpp"
#include "catalog/memory.hpp"
#include "catalog/network_bounds.hpp"
#include "core/bytes.hpp"
#include "cost/typical_host.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/machine/detail/queue_ledger.hpp"
#include "lockstep/machine/detail/receive_once_boxes.hpp"
#include "lockstep/machine/detail/task_outcome.hpp"
#include "lockstep/machine/detail/task_size.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/topology/detail/topology_model.hpp"
#include "lockstep/verify/lower_bounds.hpp"
#include "report/quantities.hpp"

namespace lockstep::catalog {

namespace {

/// The program itself, its libraries and what the allocator keeps.
constexpr std::uint64_t process_bytes = std::uint64_t{8} << 20U;
/// A worker: its stack and its share of the allocator.
constexpr std::uint64_t worker_bytes = std::uint64_t{256} << 10U;

/// By the footprint, where no program is there yet.
[[nodiscard]] MachineSize machine_size_of(const RunForecast& run, const PlanMemory& plan) {
  MachineSize size = plan.size.value_or(machine_size(run));
  const Footprint& footprint = run.footprint;
  if (!plan.size)
    size.block_slots = footprint.blocks_of_all != 0
                           ? footprint.blocks_of_all
                           : (Bytes{run.nodes} * footprint.blocks_per_processor).value();
  size.steps = footprint.steps;
  // Most messages fill one range of slots, or two.
  constexpr std::uint64_t runs_per_message = 2;
  if (run.measures_queues)
    size.queue_runs =
        std::min(size.block_slots, (Bytes{footprint.hops} * runs_per_message).value());
  return size;
}

/// Network and machine.
[[nodiscard]] Bytes machine_bytes_of(const RunForecast& run, const ProgramFacts& program,
                                     const RunRequest& request, const PlanMemory& plan) {
  if (run.receive_once) return receive_once_bytes(program, run.nodes, run.block_bytes);
  return Bytes{table_bytes(request.topology)} + machine_bytes(run.channel, program,
                                                              machine_size_of(run, plan),
                                                              machine_options(run, request));
}

/// Whether all queues of all switches take a small part of memory and time.
[[nodiscard]] bool can_measure_queues(const AnyTopology& topology, const RunForecast& run) {
  constexpr std::uint64_t most_bytes = std::uint64_t{320} << 20U;
  constexpr std::uint64_t most_hops = 20'000'000;  // each takes three times as long
  return run.steps_known && !topology.levels().empty() && run.footprint.hops <= most_hops &&
         QueueLedger::bytes(topology.levels(), run.footprint.steps) <=
             std::min(most_bytes, run.available_bytes / 16);
}
[[nodiscard]] std::uint64_t queue_bytes(const AnyTopology& topology, const RunForecast& run,
                                        const PlanMemory& plan) {
  return QueueLedger::bytes(plan.levels.empty() ? topology.levels() : plan.levels,
                            run.footprint.steps);
}

/// The results of the tasks of a pass.
[[nodiscard]] Bytes outcome_bytes(const RunChoice& run) {
  constexpr std::uint64_t tasks_per_worker = 64;
  const std::uint64_t least = run.receive_once ? detail::NodeBits::nodes_per_word : 1;
  const std::uint64_t tasks = run.processors_per_task == 0
                                  ? tasks_per_worker * run.workers
                                  : run.nodes / std::max(run.processors_per_task, least) + 1;
  return Bytes{tasks} * (sizeof(detail::TaskOutcome) + alignof(detail::TaskOutcome));
}

/// Machine and ledger. A process that shares the run with others uses those of its own nodes. A
/// receive-once machine has a list of the messages of others beside them, about as long at most. A
/// dense machine may use a place in the memory of every sender.
[[nodiscard]] Bytes node_bytes_of(const RunForecast& run, const ProgramFacts& program,
                                  const RunRequest& request, const PlanMemory& plan) {
  const Bytes all = Bytes{machine_bytes_of(run, program, request, plan)} +
                    ProvingHost::bytes(host_parameters(run, request, run.collective));
  if (request.processes == 1 || !run.receive_once) return all;
  return Bytes{all.value() / request.processes} * 2;
}

[[nodiscard]] std::uint64_t steps_bytes_of(const RunForecast& run, const ProgramFacts& program,
                                           const RunRequest& request, const PlanMemory& plan) {
  return (Bytes{run.footprint.plan_bytes} + node_bytes_of(run, program, request, plan) +
          outcome_bytes(run) + (run.measures_queues ? queue_bytes(request.topology, run, plan) : 0))
      .value();
}

/// The plan is made before the machine: what only planning needs is given back by then.
[[nodiscard]] std::uint64_t memory_of(const RunForecast& run, const PlanMemory& plan) {
  const Bytes process = Bytes{process_bytes} + Bytes{worker_bytes} * run.workers;
  return (process + std::max(run.steps_bytes, plan.planning_bytes)).value();
}

/// Times by the rates of a typical host, and how many workers share a step.
void add_times(RunForecast& run, const ProgramFacts& program) {
  const std::uint64_t nodes = run.nodes / run.processes;
  run.workers_per_step = 1;
  if (run.footprint.steps != 0)
    run.step.seconds = typical_host().seconds(expected_work(run)) /
                       static_cast<double>(run.footprint.steps * run.processes);
  if (run.footprint.work && !run.receive_once)
    run.step.parallelism = run.footprint.work->parallelism(run.workers * run.processes) /
                           static_cast<double>(run.processes);
  run.workers_per_step = detail::workers_per_step({.nodes = nodes,
                                                   .workers = run.workers,
                                                   .asked = run.processors_per_task,
                                                   .sparse = program.sparse,
                                                   .receive_once = run.receive_once,
                                                   .step = run.step});
  run.rough_seconds = first_use_seconds(run) + typical_host().seconds(expected_work(run)) /
                                                   static_cast<double>(run.processes);
}

}  // namespace

std::uint64_t table_bytes(const AnyTopology& topology) {
  const std::uint64_t nodes = topology.node_count();
  const ArcLayout arcs = arcs_of(nodes, topology.max_degree(), topology.link_count());
  if (arcs.nodes() == nodes) return Network::bytes(nodes, arcs.ports(), topology.symmetric());
  return Network::bytes(arcs.nodes(), 1, false) + nodes * sizeof(std::uint64_t);
}

ProvingHost::Parameters host_parameters(const RunPlan& run, const RunRequest& request,
                                        const Collective& collective) {
  return {.collective = collective,
          .processors = run.processors,
          .block_bytes = run.message_bytes(),
          .seed = run.seed,
          .verify = run.verify,
          .parts_per_block = run.parts_per_message(),
          .input = request.input,
          .operation = request.combine};
}

MachineOptions machine_options(const RunForecast& run, const RunRequest& request,
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
          .processes = control.processes,
          .trace = control.trace,
          .fault = request.fault,
          .disturb = request.disturb,
          .stop = control.stop,
          .observers = control.observers,
          .step = run.step};
}

RunForecast forecast_of(RunPlan planned, std::optional<Cost> predicted, const ProgramFacts& program,
                        const RunRequest& request, const PlanMemory& plan) {
  const AnyTopology& topology = request.topology;
  RunForecast run{std::move(planned), std::move(predicted)};
  run.measures_queues = can_measure_queues(topology, run);
  run.steps_bytes = steps_bytes_of(run, program, request, plan);
  run.memory_bytes = memory_of(run, plan);
  add_times(run, program);
  run.lower_bound = lower_bound_on(topology, run.collective, run.model);
  return run;
}

/// Predictions stop at 2^64 - 1 bytes: no host has them, even where its memory is not known.
static bool exceeds(std::uint64_t needed, std::uint64_t available) {
  return needed > available || needed == unknown_bytes;
}
static std::string available_text(std::uint64_t available) {
  return available == unknown_bytes ? "not known" : report::bytes_text(available);
}

void check_memory(std::string_view what, std::uint64_t needed, std::uint64_t available) {
  if (exceeds(needed, available))
    throw ResourceExhausted(fmt::format("{}: needs {} of memory; available: {}", what,
                                        report::bytes_text(needed), available_text(available)));
}

/// A run of an algorithm that takes more than `available`: what could be done.
[[noreturn]] static void refuse_memory(const RunForecast& run, const RunRequest& request,
                                       std::string_view needs, std::uint64_t needed) {
  const bool limited = request.memory_limit != 0 && run.available_bytes == request.memory_limit;
  const std::string have =
      limited ? fmt::format("allowed: {} (--memory-limit)", report::bytes_text(run.available_bytes))
              : fmt::format("available on this host: {}", available_text(run.available_bytes));
  throw ResourceExhausted(fmt::format("{} {} by {}: {} {} of memory; {}. Use {}another algorithm{}",
                                      run.topology, name_of(run.algorithm.operation),
                                      run.algorithm.name, needs, report::bytes_text(needed), have,
                                      definite_block_bytes(request) > 1 ? "smaller blocks, " : "",
                                      limited ? " or a larger limit" : " or a smaller network"));
}

void check_least_memory(const AlgorithmInfo& algorithm, const ProgramFacts& program,
                        const RunRequest& request) {
  constexpr std::uint64_t arcs_planned_in_a_moment = std::uint64_t{1} << 20U;
  const AnyTopology& topology = request.topology;
  if ((Bytes{topology.node_count()} * topology.max_degree()).value() <= arcs_planned_in_a_moment)
    return;
  const RunForecast run{RunPlan{least_choice(algorithm, program, request)}};
  const Bytes least = machine_bytes_of(run, program, request, {});
  const std::uint64_t needed = (Bytes{process_bytes} + least).value();
  if (exceeds(needed, run.available_bytes)) refuse_memory(run, request, "needs at least", needed);
}

void check_resources(const RunForecast& run, const RunRequest& request) {
  if (exceeds(run.memory_bytes, run.available_bytes))
    refuse_memory(run, request, "needs", run.memory_bytes);
  constexpr double seconds_per_hour = 3600;
  if (run.rough_seconds > request.max_hours * seconds_per_hour)
    throw ResourceExhausted(fmt::format(
        "{} {}: needs about {} on {}; allowed: {} (--max-hours). Use a smaller network "
        "or raise the limit",
        run.topology, name_of(run.algorithm.operation), report::seconds_text(run.rough_seconds),
        report::workers_text(run.workers, run.processes),
        report::seconds_text(request.max_hours * seconds_per_hour)));
}

}  // namespace lockstep::catalog
