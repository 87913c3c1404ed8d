// SPDX-License-Identifier: Apache-2.0

/// Laws of every line of the catalogue, by its line alone: every algorithm with every
/// variant, on the example of every topology that admits it and on some that are awkward. A new
/// algorithm or topology is covered here without an edit; figures of its paper have tests of their
/// own.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/verify/legality.hpp"
#include "program/cost_formulas.hpp"
#include "report/run_fields.hpp"
#include "study/stress_jobs.hpp"
#include "support/cases.hpp"
#include "support/tested_variants.hpp"

namespace lockstep {
namespace {

/// Total exchanges among more processors take the reference machine too long.
constexpr std::uint64_t most_processors = 130;

/// One processor, two, odd and even, without symmetry, in several dimensions.
constexpr const char* awkward[] = {
    "linear:1",         "linear:2",      "ring:3",        "ring:6",     "complete:2",
    "mesh:2x3x2",       "torus:3x4",     "torus:5x5",     "star:3",     "hypercube:1",
    "hypercube:3",      "ej:0+3",        "ej:1+2^2",      "fat-tree:2", "fat-tree:3x2,exponential",
    "fat-tree:2x3,2.3", "kary-tree:3^2", "xgft:2;3,2;2,1"};

std::vector<AnyTopology> catalogue_networks() {
  std::vector<AnyTopology> all;
  for (const TopologyInfo& info : topology_catalog()) {
    if (info.example.empty()) continue;  // needs a file
    if (AnyTopology network{std::string(info.example)}; network.node_count() <= most_processors)
      all.push_back(std::move(network));
  }
  for (const char* const name : awkward) all.emplace_back(name);
  return all;
}

/// As the machine with other channels and workers, and as the reference machine.
void expect_same_elsewhere(const RunRequest& request, PreparedRun& run, const RunResult& result) {
  RunRequest other = request;
  other.channel = ChannelKind::automatic;
  other.processors_per_task = 5;
  for (const std::size_t workers : {2U, 8U}) {
    other.workers = workers;
    const RunResult again = prepare(other)->execute();
    EXPECT_EQ(study::differences(again.record, result.record), std::vector<std::string>{});
  }

  const RunForecast& forecast = run.forecast();
  const study::Job job{.model = forecast.model,
                       .collective = forecast.collective.on(request.topology),
                       .block_bytes = forecast.part_bytes(),
                       .parts_per_block = forecast.parts_per_message(),
                       .verify = VerifyKind::exact,
                       .watch_waits = forecast.algorithm.unbuffered,
                       .measure_queues = forecast.measures_queues,
                       .receive_once = forecast.receive_once};
  const study::RunOutcome expected = study::run_reference(request.topology.network(), run.program(),
                                                          job, forecast.channel, nullptr);
  EXPECT_EQ(study::differences(result.record, expected.record), std::vector<std::string>{});
}

/// Every processor is active or free in every step, and so is every switch. As the columns of the
/// series say it, and recounted from the sends.
void expect_all_nodes_counted(PreparedRun& run, const RunResult& result) {
  const RunRecord& record = result.record;
  const std::uint64_t switches = record.nodes - record.processors;
  const auto figure = [](const report::Fields& row, const char* name) {
    return std::get<std::uint64_t>(value_of(row, name));
  };
  for (const report::Fields& row : report::series_rows(result)) {
    EXPECT_EQ(figure(row, "active") + figure(row, "free"), record.processors);
    EXPECT_EQ(figure(row, "switches_active") + figure(row, "switches_free"), switches);
    EXPECT_LE(figure(row, "active"), record.processors);
    EXPECT_LE(figure(row, "switches_active"), switches);
    EXPECT_LE(std::max(figure(row, "senders"), figure(row, "receivers")), figure(row, "active"));
    EXPECT_LE(std::max(figure(row, "switch_senders"), figure(row, "switch_receivers")),
              figure(row, "switches_active"));
  }
  constexpr std::uint64_t most_recounted = 3'000;
  if (switches == 0 || record.messages_sent > most_recounted) return;
  SendTrace trace;
  const RunResult traced = run.execute({.trace = &trace});
  EXPECT_EQ(disagreements(recount_trace(trace, traced.forecast.model, record.processors), record),
            std::vector<std::string>{});
}

/// The machine counts the cost that an algorithm states as formulas.
void expect_formulas(const RunRequest& request, const RunResult& result) {
  const AlgorithmInfo& info = result.forecast.algorithm;
  for (const auto& [formula, counted] : {std::pair(info.startups, Fraction(result.cost.startups)),
                                         std::pair(info.message_times, result.cost.message_times)})
    if (!formula.empty()) {
      const std::uint64_t parts = result.forecast.footprint.parts_per_block;
      EXPECT_EQ(
          to_string(value_by_formula(formula, formula_network(info, request.topology), parts)),
          to_string(counted))
          << formula;
    }
}

/// The machine does the work that the plan counts.
void expect_planned_work(const RunForecast& before, const RunRecord& record) {
  if (!before.footprint.work) return;
  const PlannedWork& plan = *before.footprint.work;
  EXPECT_EQ(plan.messages, record.messages_sent);
  EXPECT_EQ(plan.startups, record.startups);
  EXPECT_EQ(plan.message_times, record.message_times);
  EXPECT_EQ(plan.control_words, record.control_words);
  EXPECT_EQ(plan.blocks_sent, record.blocks_moved);
  EXPECT_EQ(plan.loads, record.blocks_loaded);
  EXPECT_EQ(plan.deliveries, record.deliveries.delivered);
  if (before.receive_once) return;  // its machine keeps no slots
  const MachineWork& machine = record.work;
  EXPECT_EQ(plan.machine.copied, machine.copied);
  EXPECT_EQ(plan.machine.combined, machine.combined);
  EXPECT_EQ(plan.machine.listed, machine.listed);
  const auto expect_about = [](std::uint64_t planned, std::uint64_t counted) {
    EXPECT_LE(4 * planned, 5 * counted + 4);
    EXPECT_LE(4 * counted, 5 * planned + 4);
  };
  EXPECT_LE(plan.machine.turns, machine.turns);  // a node that receives once stays active
  expect_about(plan.machine.turns, machine.turns);
  expect_about(plan.machine.copies, machine.copies);
  expect_about(plan.machine.combines, machine.combines);
  expect_about(plan.machine.searches, machine.searches);
}

void expect_laws(const RunRequest& request, PreparedRun& run) {
  const RunForecast& before = run.forecast();
  const RunResult result = run.execute();
  const Outcome outcome = result.judgement.outcome;
  const bool known = before.footprint.deliveries != 0;
  EXPECT_EQ(outcome, known ? Outcome::incomplete_as_known : Outcome::complete)
      << result.judgement.sentence;
  EXPECT_TRUE(result.judgement.promises.kept());
  EXPECT_TRUE(result.record.legal());
  EXPECT_EQ(result.record.steps, before.footprint.steps);
  expect_formulas(request, result);
  expect_planned_work(before, result.record);
  expect_all_nodes_counted(run, result);
  expect_same_elsewhere(request, run, result);
}

class CatalogueLaws : public testing::TestWithParam<OperationInfo> {};

TEST_P(CatalogueLaws, HoldForEveryAlgorithmOnEveryNetwork) {
  const Operation operation = GetParam().operation;
  std::map<std::string_view, test::SomeCases> seen;  // networks of each algorithm
  for (const AnyTopology& network : catalogue_networks())
    for (const AlgorithmInfo& info : algorithms_for(network, operation)) {
      if (!seen.try_emplace(info.name, 7U).first->second.take()) continue;
      RunRequest request{.topology = network, .operation = operation};
      request.algorithm = std::string(info.name);
      request.block_bytes = 9;  // which few parts divide
      request.keep_series = true;
      request.executor = ExecutorKind::serial;
      request.workers = 1;
      const bool routes = info.model.switching == Switching::wormhole;
      request.channel = routes ? ChannelKind::wormhole : ChannelKind::slot;
      const auto open = prepare(request);
      // Every choice of what the algorithm itself would compare.
      for (const Settings& settings : test::tested_variants(open->variants())) {
        request.settings = settings;
        std::vector<std::uint64_t> roots{0};
        if (has_root(operation) && network.node_count() > 1)
          roots.push_back(network.processor_count() - 1);
        for (const std::uint64_t root : roots) {
          if (has_root(operation)) request.settings[root_parameter.name] = root;
          SCOPED_TRACE(std::string(info.name) + " on " + network.name() + " from " +
                       std::to_string(root));
          const bool is_open = !has_root(operation) && settings == Settings{};
          expect_laws(request, is_open ? *open : *prepare(request));
          if (HasFailure()) return;
        }
      }
    }
  for (const AlgorithmEntry& entry : algorithm_catalog()) {
    bool needs_plan = false;
    for (const Parameter& parameter : entry.info.parameters)
      needs_plan = needs_plan || parameter.kind == Parameter::Kind::file;
    if (entry.info.operation != operation || needs_plan) continue;
    EXPECT_EQ(seen.count(entry.info.name), 1U)
        << entry.info.name << ": no example of a topology in the catalogue admits it";
  }
}

std::string catalogue_case(const testing::TestParamInfo<OperationInfo>& info) {
  std::string name(name_of(info.param.operation));
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, CatalogueLaws, testing::ValuesIn(operation_catalog()),
                         catalogue_case);

}  // namespace
}  // namespace lockstep
