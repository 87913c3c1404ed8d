// SPDX-License-Identifier: Apache-2.0

/// Lower bounds hold for every algorithm: no algorithm of the catalogue, with any variant, costs
/// less than the bound that a run of any other one prints for the same network, operation and port
/// model. A new algorithm or topology is covered here without an edit.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/cost/model.hpp"
#include "support/tested_variants.hpp"

namespace lockstep {
namespace {

constexpr std::uint64_t most_bounded = 130;

/// Odd and even sizes, several dimensions, nodes that differ, parallel links, switches.
constexpr const char* others[] = {"linear:1",
                                  "linear:2",
                                  "linear:9",
                                  "ring:3",
                                  "ring:5",
                                  "ring:64",
                                  "complete:2",
                                  "complete:5",
                                  "mesh:2x3",
                                  "mesh:3x3",
                                  "mesh:2x3x2",
                                  "torus:2",
                                  "torus:64",
                                  "torus:2x2x3",
                                  "torus:3x3",
                                  "torus:3x4",
                                  "torus:5x5",
                                  "torus:8x8",
                                  "star:3",
                                  "star:4",
                                  "hypercube:1",
                                  "hypercube:3",
                                  "hypercube:6",
                                  "generalized-hypercube:3x4",
                                  "ej:0+3",
                                  "ej:1+2",
                                  "ej:1+2^2",
                                  "ej:2+3",
                                  "circulant:9,1,2",
                                  "ccc:3",
                                  "product(ring:5,linear:4)",
                                  "product(star:3,linear:2)",
                                  "fat-tree:2",
                                  "fat-tree:5",
                                  "fat-tree:2^3",
                                  "fat-tree:3x2,exponential",
                                  "fat-tree:2x3,2.3",
                                  "fat-tree:2^3,1.2.4",
                                  "kary-tree:2^3",
                                  "kary-tree:3^2",
                                  "xgft:2;3,2;2,1",
                                  "xgft:2;2,3;1,4",
                                  "xgft:2;3,3;1,2"};

std::vector<AnyTopology> bound_networks() {
  std::vector<AnyTopology> all;
  for (const TopologyInfo& info : topology_catalog()) {
    if (info.example.empty()) continue;  // needs a file
    if (AnyTopology network{std::string(info.example)}; network.node_count() <= most_bounded)
      all.push_back(std::move(network));
  }
  for (const char* const name : others) all.emplace_back(name);
  return all;
}

/// What is to be done, by settings of its own: from which root, with which messages.
std::vector<Settings> tasks_of(const AnyTopology& network, Operation operation) {
  const std::uint64_t last = network.processor_count() - 1;
  if (has_root(operation)) {
    std::vector<Settings> roots{{{"root", std::uint64_t{0}}}};
    if (last > 0) roots.push_back({{"root", last}});
    if (last > 2) roots.push_back({{"root", last / 2}});
    return roots;
  }
  if (operation != Operation::many_to_all) return {Settings{}};
  std::vector<Settings> placements;
  for (const char* const placement : {"perm", "onenode", "row", "random:3"})
    for (const std::uint64_t messages : {std::uint64_t{1}, last, 2 * last + 5})
      placements.push_back({{"messages", messages}, {"placement", std::string(placement)}});
  placements.push_back({{"messages", std::uint64_t{0}}});
  return placements;
}

/// A run, and what it is told to be bounded by.
struct Run {
  std::string name;
  PortModel model;
  Cost cost;
  bool whole;  ///< blocks travel undivided
};

struct Task {
  AnyTopology network;
  Operation operation;
  Settings settings;
  std::vector<Run> runs{};
  std::vector<std::pair<PortModel, LowerBound>> bounds{};  ///< of each model, as first printed
};

/// One bound per port model, whichever algorithm asks.
void add_bound(Task& task, const PortModel& model, const std::optional<LowerBound>& bound) {
  if (!bound) return;
  const auto known = std::find_if(task.bounds.begin(), task.bounds.end(),
                                  [&](const auto& one) { return one.first == model; });
  if (known == task.bounds.end())
    task.bounds.emplace_back(model, *bound);
  else
    EXPECT_EQ(known->second, *bound) << model.name;
}

void add_run(Task& task, RunRequest request) {
  const auto prepared = prepare(request, false);
  const RunForecast& run = prepared->forecast();
  if (run.footprint.deliveries != 0) return;  // leaves blocks out, as is known
  std::string name =
      std::string(run.algorithm.name) + phrases_of(run.algorithm.parameters, run.settings);
  task.runs.push_back({std::move(name), run.model,
                       run.predicted ? *run.predicted : prepared->execute().cost,
                       run.parts_per_block() == 1});
  add_bound(task, run.model, run.lower_bound);
}

void add_bounds(Task& task, RunRequest request, const PortModel& own) {
  for (const PortModel& model : port_models::all) {
    if (!model.admits(own) || model == own) continue;
    request.port_model = model;
    add_bound(task, model, prepare(request, false)->forecast().lower_bound);
  }
}

void add_algorithm(Task& task, const AlgorithmInfo& info) {
  RunRequest request{.topology = task.network, .operation = task.operation};
  request.algorithm = std::string(info.name);
  request.settings = task.settings;
  request.block_bytes = 8 * task.network.node_count();  // parts of any number divide it
  request.executor = ExecutorKind::serial;
  const auto first = prepare(request, false);
  const std::vector<Settings> all = test::tested_variants(first->variants());
  const bool cuts = std::any_of(info.parameters.begin(), info.parameters.end(),
                                [](const Parameter& one) { return one.name == "parts"; });
  for (Settings settings : all) {
    for (const auto& [name, value] : task.settings) settings[name] = value;
    request.settings = settings;
    add_run(task, request);
    if (!cuts) continue;
    request.settings["parts"] = std::uint64_t{3};
    add_run(task, request);
  }
  request.settings = task.settings;
  add_bounds(task, request, first->forecast().model);
}

void expect_not_less(const Run& run, const LowerBound& bound) {
  const Cost& least = bound.of(run.whole ? 1 : 2);
  EXPECT_LE(bound.least.message_times, bound.undivided.message_times);
  EXPECT_LE(bound.least.startups, bound.undivided.startups);
  EXPECT_GE(run.cost.startups, least.startups);
  EXPECT_GE(run.cost.message_times, least.message_times);
  EXPECT_GE(run.cost.message_times, bound.least.message_times);
  for (const double ratio : {0.001, 0.1, 1.0, 10.0, 1000.0}) {
    const CostParameters costs{.t_s = ratio, .t_m = 1, .t_w = 0};
    EXPECT_GE(modelled(run.cost, costs, 1) * (1 + 1e-12), least_time(bound, costs)) << ratio;
  }
}

/// How many pairs of a run and a bound were compared.
std::size_t expect_bounds_hold(const Task& task) {
  std::size_t compared = 0;
  for (const auto& [model, bound] : task.bounds)
    for (const Run& run : task.runs) {
      if (!model.admits(run.model)) continue;
      SCOPED_TRACE(run.name + " under " + std::string(model.name));
      expect_not_less(run, bound);
      ++compared;
    }
  return compared;
}

class LowerBoundLaws : public testing::TestWithParam<OperationInfo> {};

TEST_P(LowerBoundLaws, NoAlgorithmCostsLess) {
  std::size_t compared = 0;
  for (const AnyTopology& network : bound_networks())
    for (const Settings& settings : tasks_of(network, GetParam().operation)) {
      Task task{network, GetParam().operation, settings};
      SCOPED_TRACE(network.name());
      for (const AlgorithmInfo& info : algorithms_for(network, task.operation))
        add_algorithm(task, info);
      compared += expect_bounds_hold(task);
      if (HasFailure()) return;
    }
  EXPECT_GT(compared, 10U);
}

std::string bound_case(const testing::TestParamInfo<OperationInfo>& info) {
  std::string name(name_of(info.param.operation));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, LowerBoundLaws, testing::ValuesIn(operation_catalog()), bound_case);

}  // namespace
}  // namespace lockstep
