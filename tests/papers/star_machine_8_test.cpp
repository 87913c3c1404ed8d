// SPDX-License-Identifier: Apache-2.0

/// The chain of packing factors 4, 3, 2 on S_8: 1.6 billion blocks of 8 bytes, each one verified.

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "support/golden.hpp"

namespace lockstep {
namespace {

/// The row of a chain in the tables of the independent program.
test::GoldenRow golden_chain(const std::string& chain) {
  for (test::GoldenRow& row : test::golden("star/packing_costs.csv"))
    if (row.text("chain") == chain) return row;
  throw std::runtime_error("no chain " + chain);
}

TEST(StarMachine8, DeliversAllBlocksOfALongChain) {
  RunRequest request;
  request.topology = "star:8";
  request.algorithm = "packing";
  request.settings["k"] = Numbers{4, 3, 2};
  request.block_bytes = 8;
  const RunResult result = prepare(request)->execute();
  EXPECT_EQ(result.judgement.deliveries.tally.verified, 40'320U * 40'319U);
  EXPECT_TRUE(result.judgement.deliveries.complete());
  EXPECT_TRUE(result.record.legal());
  EXPECT_TRUE(result.judgement.promises.kept());
  const test::GoldenRow row = golden_chain("8 4 3 2 1");
  EXPECT_EQ(result.record.startups, row.number("startups"));
  EXPECT_EQ(result.record.message_times, row.number("message_times"));
  EXPECT_LE(result.peak_bytes.value(), std::size_t{1} << 30U);
}

}  // namespace
}  // namespace lockstep
