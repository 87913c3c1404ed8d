// SPDX-License-Identifier: Apache-2.0

/// Laws of choosing an algorithm, over the whole catalogue: port models nest, a default run breaks
/// no rule, and nothing that was known to take less time was left aside. An algorithm that declares
/// a stronger port model is chosen only if its run keeps the rules.

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"
#include "study/comparison.hpp"

namespace lockstep {
namespace {

/// Networks of every family, and some on which algorithms break no rule though they might.
const std::vector<std::string> choice_networks{
    "star:2",         "star:3",      "star:4",       "ring:5",           "linear:4",
    "hypercube:1",    "hypercube:3", "complete:5",   "torus:3x4",        "torus:3x3",
    "mesh:2x3",       "ej:1+2",      "fat-tree:2^2", "fat-tree:2^2,2.2", "kary-tree:2^2",
    "xgft:2;2,3;1,2", "pancake:3"};

RunRequest request_of(const std::string& network, Operation operation) {
  return {.topology = network,
          .operation = operation,
          .block_bytes = 64,  // a byte or more for every part
          .executor = ExecutorKind::serial};
}

using Winners = std::map<std::pair<std::string, std::string>, std::string>;

Winners winners(const RunRequest& base, const CostParameters& host) {
  study::RunSeries series(study::compare_variants(base, host).requests, {});
  Winners all;
  for (const study::Winner& winner : study::compare(series, host).winners)
    all[{winner.port_model, winner.ratio}] = winner.variant;
  return all;
}

/// The winner for a port model among all algorithms is that of a comparison under this port model.
TEST(ChoiceLaws, PortModelsNestInComparisons) {
  constexpr CostParameters host{.t_s = 7, .t_m = 2};
  std::size_t compared = 0;
  for (const std::string& network : choice_networks)
    for (const OperationInfo& info : operation_catalog()) {
      RunRequest base = request_of(network, info.operation);
      if (algorithms_for(base.topology, info.operation).empty()) continue;
      if (network == "star:2" && info.operation == Operation::odd_distance_exchange)
        continue;  // has tables only, and none that is built in
      const Winners all = winners(base, host);
      std::set<std::string> models;
      for (const auto& [key, variant] : all) models.insert(key.first);
      for (const PortModel& model : port_models::all) {
        if (models.count(std::string(model.name)) == 0) continue;
        base.port_model = model;
        for (const auto& [key, variant] : winners(base, host)) {
          EXPECT_EQ(all.at(key), variant) << network << " " << name_of(info.operation) << ", "
                                          << key.first << ", " << key.second;
          ++compared;
        }
      }
    }
  EXPECT_GT(compared, 500U);
}

/// By the closed form, or a start-up and a block in each step of a plan; empty where neither is
/// known.
std::optional<double> time_of(const RunForecast& run, const CostParameters& costs) {
  std::optional<Cost> cost = run.predicted;
  if (cost) cost = run.charged(*cost, run.footprint.steps);
  if (const std::uint64_t steps = run.footprint.steps; !cost && steps != 0)
    cost = Cost{steps, steps};
  if (!cost) return std::nullopt;
  return predicted(*cost, costs, run.block_bytes);
}

/// The least predicted time of all algorithms that need that port model or a weaker one, by their
/// defaults and what they leave open; empty where none is known.
std::optional<double> least_time(const RunRequest& base, const PortModel& model) {
  std::optional<double> least;
  for (const AlgorithmInfo& info : algorithms_for(base.topology, base.operation)) {
    if (!model.admits(info.model)) continue;
    RunRequest one = base;
    one.algorithm = std::string(info.name);
    try {
      const auto run = prepare(one);
      if (!run->forecast().predicted) continue;
      const double time = *time_of(run->forecast(), base.costs);
      least = least ? std::min(*least, time) : time;
    } catch (const InvalidParameter&) {
      continue;
    }
  }
  return least;
}

bool admits_any(const RunRequest& base, const PortModel& model) {
  for (const AlgorithmInfo& info : algorithms_for(base.topology, base.operation))
    if (model.admits(info.model)) return true;
  return false;
}

/// Runs it, and holds what was chosen against all that could have been.
void check_default(const RunRequest& request, const PortModel& model) {
  const std::unique_ptr<PreparedRun> run = prepare(request);
  const RunForecast& before = run->forecast();
  EXPECT_EQ(before.model, model);
  RunRequest open = request;
  open.port_model.reset();
  const std::optional<double> least = least_time(open, model);
  const std::optional<double> chosen = time_of(before, request.costs);
  ASSERT_TRUE(chosen.has_value());
  EXPECT_LE(*chosen, least.value_or(*chosen));  // less by a variant that is no default
  EXPECT_TRUE(run->execute().record.legal());
}

TEST(ChoiceLaws, ADefaultRunIsTheBestPredictedAndBreaksNoRule) {
  std::size_t refused = 0;
  for (const std::string& network : choice_networks)
    for (const OperationInfo& info : operation_catalog())
      for (const double t_s : {0.1, 100.0}) {
        RunRequest request = request_of(network, info.operation);
        request.costs = {.t_s = t_s};
        if (algorithms_for(request.topology, info.operation).empty()) continue;
        SCOPED_TRACE(network + " " + std::string(name_of(info.operation)));
        for (const PortModel& model : port_models::all) {
          request.port_model = model;
          if (admits_any(request, model) && least_time(request, model)) {
            check_default(request, model);
          } else if (!admits_any(request, model)) {
            try {
              EXPECT_TRUE(prepare(request)->execute().record.legal()) << model.name;
            } catch (const InvalidParameter&) {
              ++refused;
            }
          }
        }
      }
  EXPECT_GT(refused, 20U);
}

}  // namespace
}  // namespace lockstep
