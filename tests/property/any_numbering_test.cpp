// SPDX-License-Identifier: Apache-2.0

/// Algorithms that know products by their prime factors run on networks whose nodes have random
/// numbers, deliver everything there, and cost what they cost on the network with its usual
/// numbers.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/detail/topology_model.hpp"

namespace lockstep {
namespace {

[[nodiscard]] AnyTopology with_random_numbers(const AnyTopology& network) {
  std::vector<NodeId> numbers;
  for (std::uint64_t u = 0; u < network.node_count(); ++u) numbers.push_back(NodeId{u});
  std::mt19937_64 random{network.node_count()};
  std::ranges::shuffle(numbers, random);
  std::vector<Link> links;
  for (std::uint64_t u = 0; u < network.node_count(); ++u)
    for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
      if (const NodeId v = network.neighbor(NodeId{u}, port(p)); u < index(v))
        links.push_back({numbers[u], numbers[index(v)]});
  return AnyTopology(std::make_shared<TopologyModel<Network>>(
      build_network("renumbered", network.node_count(), links)));
}

[[nodiscard]] RunResult result_of(const AnyTopology& network, const AlgorithmInfo& info) {
  const RunRequest request{.topology = network,
                           .operation = info.operation,
                           .algorithm = std::string(info.name),
                           .block_bytes = 840,
                           .executor = ExecutorKind::serial};
  return prepare(request)->execute();
}

class AnyNumbering : public testing::TestWithParam<const char*> {};

TEST_P(AnyNumbering, CostsTheSame) {
  const AnyTopology usual(GetParam());
  const AnyTopology other = with_random_numbers(usual);
  std::size_t compared = 0;
  for (const AlgorithmEntry& entry : algorithm_catalog()) {
    const AlgorithmInfo& info = entry.info;
    if (!info.in_any_numbering || !entry.networks.admits(usual)) continue;
    SCOPED_TRACE(fmt::format("{} {} {}", usual.name(), name_of(info.operation), info.name));
    EXPECT_TRUE(entry.networks.admits(other));
    const RunResult result = result_of(other, info);
    EXPECT_TRUE(result.ok()) << result.judgement.sentence;
    EXPECT_TRUE(result.judgement.promises.kept());
    // Roots of other networks, and the grids of many-to-alls, are not the same nodes.
    ++compared;
    if (!usual.symmetric() || info.operation == Operation::many_to_all) continue;
    EXPECT_EQ(result.cost, result_of(usual, info).cost);
  }
  EXPECT_GE(compared, 10U);
}

INSTANTIATE_TEST_SUITE_P(Products, AnyNumbering,
                         testing::Values("hypercube:4", "torus:3x5", "generalized-hypercube:3x4",
                                         "mesh:3x4", "product(ring:5,linear:3)"));

}  // namespace
}  // namespace lockstep
