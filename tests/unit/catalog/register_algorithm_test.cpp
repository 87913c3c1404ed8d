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
