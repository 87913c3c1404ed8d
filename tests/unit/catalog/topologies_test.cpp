// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "lockstep/topology/symmetric_group_graph.hpp"
#include "support/expanded_topologies.hpp"
#include "support/golden.hpp"
#include "topology/star_distances.hpp"

namespace lockstep {
namespace {

using test::expanded;
using test::expansion_refusal;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(MakeTopologyTest, EveryFamilyOfTheCatalogueHasAnExampleThatNamesItself) {
  ASSERT_FALSE(topology_catalog().empty());
  for (const TopologyInfo& info : topology_catalog()) {
    if (info.example.empty()) continue;  // needs a file
    SCOPED_TRACE(info.example);
    const AnyTopology topology = make_topology(std::string(info.example));
    EXPECT_EQ(topology.name(), info.example);
    EXPECT_GT(topology.node_count(), 0U);
    EXPECT_EQ(topology.link_count(), link_count(topology.network()));
    EXPECT_EQ(topology.diameter(), diameter(topology.network()));
    EXPECT_EQ(topology.level_sizes(NodeId{0}), level_sizes(topology.network(), NodeId{0}));
  }
}

TEST(MakeTopologyTest, FatTreesByPowersProductsNamesAndLists) {
  for (const auto& [text, name] : {std::pair{"fat-tree:2", "fat-tree:2^1"},
                                   {"fat-tree:4^3,constant", "fat-tree:4^3"},
                                   {"fat-tree:4x4x4", "fat-tree:4^3"},
                                   {"fat-tree:4x3x2,half", "fat-tree:4x3x2,half"},
                                   {"fat-tree:2^3,1.2.4", "fat-tree:2^3,1.2.4"}})
    EXPECT_EQ(make_topology(text).name(), name) << text;
  EXPECT_THAT(expansion_refusal("fat-tree:2x3^2"), HasSubstr("'2x3^2' is not of the form k^h"));
  EXPECT_THAT(expansion_refusal("fat-tree:2^2,"), HasSubstr("capacities"));
  EXPECT_THAT(expansion_refusal("product(fat-tree:2^2,ring:3)"), HasSubstr("switches"));
}

TEST(MakeTopologyTest, GivesTheFamilysOwnTypeBack) {
  const AnyTopology star = make_topology("star:5");
  ASSERT_NE(star.as<StarGraph>(), nullptr);
  EXPECT_EQ(star.as<StarGraph>()->symbols(), 5U);
  EXPECT_EQ(star.as<Ring>(), nullptr);
  EXPECT_EQ(star.port_label(NodeId{0}, Port{2}), "dimension 4");
  EXPECT_EQ(make_topology("ring:5").port_label(NodeId{0}, Port{1}), "port 1");
}

TEST(MakeTopologyTest, ReadsTheWholeText) {
  EXPECT_THAT(expansion_refusal("star:6x"), HasSubstr("'6x' is not a whole number"));
  EXPECT_THAT(expansion_refusal("star:6x"), HasSubstr("2 <= n <= 12"));
  EXPECT_THAT(expansion_refusal("xgft:2"), HasSubstr("such as 'xgft:3;3,2,2;1,2,1' (see"));
  EXPECT_THAT(expansion_refusal("file"), HasSubstr("expected 'file:PATH'"));
  EXPECT_THAT(expansion_refusal("file:"), HasSubstr("expected 'file:PATH'"));
  EXPECT_THAT(expansion_refusal("petersen:5"), HasSubstr("unexpected ':5' after the name"));
  EXPECT_THAT(expansion_refusal("star:"), HasSubstr("no size given"));
  EXPECT_THAT(expansion_refusal("star"), HasSubstr("no size given"));
  EXPECT_THAT(expansion_refusal("star:-1"), HasSubstr("'-1' is not a whole number"));
  EXPECT_THAT(expansion_refusal("star:+5"), HasSubstr("not a whole number"));
  EXPECT_THAT(expansion_refusal("star: 5"), HasSubstr("not a whole number"));
  EXPECT_THAT(expansion_refusal("star:5 "), HasSubstr("not a whole number"));
  EXPECT_THAT(expansion_refusal("star:5.0"), HasSubstr("not a whole number"));
  EXPECT_THAT(expansion_refusal("star:5:6"), HasSubstr("not a whole number"));
  EXPECT_THAT(expansion_refusal("star:0x5"), HasSubstr("not a whole number"));
  EXPECT_THAT(expansion_refusal("star:18446744073709551616"), HasSubstr("is too large"));
  EXPECT_THAT(expansion_refusal("star:18446744073709551615"), HasSubstr("allowed: 2..12"));
}

TEST(MakeTopologyTest, SaysWhatIsAllowed) {
  EXPECT_EQ(expansion_refusal("star:1"), "star:1: 1 symbol; allowed: 2..12");
  EXPECT_EQ(expansion_refusal("star:13"), "star:13: 13 symbols; allowed: 2..12");
  EXPECT_THAT(expansion_refusal("ring:2"), HasSubstr("allowed: 3.."));
  EXPECT_THAT(expansion_refusal("linear:0"), HasSubstr("allowed: 1.."));
  EXPECT_THAT(expansion_refusal("hypercube:41"), HasSubstr("allowed: 0..40"));
  EXPECT_THAT(expansion_refusal("complete:65537"), HasSubstr("allowed: 1..65,536"));
  EXPECT_THAT(expansion_refusal("torus:1099511627776x2"),
              HasSubstr("more than 1,099,511,627,776 nodes"));
  EXPECT_THAT(expansion_refusal("torus:4x4x"), HasSubstr("number 3 is missing"));
  EXPECT_THAT(expansion_refusal("torus:x4"), HasSubstr("number 1 is missing"));
  EXPECT_THAT(expansion_refusal("torus:4,4"), HasSubstr("'4,4' is not a whole number"));
  EXPECT_THAT(expansion_refusal("mesh:1"), HasSubstr("size 1; allowed: 2 or more"));
  EXPECT_THAT(expansion_refusal("generalized-hypercube:65536x2"),
              HasSubstr("65,536 ports per node"));
  EXPECT_THAT(expansion_refusal("circulant:1,1"), HasSubstr("1 node; allowed: 2.."));
  EXPECT_THAT(expansion_refusal("circulant:9,9"), HasSubstr("jump 9; allowed: 1..8"));
  EXPECT_THAT(expansion_refusal("circulant:6,2"), HasSubstr("not connected: 2 divides"));
  EXPECT_THAT(expansion_refusal("circulant:9,2,2"),
              HasSubstr("jumps 2 and 2 lead to the same nodes"));
  EXPECT_THAT(expansion_refusal("extended-ring:1,1"), HasSubstr("1 node; allowed: 2.."));
  EXPECT_THAT(expansion_refusal("extended-ring:100000,40000"), HasSubstr("allowed: 1..32,767"));
  EXPECT_THAT(expansion_refusal("ccc:33"), HasSubstr("33 dimensions; allowed: 3..32"));
  EXPECT_THAT(expansion_refusal("bubble-sort:1"), HasSubstr("1 symbol; allowed: 2..12"));
  EXPECT_THAT(expansion_refusal("cayley:(1 2);"), HasSubstr("generator '': no cycle given"));
  EXPECT_THAT(expansion_refusal("cayley:"), HasSubstr("no generator given"));
  EXPECT_THAT(expansion_refusal("cayley:file:"), HasSubstr("cannot read ''"));
  EXPECT_THAT(expansion_refusal("cayley:file:/dev/null"), HasSubstr("it is a device"));
  EXPECT_THAT(expansion_refusal("cayley:file:/dev/zero"), HasSubstr("it is a device"));
  EXPECT_THAT(expansion_refusal("stra:5"), HasSubstr("did you mean 'star'?"));
  EXPECT_THAT(expansion_refusal("Star:5"), HasSubstr("did you mean 'star'?"));
  EXPECT_THAT(expansion_refusal(":5"), HasSubstr("llowed: star, ring"));
  EXPECT_THAT(expansion_refusal(""), HasSubstr("llowed: star, ring"));
}

TEST(MakeTopologyTest, EisensteinJacobiNetworks) {
  EXPECT_EQ(make_topology("ej:3+4^1").name(), "ej:3+4");
  EXPECT_EQ(make_topology("ej:3+4^2").name(), "ej:3+4^2");
  EXPECT_EQ(expansion_refusal("ej:0+1"),
            "ej:0+1: norm 1; expected a*a + a*b + b*b >= 7, because smaller networks have parallel "
            "links");
  EXPECT_THAT(expansion_refusal("ej:1+1"), HasSubstr("norm 3; expected"));
  EXPECT_THAT(expansion_refusal("ej:0+2"), HasSubstr("norm 4; expected"));
  EXPECT_EQ(expansion_refusal("ej:4+3"),
            "ej:4+3: 4 > 3; expected a <= b; write ej:3+4, its mirror image");
  EXPECT_THAT(expansion_refusal("ej:-3+4"),
              HasSubstr("'-3' is not a whole number; expected 'ej:a+b^n'"));
  EXPECT_THAT(expansion_refusal("ej:3+-4"), HasSubstr("'-4' is not a whole number"));
  EXPECT_THAT(expansion_refusal("ej:3-4"), HasSubstr("'3-4' is not a whole number"));
  EXPECT_THAT(expansion_refusal("ej:3"), HasSubstr("'3' is not a sum of two numbers"));
  EXPECT_THAT(expansion_refusal("ej:3+4+5"), HasSubstr("'3+4+5' is not a sum of two numbers"));
  EXPECT_THAT(expansion_refusal("ej:3+"), HasSubstr("number 2 is missing"));
  EXPECT_THAT(expansion_refusal("ej:"), HasSubstr("no size given"));
  EXPECT_THAT(expansion_refusal("ej:3+4^"), HasSubstr("no number of dimensions"));
  EXPECT_THAT(expansion_refusal("ej:3+4^-1"), HasSubstr("'-1' is not a whole number"));
  EXPECT_THAT(expansion_refusal("ej:3+4^2^2"), HasSubstr("'2^2' is not a whole number"));
  EXPECT_EQ(expansion_refusal("ej:3+4^0"), "ej:3+4^0: 0 dimensions; allowed: 1 or more");
  EXPECT_EQ(expansion_refusal("ej:3+4^13"), "ej:3+4^13: more than 2^63 nodes, the allowed maximum");
  EXPECT_THAT(expansion_refusal("ej:3+4^18446744073709551615"), HasSubstr("more than 2^63"));
  EXPECT_THAT(expansion_refusal("ej:0+3037000500"), HasSubstr("more than 2^63"));
  EXPECT_THAT(expansion_refusal("ej:5000000000+5000000000"), HasSubstr("more than 2^63"));
}

TEST(MakeTopologyTest, HeightsOfFatTreesAreRefusedByTheirNames) {
  EXPECT_EQ(expansion_refusal("fat-tree:2^0"), "fat-tree:2^0: height 0; allowed: 1..62");
  EXPECT_EQ(expansion_refusal("fat-tree:2^63,linear"),
            "fat-tree:2^63,linear: height 63; allowed: 1..62");
  EXPECT_EQ(expansion_refusal("fat-tree:3^62"),
            "fat-tree:3^62: more than 2^62 processors, the allowed maximum");
  EXPECT_EQ(make_topology("fat-tree:2^62").processor_count(), std::uint64_t{1} << 62U);
}

TEST(ExpandTopologiesTest, RangesAreInclusive) {
  EXPECT_THAT(expanded("star:4..7"), ElementsAre("star:4", "star:5", "star:6", "star:7"));
  EXPECT_THAT(expanded("ring:5..5"), ElementsAre("ring:5"));
  EXPECT_THAT(expanded("hypercube:3"), ElementsAre("hypercube:3"));
}

TEST(ExpandTopologiesTest, RangesStandWhereverNumbersDo) {
  EXPECT_THAT(expanded("ccc:3..5"), ElementsAre("ccc:3", "ccc:4", "ccc:5"));
  EXPECT_THAT(expanded("torus:3..5x4"), ElementsAre("torus:3x4", "torus:4x4", "torus:5x4"));
  EXPECT_THAT(expanded("mesh:2..3x4..5"),
              ElementsAre("mesh:2x4", "mesh:2x5", "mesh:3x4", "mesh:3x5"));
  EXPECT_THAT(expanded("circulant:9..10,1,4"), ElementsAre("circulant:9,1,4", "circulant:10,1,4"));
  EXPECT_THAT(expanded("ej:3+4^1..3"), ElementsAre("ej:3+4", "ej:3+4^2", "ej:3+4^3"));
  EXPECT_THAT(expanded("ej:1..2+3"), ElementsAre("ej:1+3", "ej:2+3"));
  EXPECT_THAT(expanded("extended-ring:7,1..3"),
              ElementsAre("extended-ring:7,1", "extended-ring:7,2", "extended-ring:7,3"));
}

TEST(ExpandTopologiesTest, EverySizeIsChecked) {
  EXPECT_EQ(expansion_refusal("star:11..13"), "star:13: 13 symbols; allowed: 2..12");
  EXPECT_THAT(expansion_refusal("star:7..4"), HasSubstr("'star:7..4' has no valid range"));
  EXPECT_THAT(expansion_refusal("star:4.."), HasSubstr("'star:4..' has no valid range"));
  EXPECT_THAT(expansion_refusal("star:..4"), HasSubstr("'star:..4' has no valid range"));
  EXPECT_THAT(expansion_refusal("star:4..x"), HasSubstr("has no valid range"));
  EXPECT_THAT(expansion_refusal("star:4...7"), HasSubstr("has no valid range"));
  EXPECT_THAT(expansion_refusal("star:4..7x"), HasSubstr("not a whole number"));
  EXPECT_THAT(expansion_refusal("ring:3..2000"), HasSubstr("at most 1,000 sizes"));
  EXPECT_THAT(expansion_refusal("stra:4..7"), HasSubstr("did you mean 'star'?"));
}

TEST(FindTest, FindsEveryNodeByItsLabelAndNothingElse) {
  for (const char* name :
       {"star:4", "ring:5", "linear:4", "hypercube:3", "hypercube:0", "complete:6",
        "circulant:12,5", "extended-ring:14,2", "torus:3x4x2", "torus:5", "mesh:3x2",
        "generalized-hypercube:2x13", "ccc:3", "butterfly:4", "pancake:4", "bubble-sort:4",
        "cayley:(1 2)(3 4);(1 2 3 4 5)"}) {
    SCOPED_TRACE(name);
    const AnyTopology topology = make_topology(name);
    for (std::uint64_t u = 0; u < topology.node_count(); ++u)
      EXPECT_EQ(topology.find(topology.label(NodeId{u})), NodeId{u});
    for (const char* wrong : {"", "x", "-1", "99", "1 ", " 1", "012345678901234567890", "2222"})
      EXPECT_EQ(topology.find(wrong), std::nullopt) << wrong;
  }
  EXPECT_EQ(make_topology("star:4").find("123"), std::nullopt);  // of another star graph
  EXPECT_EQ(make_topology("hypercube:3").find("1"), std::nullopt);
  EXPECT_EQ(make_topology("torus:3x4").find("3,0"), std::nullopt);
  for (const char* wrong :
       {"0000", "0000,", "000,1", "0000,4", "0002,1", "0000,1 ", "0000.1", "-000,1"})
    EXPECT_EQ(make_topology("butterfly:4").find(wrong), std::nullopt) << wrong;
}

TEST(LevelSizesTest, ClosedFormsAgreeWithSearch) {
  for (std::size_t n = 2; n <= 8; ++n)
    EXPECT_EQ(star_level_sizes(n), level_sizes(StarGraph{n}, NodeId{0})) << n;
  EXPECT_THROW((void)star_level_sizes(1), InvalidParameter);
  EXPECT_THROW((void)star_level_sizes(20), InvalidParameter);
}

TEST(LevelSizesTest, GoldenDistributionsOfNetworksTooLargeToSearch) {
  std::uint64_t large = 0;
  for (const test::GoldenRow& row : test::golden("star/distance_distribution.csv")) {
    const std::uint64_t n = row.number("n");
    const std::uint64_t distance = row.number("distance");
    SCOPED_TRACE("n = " + row.text("n") + ", distance " + row.text("distance"));
    ASSERT_LT(distance, star_level_sizes(n).size());
    EXPECT_EQ(star_level_sizes(n)[distance], row.number("nodes"));
    if (n < 10) continue;
    large = std::max(large, n);
    const AnyTopology star = make_topology("star:" + std::to_string(n));
    EXPECT_EQ(star.level_sizes(NodeId{7})[distance], row.number("nodes"));
  }
  EXPECT_GE(large, 10U);
  const std::vector<std::uint64_t> cube = make_topology("hypercube:40").level_sizes(NodeId{0});
  EXPECT_EQ(cube.size(), 41U);
  EXPECT_EQ(std::accumulate(cube.begin(), cube.end(), std::uint64_t{0}), std::uint64_t{1} << 40U);
  EXPECT_TRUE(make_topology("ring:3000000").level_sizes(NodeId{0}).empty());
}

template <class T>
void expect_closed_forms(const T& topology) {
  const std::vector<std::uint64_t> searched = level_sizes(topology, NodeId{0});
  EXPECT_EQ(topology.level_sizes(), searched) << topology.name();
  EXPECT_EQ(topology.diameter(), searched.size() - 1) << topology.name();
}

TEST(LevelSizesTest, ClosedFormsOfProductsAndPermutations) {
  for (const auto& sizes :
       std::vector<std::vector<std::uint64_t>>{{2}, {3}, {2, 3}, {2, 2, 2}, {7, 2, 4}, {5, 3, 2}}) {
    expect_closed_forms(Torus(sizes));
    expect_closed_forms(GeneralizedHypercube(sizes));
  }
  for (std::size_t n = 2; n <= 8; ++n) expect_closed_forms(BubbleSortGraph(n));
  const auto count = [](const char* name) {
    const std::vector<std::uint64_t> levels = make_topology(name).level_sizes(NodeId{0});
    return std::accumulate(levels.begin(), levels.end(), std::uint64_t{0});
  };
  EXPECT_EQ(count("torus:1024x1024x1024"), std::uint64_t{1} << 30U);
  EXPECT_EQ(count("bubble-sort:12"), 479'001'600U);
  EXPECT_EQ(count("torus:1099511627776"), 0U);  // too many levels to list
}

TEST(PancakeGraphTest, KnownDiameters) {
  for (std::size_t n = 2; n <= 9; ++n)
    EXPECT_EQ(PancakeGraph{n}.diameter(), eccentricity(PancakeGraph{n}, NodeId{0})) << n;
}

TEST(LargeTopologiesTest, CostNothingToName) {
  const AnyTopology star = make_topology("star:12");
  EXPECT_EQ(star.node_count(), 479'001'600U);
  EXPECT_EQ(star.link_count(), std::uint64_t{479'001'600} * 11 / 2);
  EXPECT_EQ(star.diameter(), 16U);
  EXPECT_EQ(star.find("12.11.10.9.8.7.6.5.4.3.2.1").has_value(), true);
  EXPECT_EQ(make_topology("linear:1099511627776").link_count(), 1'099'511'627'775U);
}

}  // namespace
}  // namespace lockstep
