// SPDX-License-Identifier: Apache-2.0

/// Total exchange by one queue per processor on every family of Cayley graphs, at the largest sizes
/// up to 5,000 nodes (rings shorter: their sum of distances grows with the square): every message
/// verified, in exactly the sum of the distances, whatever the queue discipline. Minutes.

#include <gtest/gtest.h>

#include <string>

#include "algorithm/total_exchange/queue_discipline.hpp"
#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/catalog/catalog.hpp"

namespace lockstep::test {
namespace {

class LargeCayleyExchange : public testing::TestWithParam<const char*> {};

std::uint64_t sum_of_distances(const AnyTopology& network) {
  std::uint64_t sum = 0;
  const std::vector<std::uint64_t> levels = network.level_sizes(NodeId{0});
  for (std::size_t d = 0; d < levels.size(); ++d) sum += d * levels[d];
  return sum;
}

TEST_P(LargeCayleyExchange, TakesTheSumOfTheDistancesUnderEveryDiscipline) {
  const AnyTopology network = make_topology(GetParam());
  ASSERT_TRUE(network.symmetric());
  ASSERT_LE(network.node_count(), 5'000U);
  const std::uint64_t nodes = network.node_count();
  const std::uint64_t status = sum_of_distances(network);
  for (const QueueDiscipline discipline : all_queue_disciplines) {
    SCOPED_TRACE(std::string(name_of(discipline)));
    RunRequest request{.topology = GetParam(), .algorithm = "node-invariant", .block_bytes = 1};
    request.settings["discipline"] = std::string(name_of(discipline));
    const RunResult result = prepare(request)->execute();
    EXPECT_EQ(result.judgement.outcome, Outcome::complete);
    EXPECT_EQ(result.record.steps, status);
    EXPECT_EQ(result.record.hops, status * nodes);
    EXPECT_EQ(result.record.deliveries.verified, nodes * (nodes - 1));
    EXPECT_LT(result.largest_queue->foreign, nodes);
  }
}

INSTANTIATE_TEST_SUITE_P(Families, LargeCayleyExchange,
                         testing::Values("hypercube:12", "complete:5000", "ccc:9", "butterfly:9",
                                         "star:6", "pancake:6", "bubble-sort:6", "torus:70x71",
                                         "torus:17x17x17", "generalized-hypercube:17x17x17",
                                         "circulant:4999,1,70", "extended-ring:4999,20",
                                         "ring:1009", "cayley:(1 2 3);(3 4 5 6 7)"));

}  // namespace
}  // namespace lockstep::test
