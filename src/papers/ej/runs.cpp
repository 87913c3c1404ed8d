// SPDX-License-Identifier: Apache-2.0

/// The runs that the Eisenstein-Jacobi paper's figures, and ours, are held against.

#include <fmt/format.h>

#include <algorithm>

#include "algorithm/all_gather/ej_gather_rules.hpp"
#include "papers/ej/ej.hpp"
#include "report/quantities.hpp"

namespace lockstep::papers::ej {
namespace {

using ej_costs::Broadcast;
using ej_costs::BroadcastStep;
using report::count_text;

/// As the machine saw them.
[[nodiscard]] std::vector<BroadcastStep> steps_of(const RunRecord& record) {
  std::vector<BroadcastStep> steps;
  for (const StepRecord& step : record.series)
    if (step.messages != 0)
      steps.push_back({step.senders, step.receivers, step.active, record.processors - step.active});
  return steps;
}

[[nodiscard]] std::string average_of(const std::vector<BroadcastStep>& steps) {
  std::uint64_t sum = 0;
  std::uint64_t receivers = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    sum += (i + 1) * steps[i].receivers;
    receivers += steps[i].receivers;
  }
  return receivers == 0 ? "none" : Fraction{sum, receivers}.text();
}

[[nodiscard]] std::string step_text(const std::vector<BroadcastStep>& steps, std::size_t i) {
  if (i >= steps.size()) return "no such step";
  return fmt::format("{} {} {} {}", count_text(steps[i].free), count_text(steps[i].senders),
                     count_text(steps[i].receivers), count_text(steps[i].active));
}

/// What is said of the steps: how many are as they should be, or all of each.
enum class Detail : std::uint8_t { same_steps, every_step };

[[nodiscard]] std::vector<CountedFigure> step_figures(const RunRecord& record,
                                                      const Network& network,
                                                      const Algorithm& algorithm, Detail detail) {
  const std::vector<BroadcastStep> counted = steps_of(record);
  const std::vector<BroadcastStep> expected = network.steps(algorithm.kind);
  const std::size_t longer = std::max(counted.size(), expected.size());
  std::vector<CountedFigure> figures;
  if (detail == Detail::every_step) {
    for (std::size_t i = 0; i < longer; ++i)
      figures.push_back(
          {fmt::format("{}, step {}: free, senders, receivers, active", algorithm.name, i + 1),
           step_text(counted, i), step_text(expected, i)});
  } else {
    std::size_t same = 0;
    for (std::size_t i = 0; i < longer; ++i)
      same += step_text(counted, i) == step_text(expected, i) ? 1U : 0U;
    figures.push_back({fmt::format("{}: steps with these free, sending, receiving and active nodes",
                                   algorithm.name),
                       fmt::format("{} of {}", same, counted.size()),
                       fmt::format("{} of {}", expected.size(), expected.size())});
  }
  figures.push_back(
      {fmt::format("{}: average receive step", algorithm.name), average_of(counted),
       ej_costs::average_receive_step(network.one(), network.n, algorithm.kind).text()});
  return figures;
}

void add_broadcast(std::vector<PaperRun>& runs, const Network& network, const Algorithm& algorithm,
                   Detail detail, std::vector<std::string> parts) {
  runs.push_back({.topology = network.name(),
                  .operation = Operation::broadcast,
                  .algorithm = algorithm.name,
                  .n = network.n,
                  .block_bytes = 1,
                  .quantity = fmt::format("{}: total senders", algorithm.name),
                  .closed_form = count_text(network.senders(algorithm.kind)),
                  .counted = [](const RunResult& run) { return count_text(run.record.senders); },
                  .of_steps =
                      [=](const RunResult& run) {
                        return step_figures(run.record, network, algorithm, detail);
                      },
                  .parts = std::move(parts)});
}

/// Table 1 belongs to the iterative algorithm, table 2 to the improved one.
[[nodiscard]] std::vector<std::string> parts_of(std::size_t n, const Algorithm& algorithm) {
  if (n >= 4) return {"Table 3", "Figure 22"};
  if (n < 3) return {"Table 3"};
  return {algorithm.kind == Broadcast::iterative ? "Table 1" : "Table 2",
          "Table 3",
          "Figure 15",
          "Figure 16",
          "Figure 17",
          "Figure 18"};
}

/// Those of the tables; then of the networks behind figures 19 to 21 that are small enough.
void add_broadcasts(std::vector<PaperRun>& runs) {
  for (std::size_t n = 1; n <= 6; ++n) {
    const Detail detail = n == 3 ? Detail::every_step : Detail::same_steps;
    for (const Algorithm& algorithm : algorithms) {
      add_broadcast(runs, of_the_paper(n), algorithm, detail, parts_of(n, algorithm));
      runs.back().long_run = n == 6;
    }
  }
  for (const Network& network : {Network{4, 5, 3}, Network{6, 7, 2}})
    for (const Algorithm& algorithm : algorithms)
      add_broadcast(runs, network, algorithm, Detail::same_steps,
                    {"Figure 19", "Figure 20", "Figure 21"});
}

/// "18 t_s + 234 t_m, 504 messages to each"
[[nodiscard]] std::string exchange_text(const Cost& cost, std::uint64_t received) {
  return fmt::format("{} t_s + {} t_m, {} messages to each", count_text(cost.startups),
                     count_text(cost.message_times), count_text(received));
}

[[nodiscard]] std::string counted_exchange(const RunResult& run) {
  return exchange_text(run.cost, run.judgement.deliveries.tally.verified / run.record.processors);
}

void add_exchange(std::vector<PaperRun>& runs, Operation operation, const char* algorithm,
                  std::size_t n, std::string closed_form) {
  runs.push_back(
      {.topology = of_the_paper(n).name(),
       .operation = operation,
       .algorithm = algorithm,
       .n = n,
       .block_bytes = 8,
       .quantity = fmt::format("{} by {}",
                               operation == Operation::all_gather ? "all-gather" : "total exchange",
                               algorithm),
       .closed_form = std::move(closed_form),
       .counted = counted_exchange});
}

/// That of the paper must end with blocks missing for n = 2, and as many as its phases leave out.
void add_gathers(std::vector<PaperRun>& runs, std::size_t n) {
  for (const Gather& gather : gathers(n)) {
    add_exchange(runs, Operation::all_gather, gather.algorithm, n,
                 exchange_text(gather.cost, gather.received));
    if (gather.received < of_the_paper(n).one().node_count(n) - 1)
      runs.back().expected = Exit::not_delivered;
  }
}

/// Algorithms that need the least number of steps, with a message per link and step.
void add_least(std::vector<PaperRun>& runs, Operation operation, std::size_t n,
               const ej_costs::LeastSteps& least,
               std::initializer_list<std::pair<const char*, std::uint64_t ej_costs::LeastSteps::*>>
                   algorithms_and_steps) {
  for (const auto& [algorithm, steps] : algorithms_and_steps)
    add_exchange(
        runs, operation, algorithm, n,
        exchange_text({least.*steps, least.*steps}, of_the_paper(n).one().node_count(n) - 1));
}

}  // namespace

std::vector<Gather> gathers(std::size_t n) {
  const EisensteinJacobiNetwork network(3, 4, n);
  const auto gather = [](const char* name, const EjGatherByRule& algorithm) {
    const Footprint footprint = algorithm.footprint();
    return Gather{name, *algorithm.promise(),
                  footprint.blocks_per_processor / footprint.parts_per_block - 1};
  };
  return {gather("three-phase", EjThreePhase(network)),
          gather("three-phase-complete", EjThreePhaseComplete(network)),
          gather("two-substep", EjTwoSubstep(network)), gather("rotated", EjRotated(network))};
}

std::vector<PaperRun> runs() {
  using ej_costs::LeastSteps;
  std::vector<PaperRun> all;
  add_broadcasts(all);
  for (std::size_t n = 1; n <= 2; ++n) {
    add_gathers(all, n);
    add_least(
        all, Operation::all_gather, n, ej_costs::least_all_gather_steps(of_the_paper(n).one(), n),
        {{"greedy", &LeastSteps::full_duplex}, {"greedy-half-duplex", &LeastSteps::half_duplex}});
  }
  for (std::size_t n = 1; n <= 2; ++n) {
    add_least(all, Operation::total_exchange, n,
              ej_costs::least_total_exchange_steps(of_the_paper(n).one(), n),
              {{"node-invariant", &LeastSteps::single_port},
               {"edge-colouring", &LeastSteps::full_duplex},
               {"edge-colouring-half-duplex", &LeastSteps::half_duplex}});
  }
  return all;
}

}  // namespace lockstep::papers::ej
