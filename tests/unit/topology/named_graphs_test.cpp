// SPDX-License-Identifier: Apache-2.0
#include "topology/named_graphs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep {
namespace {

struct Known {
  const char* name;
  std::uint64_t nodes;
  std::size_t degree;
  std::uint64_t diameter;
  std::uint64_t status;  // of every node
};

TEST(NamedGraphs, HaveTheirKnownFigures) {
  constexpr Known all[] = {{"petersen", 10, 3, 2, 15},
                           {"odd-graph:2", 3, 2, 1, 2},
                           {"odd-graph:3", 10, 3, 2, 15},
                           {"odd-graph:4", 35, 4, 3, 82},
                           {"odd-graph:5", 126, 5, 4, 405},
                           {"dodecahedron", 20, 3, 5, 50},
                           {"generalized-petersen:5,2", 10, 3, 2, 15}};
  for (const Known& known : all) {
    SCOPED_TRACE(known.name);
    const AnyTopology graph(known.name);
    EXPECT_EQ(graph.name(), known.name);
    EXPECT_EQ(graph.node_count(), known.nodes);
    EXPECT_EQ(graph.diameter(), known.diameter);
    for (std::uint64_t u = 0; u < graph.node_count(); ++u) {
      EXPECT_EQ(graph.degree(NodeId{u}), known.degree);
      EXPECT_EQ(sum_of_distances(graph, NodeId{u}), known.status);
    }
  }
}

/// Whether an automorphism maps node `from` to node `to`, by trial: nodes in breadth-first order,
/// each to a node with the same links to those before.
class AutomorphismSearch {
 public:
  AutomorphismSearch(const AnyTopology& graph, NodeId from) {
    const std::uint64_t n = graph.node_count();
    linked_.assign(n, std::vector<bool>(n));
    for (std::uint64_t u = 0; u < n; ++u)
      for (std::size_t p = 0; p < graph.degree(NodeId{u}); ++p)
        linked_[u][index(graph.neighbor(NodeId{u}, port(p)))] = true;
    const std::vector<std::uint32_t> distances = distances_from(graph, from);
    for (std::uint64_t u = 0; u < n; ++u) order_.push_back(u);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::uint64_t a, std::uint64_t b) { return distances[a] < distances[b]; });
  }
  [[nodiscard]] bool maps_to(NodeId to) {
    images_.assign(1, index(to));
    return extend();
  }

 private:
  [[nodiscard]] bool extend() {
    const std::size_t next = images_.size();
    if (next == order_.size()) return true;
    for (std::uint64_t image = 0; image < order_.size(); ++image) {
      if (std::find(images_.begin(), images_.end(), image) != images_.end()) continue;
      bool fits = true;
      for (std::size_t i = 0; i < next && fits; ++i)
        fits = linked_[order_[next]][order_[i]] == linked_[image][images_[i]];
      if (!fits) continue;
      images_.push_back(image);
      if (extend()) return true;
      images_.pop_back();
    }
    return false;
  }

  std::vector<std::vector<bool>> linked_;
  std::vector<std::uint64_t> order_;   // order_[0] is `from`
  std::vector<std::uint64_t> images_;  // of the nodes in this order
};

/// One node of each class, and no two of the same class: by a search for automorphisms. Diameters
/// by a search from every node.
TEST(NamedGraphs, KnowTheirOrbits) {
  std::vector<std::string> names{"petersen", "dodecahedron", "odd-graph:2", "odd-graph:3",
                                 "odd-graph:4"};
  for (std::uint64_t n = 3; n <= 13; ++n)
    for (std::uint64_t k = 1; 2 * k < n; ++k)
      names.push_back("generalized-petersen:" + std::to_string(n) + "," + std::to_string(k));
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const AnyTopology graph(name);
    const std::vector<NodeId> orbits = graph.orbits();
    ASSERT_FALSE(orbits.empty());
    for (std::uint64_t u = 0; u < graph.node_count(); ++u) {
      AutomorphismSearch search(graph, NodeId{u});
      EXPECT_EQ(std::count_if(orbits.begin(), orbits.end(),
                              [&](NodeId orbit) { return search.maps_to(orbit); }),
                1)
          << u;
    }
    EXPECT_EQ(graph.diameter(), diameter(graph));
  }
  EXPECT_EQ(AnyTopology("generalized-petersen:10,2").orbits().size(), 1U);
  EXPECT_EQ(AnyTopology("generalized-petersen:7,2").orbits().size(), 2U);
  EXPECT_EQ(AnyTopology("hypercube:3").orbits(), std::vector{NodeId{0}});
  EXPECT_TRUE(AnyTopology("mesh:2x3").orbits().empty()) << "not known";
}

/// Large ones, of which a search from every node takes too long.
TEST(NamedGraphs, KnowTheirDiameters) {
  for (std::uint64_t k = 2; k <= 9; ++k)
    EXPECT_EQ(AnyTopology("odd-graph:" + std::to_string(k)).diameter(), k - 1) << k;
  EXPECT_EQ(AnyTopology("generalized-petersen:50000,1").diameter(), 25'001U);
}

TEST(NamedGraphs, RefuseWhatTheyAreNot) {
  for (const char* const name :
       {"odd-graph:1", "odd-graph:11", "generalized-petersen:2,1", "generalized-petersen:6,3",
        "petersen:3", "hypercycle:6", "hypercycle:6,4", "hypercycle:6,2x1,1"})
    EXPECT_THROW((void)make_topology(name), InvalidParameter) << name;
}

/// Sizes and names of factors, the most significant first.
[[nodiscard]] std::string factors_of(const char* name) {
  std::string text;
  for (const ErasedTopology& factor : AnyTopology(name).factors())
    text += (text.empty() ? "" : " ") + factor.name();
  return text;
}

TEST(Factors, OfEveryProduct) {
  const std::pair<const char*, const char*> known[] = {
      {"torus:2x5", "complete:2 ring:5"},
      {"mesh:3x4", "linear:3 linear:4"},
      {"hypercube:3", "hypercube:1 hypercube:1 hypercube:1"},
      {"generalized-hypercube:3x4", "complete:3 complete:4"},
      {"hypercycle:7,2x5,1", "extended-ring:7,2 ring:5"},
      {"product(ring:5,linear:4)", "ring:5 linear:4"},
      {"product(mesh:2x2,petersen)", "mesh:2x2 petersen"},
      {"ring:5", ""},
      {"star:4", ""},
      {"ej:3+4", ""}};
  for (const auto& [name, factors] : known) EXPECT_EQ(factors_of(name), factors) << name;
}

/// A node is its factors' nodes in mixed radix, whatever its family calls its dimensions.
TEST(Factors, TellNeighbours) {
  for (const char* const name : {"torus:3x4x2", "mesh:3x2x4", "hypercube:4", "ej:0+3^2",
                                 "hypercycle:6,2x5,1", "product(petersen,linear:3)"}) {
    SCOPED_TRACE(name);
    const AnyTopology product(name);
    for (std::uint64_t u = 0; u < product.node_count(); ++u)
      for (std::size_t p = 0; p < product.degree(NodeId{u}); ++p) {
        std::uint64_t from = u;
        std::uint64_t to = index(product.neighbor(NodeId{u}, port(p)));
        const std::vector<ErasedTopology> factors = product.factors();
        std::size_t moved = 0;
        for (std::size_t i = factors.size(); i-- > 0;) {
          const std::uint64_t n = factors[i].node_count();
          if (from % n != to % n) {
            ++moved;
            EXPECT_EQ(distances_from(factors[i], NodeId{from % n})[to % n], 1U);
          }
          from /= n;
          to /= n;
        }
        EXPECT_EQ(moved, 1U) << u << " " << p;
      }
  }
}

}  // namespace
}  // namespace lockstep
