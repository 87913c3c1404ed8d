// SPDX-License-Identifier: Apache-2.0

/// Prime forms of networks that are known by another name, and of networks whose nodes have random
/// numbers.

#include "topology/prime_form.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/topology/build_network.hpp"

namespace lockstep {
namespace {

using Ends = std::pair<std::uint64_t, std::uint64_t>;

/// All arcs, with the numbers that nodes have in another network.
[[nodiscard]] std::multiset<Ends> arcs_of(const ErasedTopology& network,
                                          const std::vector<NodeId>& numbers) {
  std::multiset<Ends> arcs;
  for (std::uint64_t u = 0; u < network.node_count(); ++u)
    for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
      arcs.emplace(index(numbers[u]), index(numbers[index(network.neighbor(NodeId{u}, port(p)))]));
  return arcs;
}

[[nodiscard]] std::vector<NodeId> own_numbers(const ErasedTopology& network) {
  std::vector<NodeId> numbers;
  for (std::uint64_t u = 0; u < network.node_count(); ++u) numbers.push_back(NodeId{u});
  return numbers;
}

[[nodiscard]] Network with_random_numbers(const AnyTopology& network, std::uint64_t seed) {
  std::vector<NodeId> numbers = own_numbers(network);
  std::mt19937_64 random{seed};
  std::ranges::shuffle(numbers, random);
  std::vector<Link> links;
  for (const auto& [u, v] : arcs_of(network, numbers))
    if (u < v) links.push_back({NodeId{u}, NodeId{v}});
  return build_network("renumbered", network.node_count(), links);
}

TEST(PrimeForm, NamesTheSameNetwork) {
  const std::pair<std::string, std::string> known[] = {
      {"torus:4x4", "hypercube:4"},
      {"ring:4", "hypercube:2"},
      {"torus:2x2x2", "hypercube:3"},
      {"generalized-hypercube:2x2x2", "hypercube:3"},
      {"mesh:2x2x2", "hypercube:3"},
      {"product(hypercube:2,linear:2)", "hypercube:3"},
      {"circulant:15,3,5", "torus:3x5"},
      {"torus:4x5", "torus:2x2x5"},
      {"torus:5x3", "torus:3x5"},
      {"mesh:5x4", "mesh:4x5"},
      {"generalized-hypercube:3x3", "torus:3x3"},
      {"generalized-hypercube:2x3x4", "generalized-hypercube:2x3x4"},
      {"product(complete:4,complete:5)", "generalized-hypercube:4x5"},
      {"product(linear:4,linear:5)", "mesh:4x5"},
      {"mesh:9", "linear:9"},
      {"circulant:9,2", "ring:9"},
      {"star:3", "ring:6"},
      {"product(petersen,linear:4)", "product(linear:4,factor)"},
      {"petersen", ""},
      {"star:4", ""},
      {"complete:7", ""},
      {"fat-tree:2^3", ""},
      {"torus:5x5", "torus:5x5"}};
  for (const auto& [name, expected] : known) {
    SCOPED_TRACE(name);
    const AnyTopology network(name);
    const auto form = prime_form(network.network());
    EXPECT_EQ(form ? form->network.name() : "", expected);
    if (!form) continue;
    EXPECT_EQ(arcs_of(form->network, form->nodes), arcs_of(network, own_numbers(network)));
  }
}

/// Nothing is found anew where the network is its own form.
TEST(PrimeForm, IsKeptOnlyIfItDiffers) {
  EXPECT_EQ(AnyTopology("torus:5x5").prime_form(), nullptr);
  EXPECT_EQ(AnyTopology("hypercube:4").prime_form(), nullptr);
  EXPECT_EQ(AnyTopology("hypercube:10").prime_form(), nullptr);
  const AnyTopology torus("torus:4x4");
  ASSERT_NE(torus.prime_form(), nullptr);
  EXPECT_EQ(torus.prime_form(), AnyTopology(torus).prime_form());
  EXPECT_EQ(torus.prime_form()->factors, 4U);
}

/// The numbers of nodes do not matter.
TEST(PrimeForm, IsFoundInAnyNumbering) {
  for (const std::string name :
       {"hypercube:5", "torus:3x5", "torus:3x5x7", "mesh:4x5", "generalized-hypercube:4x5",
        "linear:9", "ring:11", "product(ring:5,linear:4)", "product(star:4,ring:3)"})
    for (const std::uint64_t seed : {1U, 2U}) {
      SCOPED_TRACE(name);
      const AnyTopology network(name);
      const Network other = with_random_numbers(network, seed);
      const auto form = prime_form(other);
      ASSERT_TRUE(form);
      const ErasedTopology by_links(topology_model(other));
      EXPECT_EQ(arcs_of(form->network, form->nodes), arcs_of(by_links, own_numbers(by_links)));
      EXPECT_EQ(form->factors, std::max<std::size_t>(network.factors().size(), 1));
    }
}

}  // namespace
}  // namespace lockstep
