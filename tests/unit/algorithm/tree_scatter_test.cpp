// SPDX-License-Identifier: Apache-2.0
#include "algorithm/tree_scatter.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "lockstep/catalog/catalog.hpp"

namespace lockstep {
namespace {

[[nodiscard]] RunResult run_on(const std::string& network, Operation operation,
                               std::uint64_t root) {
  RunRequest request{.topology = make_topology(network),
                     .operation = operation,
                     .algorithm = "tree",
                     .executor = ExecutorKind::serial};
  request.settings["root"] = root;
  RunResult result = prepare(request)->execute();
  EXPECT_TRUE(result.ok()) << network << ": " << result.judgement.sentence;
  return result;
}

/// Theorem 3.6: a message leaves in every step, and the last one goes to a neighbour of the root.
TEST(TreeScatter, TakesAStepForEveryOtherNodeAndNoMessageWaits) {
  for (const char* const network :
       {"linear:1", "linear:2", "linear:7", "ring:9", "mesh:3x4", "torus:4x5", "hypercube:4",
        "complete:6", "star:4", "ej:2+3", "ccc:3", "product(ring:5,linear:3)"}) {
    const std::uint64_t nodes = make_topology(network).node_count();
    for (const Operation operation : {Operation::scatter, Operation::gather})
      for (const std::uint64_t root : {std::uint64_t{0}, nodes / 2, nodes - 1}) {
        SCOPED_TRACE(std::string(network) + " " + std::string(name_of(operation)));
        const RunResult result = run_on(network, operation, root);
        EXPECT_EQ(result.record.startups, nodes - 1);
        EXPECT_EQ(result.record.message_times, nodes - 1);
        EXPECT_EQ(result.forecast.lower_bound->least.message_times, nodes - 1);
        EXPECT_EQ(result.record.messages_sent, result.forecast.footprint.hops);
        EXPECT_EQ(result.record.waits.longest_steps, 0U);
      }
  }
}

/// Over switches: the way to the furthest processor may be longer than the messages are many.
TEST(TreeScatter, RunsOverSwitches) {
  for (const char* const network : {"fat-tree:2", "fat-tree:2^4", "xgft:2;3,2;2,1"})
    for (const Operation operation : {Operation::scatter, Operation::gather}) {
      const RunResult result = run_on(network, operation, 1);
      EXPECT_EQ(result.record.startups, result.forecast.predicted->startups) << network;
    }
}

TEST(TreeScatter, ARunTakesWhatWasPredicted) {
  const auto run = prepare({.topology = make_topology("torus:20x20"),
                            .operation = Operation::scatter,
                            .algorithm = "tree",
                            .executor = ExecutorKind::serial});
  const TreeScatter<Operation::scatter> scatter(make_topology("torus:20x20"), {});
  const auto predicted = static_cast<double>(run->forecast().footprint.plan_bytes);
  EXPECT_NEAR(predicted, static_cast<double>(scatter.program().plan().bytes()), predicted / 10);
}

}  // namespace
}  // namespace lockstep
