// SPDX-License-Identifier: Apache-2.0

/// Claims of algorithms to need the least (program/claims.hpp), compared with every other algorithm
/// of the operation that runs lawfully under the same port model, and against the lower bounds. A
/// new algorithm or claim is covered here without an edit.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/detail/topology_model.hpp"
#include "support/tested_variants.hpp"

namespace lockstep {
namespace {

/// A hub between the root and three leaves: several blocks per message pay here.
AnyTopology broom() {
  const std::vector<Link> links{{NodeId{0}, NodeId{1}},
                                {NodeId{1}, NodeId{2}},
                                {NodeId{1}, NodeId{3}},
                                {NodeId{1}, NodeId{4}}};
  return AnyTopology(std::make_shared<TopologyModel<Network>>(build_network("broom", 5, links)));
}

std::vector<AnyTopology> claim_networks() {
  std::vector<AnyTopology> all{"linear:2",
                               "linear:5",
                               "linear:6",
                               "ring:5",
                               "ring:6",
                               "ring:8",
                               "complete:5",
                               "mesh:2x3",
                               "torus:3x3",
                               "torus:4x4",
                               "torus:2x5",
                               "star:3",
                               "star:4",
                               "hypercube:1",
                               "hypercube:3",
                               "hypercube:4",
                               "ej:1+2",
                               "ej:2+3",
                               "ej:0+3",
                               "ej:3+4",
                               "ccc:3",
                               "petersen",
                               "circulant:9,1,2",
                               "product(star:3,linear:2)",
                               "fat-tree:2",
                               "fat-tree:5",
                               "fat-tree:2^2",
                               "fat-tree:2^3",
                               "fat-tree:3x2",
                               "fat-tree:3^2",
                               "fat-tree:2x3,2.3",
                               "fat-tree:2^3,exponential",
                               "fat-tree:3x2,exponential",
                               "kary-tree:2^2",
                               "kary-tree:2^3",
                               "kary-tree:3^2",
                               "xgft:2;3,2;2,1",
                               "xgft:1;3;2"};
  all.push_back(broom());
  return all;
}

std::vector<Settings> problems(const AnyTopology& network, Operation operation) {
  const std::uint64_t last = network.processor_count() - 1;
  if (has_root(operation)) {
    std::vector<Settings> roots{{{"root", std::uint64_t{0}}}};
    if (last > 2) roots.push_back({{"root", last / 2}});
    return roots;
  }
  if (operation == Operation::many_to_all)
    return {{{"messages", last}, {"placement", std::string("random:3")}},
            {{"messages", std::uint64_t{2}}, {"placement", std::string("onenode")}}};
  return {Settings{}};
}

struct ClaimRun {
  std::string name;  ///< with its settings
  std::string_view algorithm;
  Settings settings;
  Claims claims;
  Cost cost;
  std::optional<LowerBound> bound;
  bool whole = false;      ///< blocks travel undivided
  bool one_block = false;  ///< one in each message

  [[nodiscard]] bool is_in(Among set) const {
    return set == Among::all || (set == Among::undivided && whole) ||
           (set == Among::one_block && whole && one_block);
  }
};

/// Empty where the run breaks a rule, leaves blocks out or is refused.
std::optional<ClaimRun> lawful_run(const RunRequest& request) {
  try {
    const auto prepared = prepare(request, false);
    const RunForecast& forecast = prepared->forecast();
    if (forecast.footprint.deliveries != 0) return std::nullopt;
    const RunResult result = prepared->execute();
    if (!result.ok()) return std::nullopt;
    return ClaimRun{fmt::format("{}{}", forecast.algorithm.name,
                                phrases_of(forecast.algorithm.parameters, forecast.settings)),
                    forecast.algorithm.name,
                    forecast.settings,
                    forecast.algorithm.claims,
                    result.cost,
                    forecast.lower_bound,
                    forecast.parts_per_block() == 1,
                    result.record.largest_message_blocks <= 1};
  } catch (const InvalidParameter&) {
    return std::nullopt;  // the algorithm does not run there
  }
}

/// All variants of all algorithms under that port model.
std::vector<ClaimRun> lawful_runs(const AnyTopology& network, Operation operation,
                                  const Settings& problem, const PortModel& model) {
  std::vector<ClaimRun> runs;
  for (const AlgorithmInfo& info : algorithms_for(network, operation)) {
    RunRequest request{.topology = network,
                       .operation = operation,
                       .algorithm = std::string(info.name),
                       .settings = problem,
                       .port_model = model,
                       .block_bytes = 8 * network.node_count(),
                       .executor = ExecutorKind::serial};
    const Variants variants = prepare({.topology = network,
                                       .operation = operation,
                                       .algorithm = std::string(info.name),
                                       .settings = problem,
                                       .block_bytes = 8 * network.node_count(),
                                       .executor = ExecutorKind::serial},
                                      false)
                                  ->variants();
    for (Settings settings : test::tested_variants(variants)) {
      for (const auto& [name, value] : problem) settings[name] = value;
      request.settings = settings;
      if (const auto run = lawful_run(request)) runs.push_back(*run);
    }
  }
  return runs;
}

/// A maximum flow proves its claim. All others are proved by a lower bound that they reach.
bool is_proved_otherwise(std::string_view algorithm) { return algorithm == "flow"; }

template <class Term>
void expect_least(const ClaimRun& claiming, Among set, const std::vector<ClaimRun>& runs,
                  Term Cost::*term) {
  if (set == Among::none) return;
  EXPECT_TRUE(claiming.is_in(set)) << claiming.name << " is no schedule of its own set";
  for (const ClaimRun& other : runs) {
    if (!other.is_in(set)) continue;
    EXPECT_LE(claiming.cost.*term, other.cost.*term) << claiming.name << " and " << other.name;
  }
}

void expect_bound(const ClaimRun& claiming) {
  if (is_proved_otherwise(claiming.algorithm)) return;
  ASSERT_TRUE(claiming.bound.has_value()) << claiming.name;
  const LowerBound& bound = *claiming.bound;
  const Claims& claims = claiming.claims;
  if (claims.startups != Among::none) {
    // With one block per message, every message time is a start-up.
    const Fraction least = claims.startups == Among::one_block ? bound.undivided.message_times
                                                               : Fraction(bound.least.startups);
    EXPECT_EQ(Fraction(claiming.cost.startups), least) << claiming.name;
  }
  if (claims.message_times != Among::none) {
    const Cost& least = claims.message_times == Among::all ? bound.least : bound.undivided;
    EXPECT_EQ(claiming.cost.message_times, least.message_times) << claiming.name;
  }
}

class ClaimLaws : public testing::TestWithParam<OperationInfo> {};

TEST_P(ClaimLaws, NoOtherAlgorithmNeedsLess) {
  const Operation operation = GetParam().operation;
  std::size_t claims = 0;
  for (const AnyTopology& network : claim_networks())
    for (const Settings& problem : problems(network, operation)) {
      std::vector<PortModel> models;
      for (const AlgorithmInfo& info : algorithms_for(network, operation))
        if (info.claims.any() && std::ranges::find(models, info.model) == models.end())
          models.push_back(info.model);
      for (const PortModel& model : models) {
        SCOPED_TRACE(fmt::format("{} {}", network.name(), model.name));
        const std::vector<ClaimRun> runs = lawful_runs(network, operation, problem, model);
        for (const AlgorithmInfo& info : algorithms_for(network, operation))
          for (const ClaimRun& run : runs) {
            if (run.algorithm != info.name || !(info.model == model) ||
                !info.claims.hold_on(network, run.settings))
              continue;
            expect_least(run, info.claims.startups, runs, &Cost::startups);
            expect_least(run, info.claims.message_times, runs, &Cost::message_times);
            expect_bound(run);
            ++claims;
          }
      }
    }
  EXPECT_GT(claims, 0U);
}

std::string claim_case(const testing::TestParamInfo<OperationInfo>& info) {
  std::string name(name_of(info.param.operation));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, ClaimLaws, testing::ValuesIn(operation_catalog()), claim_case);

TEST(Claims, AreSaidWithTheirSetOfSchedules) {
  EXPECT_EQ(Claims{}.text(), "");
  EXPECT_EQ((Claims{.startups = Among::all, .message_times = Among::all}.text()),
            "fewest start-ups and message times among all schedules");
  EXPECT_EQ(
      (Claims{
          .startups = Among::one_block, .message_times = Among::undivided, .where = "on fat trees"}
           .text()),
      "on fat trees: fewest start-ups among schedules of one block per message; fewest "
      "message times among schedules that do not divide blocks");
}

/// Words that claim something are said with claims alone, which have a set of schedules.
TEST(Claims, AreInNoOtherText) {
  for (const AlgorithmEntry& entry : algorithm_catalog())
    for (const std::string_view text : {entry.info.costs, entry.info.summary})
      for (const std::string_view word :
           {"fewest", "minimum", "optimal", "no schedule", "lower bound)", "the lower bound"})
        EXPECT_TRUE(text.find(word) == std::string_view::npos ||
                    text.find("in all tested") != std::string_view::npos ||
                    text.find("searches for") != std::string_view::npos)
            << entry.info.name << ": " << text;
}

}  // namespace
}  // namespace lockstep
