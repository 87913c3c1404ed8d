// SPDX-License-Identifier: Apache-2.0

/// The contents and the names of the catalogue.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

using testing::HasSubstr;

TEST(AlgorithmCatalogTest, NamesAreDistinctWithinAnOperation) {
  std::set<std::string> names;
  for (const AlgorithmEntry& entry : algorithm_catalog())
    EXPECT_TRUE(names
                    .insert(fmt::format("{} {} {}", entry.networks.text(),
                                        name_of(entry.info.operation), entry.info.name))
                    .second);
  for (const TopologyInfo& topology : topology_catalog())
    for (const OperationInfo& operation : operation_catalog()) {
      if (topology.example.empty()) continue;  // needs a file
      std::set<std::string_view> on_one_network;
      for (const AlgorithmInfo& info :
           algorithms_for(std::string(topology.example), operation.operation))
        EXPECT_TRUE(on_one_network.insert(info.name).second) << topology.example << info.name;
    }
}

/// The family's own goes before the one for any network.
TEST(AlgorithmsForTest, OneNameIsOneAlgorithmOnANetwork) {
  const auto source = [](const std::string& topology) {
    const RunRequest request{
        .topology = topology, .operation = Operation::broadcast, .algorithm = "single-port-tree"};
    return prepare(request)->forecast().algorithm.source;
  };
  EXPECT_THAT(std::string(source("ej:3+4")), HasSubstr("Hussain"));
  EXPECT_THAT(std::string(source("star:4")), HasSubstr("Dimakopoulos"));
}

TEST(AlgorithmsForTest, AreInTheOrderOfTheCatalogue) {
  const auto exchanges = algorithms_for("star:5", Operation::total_exchange);
  ASSERT_FALSE(exchanges.empty());
  EXPECT_EQ(exchanges.front().name, "packing");
  EXPECT_EQ(algorithms_for("star:5", Operation::all_gather).front().name, "mesh");
  EXPECT_EQ(algorithms_for("ring:5", Operation::total_exchange).front().name, "node-invariant");
  EXPECT_TRUE(algorithms_for("torus:3x4", Operation::odd_distance_exchange).empty());
  EXPECT_EQ(algorithms_for("ej:3+4", Operation::broadcast).front().name, "improved");
  EXPECT_EQ(algorithms_for("mesh:3x4", Operation::broadcast).front().name, "tree");
}

TEST(ParseOperationTest, KnowsTheNamesOfThePapersAndOfMpi) {
  EXPECT_EQ(parse_operation("total-exchange"), Operation::total_exchange);
  EXPECT_EQ(parse_operation("alltoall"), Operation::total_exchange);
  EXPECT_EQ(parse_operation("personalized-broadcast"), Operation::total_exchange);
  EXPECT_EQ(parse_operation("gossip"), Operation::all_gather);
  EXPECT_EQ(parse_operation("multinode-broadcast"), Operation::all_gather);
  EXPECT_EQ(parse_operation("allgather"), Operation::all_gather);
  EXPECT_EQ(parse_operation("bcast"), Operation::broadcast);
  EXPECT_EQ(parse_operation("allreduce"), Operation::all_reduce);
  EXPECT_EQ(parse_operation("reduce_scatter_block"), Operation::reduce_scatter);
  EXPECT_THROW((void)parse_operation(""), InvalidParameter);
  EXPECT_THROW((void)parse_operation("alltoall "), InvalidParameter);
  try {
    (void)parse_operation("allgahter");
    FAIL() << "accepted";
  } catch (const InvalidParameter& problem) {
    EXPECT_THAT(problem.what(), HasSubstr("did you mean 'allgather'?"));
  }
}

}  // namespace
}  // namespace lockstep
