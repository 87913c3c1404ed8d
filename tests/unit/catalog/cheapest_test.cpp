// SPDX-License-Identifier: Apache-2.0

/// The selection of algorithm and settings that a request leaves open.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithm/many_to_all/ring2d.hpp"
#include "catalog/candidates.hpp"
#include "catalog/catalog_line.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/cost/model.hpp"
#include "support/cases.hpp"

namespace lockstep {
namespace {

RunRequest many_to_all(std::uint64_t messages, double t_s) {
  RunRequest request{.topology = "torus:12x12",
                     .operation = Operation::many_to_all,
                     .costs = {.t_s = t_s},
                     .block_bytes = 8};
  request.settings["messages"] = messages;
  return request;
}

double time_of(const RunForecast& run, const CostParameters& costs) {
  return predicted(run.charged(*run.predicted, run.footprint.steps), costs, run.block_bytes);
}

/// The least time of all algorithms, each with all of its settings.
double least_time(const RunRequest& request) {
  double least = std::numeric_limits<double>::infinity();
  for (const AlgorithmInfo& info : algorithms_for(request.topology, request.operation)) {
    RunRequest one = request;
    one.algorithm = std::string(info.name);
    const Variants variants = prepare(one)->variants();
    std::vector<Settings> all = variants.all;
    for (const std::vector<Settings>& more : variants.cheapest_of)
      all.insert(all.end(), more.begin(), more.end());
    EXPECT_FALSE(all.empty());
    for (const Settings& settings : all) {
      RunRequest definite = one;
      for (const auto& [name, value] : settings) definite.settings[name] = value;
      least = std::min(least, time_of(prepare(definite)->forecast(), request.costs));
    }
  }
  return least;
}

TEST(Cheapest, AnOperatorOfTheUsersKnowsNothingOfPadding) {
  RunRequest request{.topology = "hypercube:4", .operation = Operation::all_reduce};
  const AlgorithmInfo* halving = nullptr;
  for (const AlgorithmEntry& entry : algorithm_catalog())
    if (entry.info.name == "halving-doubling") halving = &entry.info;
  ASSERT_NE(halving, nullptr);
  const auto reason = [&](std::size_t bytes) {
    request.block_bytes = bytes;
    return unfilled_parts(*halving, request);
  };
  EXPECT_EQ(reason(16), "");
  EXPECT_EQ(reason(24), "");
  EXPECT_EQ(reason(15), "");
  request.combine = [](auto, auto, auto) {};  // an operator of the user's own
  EXPECT_EQ(reason(32), "");
  EXPECT_EQ(reason(24), "divides blocks into 16 parts; blocks of 24 bytes are not a multiple");
}

TEST(Cheapest, AManyToAllIsThatOfLeastPredictedTime) {
  test::SomeCases some(4);
  for (const double t_s : {0.1, 1.0, 10.0, 100.0, 1000.0})
    for (const std::uint64_t messages : {1U, 48U, 144U}) {
      if (!some.take()) continue;
      const RunRequest request = many_to_all(messages, t_s);
      const auto run = prepare(request);
      const RunForecast& forecast = run->forecast();
      EXPECT_EQ(time_of(forecast, request.costs), least_time(request)) << t_s << ", " << messages;
      EXPECT_EQ(forecast.picked.rfind(forecast.algorithm.name, 0), 0U) << forecast.picked;
      EXPECT_TRUE(run->execute().ok());
    }
}

/// A total exchange whose costs nobody gave: algorithms made for a family come first.
TEST(Cheapest, ATotalExchangeAtAssumedCostsIsOneMadeForTheNetwork) {
  const CostParameters given{.t_s = 100};
  const CostParameters assumed = RunRequest{}.costs;
  const struct {
    const char* topology;
    std::optional<PortModel> model;
    const CostParameters& costs;
    std::string_view algorithm;
    std::uint64_t steps;
  } rows[] = {{"torus:6x6", port_models::all_port, assumed, "rotated-dimensions", 6},
              {"torus:6x6", port_models::all_port, given, "rotated-dimensions", 6},
              {"mesh:3x4x5", port_models::all_port, assumed, "by-dimensions-all-port", 10},
              {"hypercube:6", port_models::all_port, assumed, "rotated-dimensions", 6},
              {"hypercube:6", std::nullopt, assumed, "by-dimensions", 6},
              {"mesh:3x3", std::nullopt, assumed, "by-dimensions-in-turn", 6},
              {"linear:9", std::nullopt, assumed, "furthest-first-bundles", 8},
              {"star:5", std::nullopt, assumed, "generator-sequence", 9},
              {"petersen", std::nullopt, assumed, "matched-rounds", 4},
              {"fat-tree:2^3", std::nullopt, assumed, "phases", 26}};
  for (const auto& row : rows) {
    const auto run = prepare({.topology = row.topology,
                              .operation = Operation::total_exchange,
                              .costs = row.costs,
                              .port_model = row.model});
    EXPECT_EQ(run->forecast().algorithm.name, row.algorithm) << row.topology;
    EXPECT_EQ(run->forecast().footprint.steps, row.steps) << row.topology;
  }
}

/// Words that cost more than all else are avoided; free ones are not looked at.
TEST(Cheapest, ControlWordsAreChargedWhatTheCostsSay) {
  const auto chosen_at = [](const CostParameters& costs) {
    RunRequest request = many_to_all(144, 1);
    request.algorithm = "aggregation";
    request.costs = costs;
    return prepare(request)->forecast();
  };
  std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t h : {1U, 2U, 3U, 4U, 6U, 12U}) {
    RunRequest request = many_to_all(144, 1);
    request.algorithm = "aggregation";
    request.settings["h"] = h;
    fewest = std::min(fewest, prepare(request)->forecast().predicted->control_words);
  }
  const RunForecast dear = chosen_at({.t_s = 1000, .t_m = 1, .t_w = 1e6});
  EXPECT_EQ(dear.predicted->control_words, fewest);
  EXPECT_GT(chosen_at({.t_s = 1000, .t_m = 1, .t_w = 0}).predicted->control_words, fewest);
  const RunForecast seconds = chosen_at({.t_s = 1e-5, .t_m = 1e-7});
  EXPECT_EQ(seconds.settings.number("h"), chosen_at({.t_s = 100, .t_m = 1}).settings.number("h"));
}

/// Other costs, another h.
TEST(Cheapest, WhatAnAlgorithmLeavesOpenGoesByTheCostsGiven) {
  const auto chosen_at = [](double t_s) {
    RunRequest request = many_to_all(144, t_s);
    request.algorithm = "aggregation";
    request.settings["h"] = std::string("auto");
    return prepare(request)->forecast().settings.number("h");
  };
  EXPECT_EQ(chosen_at(0.1), 12U);
  EXPECT_LT(chosen_at(1000), 12U);
}

/// The last one of a pipe's readers finds nothing in it.
TEST(Cheapest, APlacementIsReadOnceForAllChoices) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ASSERT_EQ(::write(ends[1], "0\n7\n7\n", 6), 6);
  ASSERT_EQ(::close(ends[1]), 0);
  RunRequest request = many_to_all(3, 1);
  request.settings["placement"] = fmt::format("/dev/fd/{}", ends[0]);
  const auto run = prepare(request);
  ASSERT_EQ(::close(ends[0]), 0);
  ASSERT_NE(run->forecast().collective.pattern.homes(), nullptr);
  EXPECT_EQ(*run->forecast().collective.pattern.homes(),
            (std::vector<NodeId>{NodeId{0}, NodeId{7}, NodeId{7}}));
  EXPECT_EQ(run->forecast().settings.text("placement"), request.settings.text("placement"));
}

/// The discipline that the report names is the one that ran.
TEST(Cheapest, QueuesRunTheDisciplineThatTheyName) {
  RunRequest request{.topology = "mesh:4x4", .algorithm = "queues"};
  const auto by_default = prepare(request);
  EXPECT_EQ(by_default->forecast().settings.text("discipline"), "fifo");
  request.settings["discipline"] = std::string("fifo");
  EXPECT_EQ(by_default->execute().record.steps, prepare(request)->execute().record.steps);
  request.settings["discipline"] = std::string("closest-first");
  EXPECT_NE(by_default->execute().record.steps, prepare(request)->execute().record.steps);
}

/// The shorter side's block, whatever does it.
TEST(Cheapest, TheTaskDoesNotDependOnTheChoice) {
  RunRequest request = many_to_all(30, 1);
  request.settings["placement"] = std::string("onedcn");
  for (const std::string algorithm : {"", "ring2d", "aggregation", "aggregation-plus"}) {
    request.algorithm = algorithm;
    for (const double t_s : {0.1, 1000.0}) {
      request.costs.t_s = t_s;
      const auto run = prepare(request);
      const std::vector<NodeId>& homes = *run->forecast().collective.pattern.homes();
      EXPECT_EQ(homes.at(5), NodeId{60}) << algorithm << ", " << t_s;   // P(5, 0)
      EXPECT_EQ(homes.at(13), NodeId{13}) << algorithm << ", " << t_s;  // P(1, 1)
    }
  }
}

catalog::Choice cheapest_of(catalog::Lines lines, const RunRequest& request) {
  return catalog::cheapest(std::array{catalog::Candidates{std::move(lines)}}, request);
}

catalog::AlgorithmInstance too_large(const AnyTopology&, const Settings&, const Pattern&) {
  throw ResourceExhausted("too large");
}
catalog::AlgorithmInstance not_allocated(const AnyTopology&, const Settings&, const Pattern&) {
  throw std::bad_alloc();
}

TEST(Cheapest, WhatThereIsNoMemoryToPlanIsDropped) {
  const RunRequest request = many_to_all(5, 1);
  const catalog::CatalogLine carried = catalog::line<Ring2d>();
  catalog::CatalogLine refused = carried;
  refused.make = too_large;
  catalog::CatalogLine failing = carried;
  failing.make = not_allocated;
  EXPECT_EQ(cheapest_of({&refused, &failing, &carried}, request).line, &carried);
  EXPECT_THROW((void)cheapest_of({&refused, &failing}, request), ResourceExhausted);
  EXPECT_THROW((void)cheapest_of({&failing}, request), std::bad_alloc);
}

/// Levelwise is faster than packing, by far, and needs more than 4 GiB: not taken unasked.
TEST(Cheapest, WhatLeavesAHostLittleIsChosenOnlyWhereThatIsAllowed) {
  constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30U;
  RunRequest request{.topology = "star:7", .block_bytes = 128};
  const auto unasked = prepare(request, false);
  EXPECT_EQ(unasked->forecast().algorithm.name, "packing");
  EXPECT_LE(unasked->forecast().memory_bytes, 4 * gibibyte);
  request.memory_limit = 64 * gibibyte;
  const auto asked = prepare(request, false);
  if (asked->forecast().available_bytes > 8 * gibibyte) {
    EXPECT_EQ(asked->forecast().algorithm.name, "levelwise");
    EXPECT_GT(asked->forecast().memory_bytes, 4 * gibibyte);
    EXPECT_NE(unasked->forecast().picked.find("1 of which needs more than 4.0 GiB of memory"),
              std::string::npos)
        << unasked->forecast().picked;
  }
  request.memory_limit = gibibyte;
  EXPECT_EQ(prepare(request, false)->forecast().algorithm.name, "packing");
}

/// If no algorithm fits, the fastest is selected, and check_resources() refuses it.
TEST(Cheapest, WhereNothingFitsItIsTheLeastTime) {
  RunRequest request{.topology = "star:6", .memory_limit = 1};
  EXPECT_EQ(prepare(request, false)->forecast().algorithm.name, "generator-sequence");
  EXPECT_THROW((void)prepare(request), ResourceExhausted);
}

/// Unless a trial counts what it costs, as where costs are given.
TEST(Cheapest, WhatPromisesNothingIsLast) {
  RunRequest request{.topology = "fat-tree:3^2"};
  EXPECT_EQ(prepare(request)->forecast().algorithm.name, "phases");
  request.costs = {.t_s = 0};
  const auto counted = prepare(request);
  EXPECT_EQ(counted->forecast().algorithm.name, "first-fit");
  EXPECT_FALSE(counted->forecast().predicted.has_value());
  request.algorithm = "phases";
  const auto phases = prepare(request);
  EXPECT_LT(counted->execute().cost.startups, phases->execute().cost.startups);
  const auto tree = prepare({.topology = "xgft:2;3,3;1,2"});
  EXPECT_TRUE(tree->forecast().predicted || tree->forecast().algorithm.name == "first-fit");
}

/// One keeps the rules of a port model that it does not declare.
TEST(Cheapest, WhatKeepsTheRulesMayBeChosen) {
  constexpr PortModel model = port_models::single_port_half_duplex;
  const auto run = prepare({.topology = "fat-tree:3^2", .port_model = model});
  EXPECT_EQ(run->forecast().model, model);
  EXPECT_FALSE(model.admits(run->forecast().algorithm.model));
  EXPECT_TRUE(run->execute().ok());
}

int plans = 0;
catalog::AlgorithmInstance counted_plan(const AnyTopology& topology, const Settings& settings,
                                        const Pattern& fixed) {
  ++plans;
  return catalog::line<Ring2d>().make(topology, settings, fixed);
}

/// Plans of large networks are not made to be compared, unless nothing else runs.
TEST(Cheapest, OnLargeNetworksOnlyTheFirstIsPlanned) {
  const catalog::CatalogLine known = catalog::formula<Ring2d>();
  catalog::CatalogLine planned = catalog::line<Ring2d>();
  planned.make = counted_plan;
  catalog::CatalogLine refused = known;
  refused.make = too_large;
  RunRequest request = many_to_all(5, 1);
  (void)cheapest_of({&known, &planned}, request);
  EXPECT_EQ(plans, 1);
  request.topology = "torus:520x520";  // 1,081,600 ports
  EXPECT_EQ(cheapest_of({&known, &planned}, request).line, &known);
  EXPECT_EQ(plans, 1);
  // The choice says so, also if there is no other candidate.
  EXPECT_EQ(cheapest_of({&known, &planned}, request).forecast.picked,
            "ring2d; not planned because this network is too large to plan all algorithms: ring2d");
  EXPECT_EQ(cheapest_of({&refused, &planned}, request).line, &planned);
  EXPECT_EQ(plans, 2);
  EXPECT_EQ(cheapest_of({&planned, &known}, request).line, &planned);  // equals: the first
  EXPECT_EQ(plans, 3);
}

/// An algorithm with a stronger port model is tried on small networks only.
TEST(Cheapest, OnLargeNetworksNamesWhatMayBeFaster) {
  RunRequest request{.topology = "torus:150x130",
                     .operation = Operation::gather,
                     .port_model = port_models::single_port_send};
  request.costs.t_s = 100;
  EXPECT_EQ(prepare(request)->forecast().picked,
            "tree; not planned because this network is too large to plan all algorithms: "
            "bundled-matching, bundled-single-port-tree, balanced-tree, bundled-tree");
  request.topology = "torus:15x13";
  EXPECT_EQ(prepare(request)->forecast().picked.find("not planned"), std::string::npos);
}

/// A plan says which port models it keeps: no trial is needed that might take too long.
TEST(Cheapest, NeedsNoTrialOfAPlan) {
  const auto picked = [](Operation operation) {
    return prepare({.topology = "torus:100x100",
                    .operation = operation,
                    .costs = {.t_s = 100},
                    .port_model = port_models::all_port_half_duplex,
                    .block_bytes = 8})
        ->forecast()
        .picked;
  };
  const std::string of_several = picked(Operation::all_gather);
  EXPECT_TRUE(of_several.starts_with("ring-by-ring: predicted time 29,799, ")) << of_several;
  EXPECT_EQ(of_several.find("not tried"), std::string::npos) << of_several;
}

/// Only a closed form predicts.
TEST(Cheapest, SaysWhereTheCostComesFrom) {
  const RunRequest request{
      .topology = "fat-tree:2^2", .operation = Operation::total_exchange, .costs = {.t_s = 0.1}};
  EXPECT_EQ(prepare(request)->forecast().picked,
            "first-fit: time 7.7 (counted), the least of 18 candidates (next: queues, "
            "furthest-first, 7.7)");
}

TEST(Cheapest, SaysWhatWasChosenAndWhatIsNext) {
  EXPECT_EQ(prepare({.topology = "star:6"})->forecast().picked,
            "generator-sequence: predicted time 5,158, the least of 6 candidates "
            "(next: levelwise, 5,568)");
}

/// Algorithms that need a stronger machine than the first one that can run any do not compete.
TEST(Cheapest, TheFirstMachineThatCanRunOneIsUsed) {
  const catalog::CatalogLine carried = catalog::line<Ring2d>();
  catalog::CatalogLine refused = carried;
  refused.make = too_large;
  const std::array machines{
      catalog::Candidates{{&refused}, port_models::all_port},
      catalog::Candidates{{&refused, &carried}, port_models::all_port_wormhole}};
  const catalog::Choice choice = catalog::cheapest(machines, many_to_all(5, 1));
  EXPECT_EQ(choice.line, &carried);
  EXPECT_EQ(choice.port_model, port_models::all_port_wormhole);
  EXPECT_EQ(choice.forecast.model, port_models::all_port_wormhole);
}

TEST(Cheapest, NothingIsSaidWhereThereIsNoChoice) {
  RunRequest request = many_to_all(5, 1);
  request.settings["h"] = std::uint64_t{3};
  const auto run = prepare(request);
  EXPECT_EQ(run->forecast().algorithm.name, "aggregation");
  EXPECT_EQ(run->forecast().picked, "");
  request.settings["h"] = std::uint64_t{5};
  EXPECT_THROW((void)prepare(request), InvalidParameter);
}

/// One plan only is made, but not one that leaves ports idle.
TEST(Cheapest, AllPortsOfALargeNetworkAreUsed) {
  struct Case {
    Operation operation;
    PortModel model;
    std::string_view algorithm;
  };
  for (const Case& of :
       {Case{Operation::scatter, port_models::single_port, "tree"},
        Case{Operation::scatter, port_models::all_port, "balanced-tree"},
        Case{Operation::gather, port_models::all_port, "balanced-tree"},
        Case{Operation::gather, port_models::all_port_half_duplex, "balanced-tree"},
        Case{Operation::broadcast, port_models::all_port, "tree"}}) {
    RunRequest request{.topology = AnyTopology("hypercube:13"), .operation = of.operation};
    request.port_model = of.model;
    const auto run = prepare(request);
    EXPECT_EQ(run->forecast().algorithm.name, of.algorithm) << of.model.name;
    if (of.algorithm == "balanced-tree") {
      EXPECT_EQ(run->forecast().predicted->startups, 631U);  // 8191 / 13, rounded up
    }
  }
}

}  // namespace
}  // namespace lockstep
