// SPDX-License-Identifier: Apache-2.0

/// The drawing of a torus cut into subtori and blocks is well-formed, and shows each of them, every
/// node and every row and column once.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "papers/torus/torus.hpp"
#include "support/svg.hpp"

namespace lockstep {
namespace {

using papers::Partition;
using test::attribute;
using test::elements;
using test::parsed;
using test::ptree;
using test::well_formed;
using testing::HasSubstr;

using Case = std::array<std::uint64_t, 3>;  // rows, columns, h
const std::vector<Case> cases{{3, 3, 1}, {3, 3, 3},  {10, 10, 5},
                              {6, 9, 3}, {12, 4, 2}, {50, 50, 10}};

Partition partition(const Case& one) {
  const auto [rows, columns, h] = one;
  const AnyTopology torus("torus:" + std::to_string(rows) + "x" + std::to_string(columns));
  return papers::partition_of(torus, "h=" + std::to_string(h));
}

TEST(TorusDrawing, ShowsNodesBlocksAndRingsOnce) {
  for (const Case& one : cases) {
    const auto [rows, columns, h] = one;
    SCOPED_TRACE(testing::PrintToString(one));
    const std::string svg = partition(one).svg;
    EXPECT_TRUE(well_formed(svg));
    const ptree tree = parsed(svg);
    EXPECT_EQ(elements(tree, "rect", "block").size(), rows / h * (columns / h));
    EXPECT_EQ(elements(tree, "circle", "node").size(), rows * columns);
    EXPECT_EQ(elements(tree, "line", "ring").size(), rows + columns);
    EXPECT_EQ(elements(tree, "line", "wrap").size(), 2 * (rows + columns));
    std::map<std::string, std::uint64_t> rings;
    for (const ptree& ring : elements(tree, "line", "ring")) ++rings[attribute(ring, "class")];
    EXPECT_EQ(rings.size(), h);
    for (const auto& [ddn, count] : rings) EXPECT_EQ(count, (rows + columns) / h) << ddn;
  }
}

/// 10 x 10, h = 5: four nodes of each subtorus, of which those of the main diagonal are M.
TEST(TorusDrawing, NumbersDiagonalsAndColoursSubtori) {
  const ptree tree = parsed(partition({10, 10, 5}).svg);
  std::map<std::string, int> kinds;
  for (const ptree& node : elements(tree, "circle", "node")) ++kinds[attribute(node, "class")];
  EXPECT_EQ(kinds["node"], 80);
  for (const std::string k : {"0", "1", "2", "3", "4"}) {
    EXPECT_EQ(kinds["node ddn" + k], 2);
    EXPECT_EQ(kinds["node ddn" + k + " main"], 2);
  }
  std::map<std::string, int> diagonals;
  for (const std::string kind : {"own", "label"})
    for (const ptree& text : elements(tree, "text", kind)) ++diagonals[text.data()];
  EXPECT_EQ(diagonals.size(), 10U);
  for (const auto& [diagonal, nodes] : diagonals) EXPECT_EQ(nodes, 10) << diagonal;
}

TEST(TorusDrawing, SaysInTextWhoIsWhere) {
  EXPECT_EQ(partition({4, 6, 2}).text,
            "partition    h = 2: 2 subtori (DDN) of 2 x 3 nodes, 6 blocks (DCN) of 2 x 2\n"
            "subtori      0 . | 0 . | 0 .\n"
            "             . 1 | . 1 | . 1\n"
            "             ----+-----+----\n"
            "             0 . | 0 . | 0 .\n"
            "             . 1 | . 1 | . 1\n"
            "diagonals    0 1 | 0 1 | 0 1\n"
            "             1 0 | 1 0 | 1 0\n"
            "             ----+-----+----\n"
            "             0 1 | 0 1 | 0 1\n"
            "             1 0 | 1 0 | 1 0\n");
}

TEST(TorusDrawing, RefusesWhatIsNoPartition) {
  const auto refusal = [](const char* network, const char* how) -> std::string {
    try {
      (void)papers::partition_of(AnyTopology(network), how);
    } catch (const InvalidParameter& problem) {
      return problem.what();
    }
    return "accepted";
  };
  for (const char* const how :
       {"h=3", "h=0", "h=", "h=5x", "5", "", "h=-5", "h=99999999999999999999"})
    EXPECT_THAT(refusal("torus:10x10", how), HasSubstr("expected h=H with a divisor")) << how;
  EXPECT_THAT(refusal("torus:3x3x3", "h=3"), HasSubstr("3 sides; a partition needs 2"));
  EXPECT_THAT(refusal("torus:51x50", "h=1"),
              HasSubstr("2,550 nodes are too many for a partition; allowed: up to 2,500"));
  EXPECT_THAT(refusal("ring:6", "h=3"), HasSubstr("--partition requires a torus"));
}

}  // namespace
}  // namespace lockstep
