// SPDX-License-Identifier: Apache-2.0
#include "lockstep/catalog/register_algorithm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/catalog/register_planned_algorithm.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/ring.hpp"

namespace lockstep {
namespace {

/// A broadcast from node 0 in one direction.
template <bool taken_name>
struct OneWay final : Algorithm {
  using TopologyType = Ring;
  static constexpr AlgorithmInfo info{.name = taken_name ? "tree" : "one-way",
                                      .operation = Operation::broadcast,
                                      .model = port_models::single_port,
                                      .source = "this test",
                                      .summary = "in one direction"};
  struct Program {
    using Memory = NoMemory;
    static constexpr Activity activity = Activity::dense;
    static constexpr Traits traits = Traits::step_count;
    std::uint64_t nodes;
    [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1}; }
    [[nodiscard]] std::uint64_t step_count() const { return nodes - 1; }
    void operator()(auto& here) const {
      if (index(here.node()) != here.step()) return;
      if (here.step() == 0) here.load(Region{0}, 0, NodeId{0});
      if (const auto arrival = here.take_first()) {
        here.store(arrival, Blocks{Region{0}, 0, 1});
        here.deliver(Region{0}, 0, NodeId{0});
      }
      if (!here.last_call()) here.send(Port{0}, Blocks{Region{0}, 0, 1});
    }
  };

  OneWay(const Ring& ring, const Settings&) : nodes(ring.node_count()) {}
  [[nodiscard]] std::optional<Cost> promise() const override {
    return Cost{.startups = nodes - 1, .message_times = nodes - 1};
  }
  [[nodiscard]] Footprint footprint() const override {
    return {.steps = nodes - 1, .blocks_per_processor = 1};
  }
  [[nodiscard]] Program program() const { return {nodes}; }

  std::uint64_t nodes;
};

/// A broadcast that is a plan: around the ring, in a step or two too few where `is_wrong`.
template <bool is_wrong>
[[nodiscard]] PlannedAlgorithm planned_round(std::string_view name) {
  return {.info = {.name = name,
                   .operation = Operation::broadcast,
                   .model = port_models::single_port,
                   .source = "this test",
                   .summary = "once around"},
          .networks = shapes::cycle.up_to_nodes(9),
          .plan = [](const PlanRequest& asked) {
            const std::uint64_t nodes = asked.network.node_count();
            const std::uint64_t root = index(asked.root);
            Transfers plan = every_node_a_class(nodes);
            for (std::uint64_t i = 0; i + 1 < nodes; ++i)
              plan.move(is_wrong ? i / 2 : i, root, everyone, (root + i) % nodes,
                        (root + i + 1) % nodes);
            plan.steps = nodes - 1;
            return plan;
          }};
}

[[nodiscard]] std::string refusal_of(void (*registers)()) {
  try {
    registers();
  } catch (const InvalidParameter& problem) {
    return problem.what();
  }
  return "";
}

/// In a process of its own, whose catalogue nobody has read. Ends with the number of the first
/// expectation that does not hold.
[[noreturn]] void use_a_new_catalogue() {
  auto expect = [number = 0](bool holds) mutable {
    ++number;
    if (!holds) std::exit(number);
  };
  expect(refusal_of([] { register_algorithm<OneWay<true>>("ring"); }) ==
         "register_algorithm: 'tree' for broadcast: there is one of this name, for any network");
  expect(refusal_of([] {
           register_algorithm<OneWay<false>>(
               "ring of 5 nodes and more", [](const Ring& ring) { return ring.node_count() > 4; });
         }).empty());
  register_algorithm(planned_round<false>("planned-round"));
  register_algorithm(planned_round<true>("wrong-round"));
  expect(
      refusal_of([] { register_algorithm(planned_round<false>("planned-round")); }) ==
      "register_algorithm: 'planned-round' for broadcast: there is one of this name, for ring of "
      "up to 9 nodes");
  expect(
      refusal_of([] {
        PlannedAlgorithm incomplete = planned_round<false>("incomplete");
        incomplete.plan = {};
        register_algorithm(std::move(incomplete));
      }) ==
      "register_algorithm: 'incomplete' for broadcast: expected a name, a summary and a planner");
  const auto has = [](std::uint64_t nodes) {
    const std::vector<AlgorithmInfo> all = algorithms_for(
        AnyTopology(std::make_shared<TopologyModel<Ring>>(Ring{nodes})), Operation::broadcast);
    return std::any_of(all.begin(), all.end(),
                       [](const AlgorithmInfo& info) { return info.name == "one-way"; });
  };
  expect(!has(4));
  expect(has(5));
  RunRequest request{.topology = expand_topologies("ring:9").front(),
                     .operation = Operation::broadcast,
                     .algorithm = "one-way"};
  const RunResult result = prepare(request)->execute();
  expect(result.ok());
  expect(result.record.steps == 8);
  request.algorithm = "planned-round";
  request.settings["root"] = std::uint64_t{3};
  const RunResult round = prepare(request)->execute();
  expect(round.ok());
  expect(round.record.steps == 8);
  request.algorithm = "wrong-round";
  static RunRequest refused = request;
  expect(refusal_of([] { (void)prepare(refused); }) ==
         "plan for ring:9: transfer 1 (step 0, block of 3 for everyone, part 0, from 4 to 5): the "
         "sender does not have the block in this step");
  refused.algorithm = "planned-round";
  refused.topology = "ring:10";
  expect(refusal_of([] {
           (void)prepare(refused);
         }).find("supports rings of up to 9 nodes; ring:10 has 10 nodes") != std::string::npos);
  expect(refusal_of([] { register_algorithm<OneWay<false>>("ring"); }) ==
         "register_algorithm: 'one-way' for broadcast: the catalogue is in use; register "
         "algorithms first in main()");
  std::exit(0);
}

TEST(RegisterAlgorithm, BeforeTheCatalogueIsUsed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(use_a_new_catalogue(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace lockstep
