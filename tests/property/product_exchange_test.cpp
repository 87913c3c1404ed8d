// SPDX-License-Identifier: Apache-2.0

/// Total exchange in random products of 2 to 4 networks: delivered, legal, as many steps as
/// promised, and one record for any number of workers.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "study/stress_jobs.hpp"
#include "support/cases.hpp"

namespace lockstep {
namespace {

using test::for_all;
using test::Random;
using test::uniform;

[[nodiscard]] std::string random_product(Random& random) {
  constexpr std::array factors{"linear:2",   "linear:3",         "linear:4", "ring:3",
                               "ring:4",     "ring:5",           "ring:6",   "complete:3",
                               "complete:4", "extended-ring:6,2"};
  const std::uint64_t count = uniform(random, 2, 4);
  std::string name = "product(";
  std::uint64_t nodes = 1;
  std::uint64_t made = 0;
  while (made < count) {
    const std::string factor = factors[uniform(random, 0, factors.size() - 1)];
    const std::uint64_t size = AnyTopology(factor).node_count();
    if (nodes * size > 72) {
      if (made >= 2) break;
      continue;
    }
    nodes *= size;
    name += (made++ == 0 ? "" : ",") + factor;
  }
  return name + ")";
}

TEST(ProductExchange, OnRandomProducts) {
  std::uint64_t cases = 0;
  for_all(100, random_product, [&](const std::string& product) {
    for (const char* const algorithm : {"a2", "a3", "rounds"}) {
      const AnyTopology topology(product);
      const auto algorithms = algorithms_for(topology, Operation::total_exchange);
      if (std::none_of(algorithms.begin(), algorithms.end(),
                       [&](const AlgorithmInfo& info) { return info.name == algorithm; }))
        continue;
      SCOPED_TRACE(product + " " + algorithm);
      RunRequest request{.topology = topology,
                         .operation = Operation::total_exchange,
                         .algorithm = algorithm,
                         .block_bytes = 8,
                         .workers = 1};
      const RunResult result = prepare(request)->execute();
      EXPECT_TRUE(result.ok()) << result.judgement.sentence;
      EXPECT_TRUE(result.judgement.promises.kept());
      EXPECT_TRUE(result.record.legal());
      if (++cases % 10 != 0) continue;
      for (const std::size_t workers : {2U, 8U}) {
        request.workers = workers;
        EXPECT_EQ(study::differences(prepare(request)->execute().record, result.record),
                  std::vector<std::string>{});
      }
    }
  });
  EXPECT_GE(cases, 150U);
}

}  // namespace
}  // namespace lockstep
