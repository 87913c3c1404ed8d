// SPDX-License-Identifier: Apache-2.0

/// The networks of every alpha with 0 <= a <= b <= 25 against breadth-first search and against what
/// the definition says, which the implementation does not use: sums over the lattice.

#include "lockstep/topology/eisenstein_jacobi.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <class Check>
void for_every_alpha(std::uint64_t most, Check check) {
  for (std::uint64_t b = 1; b <= most; ++b)
    for (std::uint64_t a = 0; a <= b; ++a)
      if (a * a + a * b + b * b >= EisensteinJacobi::min_nodes) check(EisensteinJacobi(a, b));
}

/// Whether alpha divides z: z conj(alpha) / norm is whole, conj(x + y rho) = x + y - y rho.
[[nodiscard]] bool is_multiple(Eisenstein z, const EisensteinJacobi& network) {
  const auto a = static_cast<std::int64_t>(network.a());
  const auto b = static_cast<std::int64_t>(network.b());
  const auto n = static_cast<std::int64_t>(network.node_count());
  return (z.x * (a + b) + z.y * b) % n == 0 && (z.y * a - z.x * b) % n == 0;
}

[[nodiscard]] std::array<std::uint64_t, 6> neighbors_of_0(std::uint64_t a, std::uint64_t b) {
  const EisensteinJacobi network(a, b);
  std::array<std::uint64_t, 6> found{};
  for (std::size_t p = 0; p < 6; ++p) found[p] = index(network.neighbor(NodeId{0}, port(p)));
  return found;
}

/// Specification, section 2.
TEST(EisensteinJacobi, TableOfNeighbours) {
  EXPECT_THAT(neighbors_of_0(2, 3), ElementsAre(1, 12, 11, 18, 7, 8));
  EXPECT_THAT(neighbors_of_0(3, 4), ElementsAre(1, 27, 26, 36, 10, 11));
  EXPECT_THAT(neighbors_of_0(1, 3), ElementsAre(1, 4, 3, 12, 9, 10));
  EXPECT_THAT(neighbors_of_0(1, 5), ElementsAre(1, 6, 5, 30, 25, 26));
  EXPECT_THAT(neighbors_of_0(2, 4), ElementsAre(1, 14, 27, 13, 22, 23));
  EXPECT_THAT(neighbors_of_0(2, 2), ElementsAre(1, 6, 11, 5, 8, 9));
  EXPECT_THAT(neighbors_of_0(0, 4), ElementsAre(1, 4, 7, 3, 12, 13));
}

TEST(EisensteinJacobi, DistancesAreThoseOfBreadthFirstSearch) {
  for_every_alpha(25, [](const EisensteinJacobi& network) {
    const std::vector<std::uint32_t> distances = distances_from(network, NodeId{0});
    for (std::uint64_t u = 0; u < network.node_count(); ++u)
      ASSERT_EQ(network.weight(NodeId{u}), distances[u]) << network.name() << " node " << u;
    ASSERT_EQ(network.link_count(), link_count(network)) << network.name();
    ASSERT_EQ(network.level_sizes(), level_sizes(network, NodeId{0})) << network.name();
    ASSERT_EQ(network.diameter() + 1, network.level_sizes().size()) << network.name();
  });
}

TEST(EisensteinJacobi, NodesAreTheClassesModuloAlpha) {
  for_every_alpha(12, [](const EisensteinJacobi& network) {
    for (std::uint64_t u = 0; u < network.node_count(); ++u) {
      const Eisenstein z = network.representative(NodeId{u});
      ASSERT_EQ(network.id_of(z), NodeId{u}) << network.name();
      for (std::size_t p = 0; p < 6; ++p) {
        const NodeId v = network.neighbor(NodeId{u}, port(p));
        ASSERT_TRUE(is_multiple(z + eisenstein_units[p] - network.representative(v), network))
            << network.name() << " node " << u << " port " << p;
      }
    }
  });
}

/// The shortest integers of a class by looking at every integer of some length.
TEST(EisensteinJacobi, RepresentativesAreAllShortestOnesTheLowestSectorFirst) {
  for_every_alpha(9, [](const EisensteinJacobi& network) {
    const auto reach = static_cast<std::int64_t>(network.diameter());
    std::vector<std::vector<Eisenstein>> shortest(network.node_count());
    for (std::int64_t x = -reach; x <= reach; ++x)
      for (std::int64_t y = -reach; y <= reach; ++y) {
        const NodeId u = network.id_of({x, y});
        if (static_cast<std::uint64_t>(length({x, y})) == network.weight(u))
          shortest[index(u)].push_back({x, y});
      }
    for (std::uint64_t u = 0; u < network.node_count(); ++u) {
      auto& expected = shortest[u];
      std::sort(expected.begin(), expected.end(), [](Eisenstein z, Eisenstein w) {
        return sector_of(z).sector < sector_of(w).sector;
      });
      ASSERT_EQ(network.representatives(NodeId{u}), expected) << network.name() << " node " << u;
      ASSERT_EQ(network.representative(NodeId{u}), expected.front()) << network.name();
    }
  });
}

TEST(EisensteinJacobi, TheGroupIsThatOfTheClasses) {
  for_every_alpha(5, [](const EisensteinJacobi& network) {
    for (std::uint64_t u = 0; u < network.node_count(); ++u) {
      const Eisenstein z = network.representative(NodeId{u});
      ASSERT_EQ(network.inverse(NodeId{u}), network.id_of(-z)) << network.name();
      for (std::uint64_t v = 0; v < network.node_count(); ++v) {
        const Eisenstein w = network.representative(NodeId{v});
        ASSERT_EQ(network.product(NodeId{u}, NodeId{v}), network.id_of(z + w)) << network.name();
        ASSERT_EQ(network.difference(NodeId{u}, NodeId{v}), network.id_of(w - z)) << network.name();
      }
    }
  });
}

TEST(EisensteinJacobi, LabelsAreReadBack) {
  for_every_alpha(7, [](const EisensteinJacobi& network) {
    for (std::uint64_t u = 0; u < network.node_count(); ++u)
      ASSERT_EQ(network.find(network.label(NodeId{u})), NodeId{u}) << network.name();
  });
  const EisensteinJacobi network(3, 4);
  EXPECT_EQ(network.label(NodeId{36}), "-1");
  EXPECT_EQ(network.find("3+rho"), network.find("-3rho"));  // example 2.1 of the paper
  EXPECT_EQ(network.find("(-rho)"), NodeId{10});
  for (const char* wrong : {"()", "(1", "1)", "((1))", "(1)+1"})
    EXPECT_EQ(network.find(wrong), std::nullopt) << wrong;
  EXPECT_EQ(network.port_label(NodeId{0}, Port{2}), "+rho^2");
  EXPECT_EQ(network.port_label(NodeId{0}, Port{4}), "-rho");
}

/// 3037000499^2 is the largest square below 2^63; the second has rows of a common divisor.
TEST(EisensteinJacobi, LargestNetworksDoNotOverflow) {
  for (const auto& [a, b] :
       {std::pair{0U, 3'037'000'499U}, std::pair{1'753'413'056U, 1'753'413'056U},
        std::pair{1'753'413'055U, 1'753'413'056U}}) {
    const EisensteinJacobi network(a, b);
    EXPECT_LE(network.node_count(), EisensteinJacobi::max_nodes);
    const auto far = static_cast<std::int64_t>(network.diameter() / 2);
    for (const Eisenstein z : {Eisenstein{far, 0}, Eisenstein{-far, far}, Eisenstein{1, -far}}) {
      const NodeId u = network.id_of(z);
      EXPECT_EQ(network.representative(u), z) << network.name();
      EXPECT_EQ(network.product(u, network.inverse(u)), NodeId{0}) << network.name();
      for (std::size_t p = 0; p < 6; ++p) {
        const NodeId v = network.neighbor(u, port(p));
        EXPECT_EQ(v, network.id_of(z + eisenstein_units[p])) << network.name();
        EXPECT_EQ(network.neighbor(v, network.reverse_port(u, port(p))), u) << network.name();
      }
    }
    EXPECT_TRUE(network.level_sizes().empty());
    EXPECT_EQ(network.link_count(), std::nullopt);
  }
}

[[nodiscard]] std::string refusal(std::uint64_t a, std::uint64_t b) {
  try {
    const EisensteinJacobi network(a, b);
  } catch (const InvalidParameter& problem) {
    return problem.what();
  }
  return "none";
}

TEST(EisensteinJacobi, RefusesWhatIsNoNetwork) {
  EXPECT_THAT(refusal(0, 1), HasSubstr("ej:0+1: norm 1; expected"));
  EXPECT_THAT(refusal(1, 1), HasSubstr("norm 3"));
  EXPECT_THAT(refusal(0, 2), HasSubstr("norm 4"));
  EXPECT_THAT(refusal(0, 0), HasSubstr("norm 0"));
  EXPECT_THAT(refusal(4, 3), HasSubstr("expected a <= b; write ej:3+4"));
  EXPECT_THAT(refusal(0, 3'037'000'500), HasSubstr("more than 2^63"));
  EXPECT_THAT(refusal(0, ~std::uint64_t{0}), HasSubstr("more than 2^63"));
  EXPECT_THAT(refusal(~std::uint64_t{0}, ~std::uint64_t{0}), HasSubstr("more than 2^63"));
  EXPECT_EQ(refusal(1, 2), "none");
}

}  // namespace
}  // namespace lockstep
