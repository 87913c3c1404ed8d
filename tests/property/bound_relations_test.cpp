// SPDX-License-Identifier: Apache-2.0

/// How lower bounds of one network relate to each other: by port model, by mirror operation, by the
/// network's name and the numbers of its nodes (catalog/network_bounds.hpp). On every family of the
/// catalogue, with every operation.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/network_bounds.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/detail/topology_model.hpp"
#include "reference/random_networks.hpp"

namespace lockstep {
namespace {

using catalog::lower_bound_on;

constexpr const char* names_of_bounded_networks[] = {"linear:1",
                                                     "linear:2",
                                                     "linear:5",
                                                     "linear:6",
                                                     "ring:3",
                                                     "ring:6",
                                                     "ring:7",
                                                     "complete:2",
                                                     "complete:5",
                                                     "mesh:2x3",
                                                     "mesh:3x3",
                                                     "torus:3x4",
                                                     "torus:2x2x3",
                                                     "star:3",
                                                     "star:4",
                                                     "hypercube:1",
                                                     "hypercube:3",
                                                     "hypercube:4",
                                                     "ej:0+3",
                                                     "ej:1+2",
                                                     "circulant:9,1,2",
                                                     "ccc:3",
                                                     "butterfly:3",
                                                     "petersen",
                                                     "odd-graph:4",
                                                     "product(ring:5,linear:4)",
                                                     "generalized-petersen:7,2",
                                                     "generalized-hypercube:3x4",
                                                     "fat-tree:2",
                                                     "fat-tree:5",
                                                     "fat-tree:2^2",
                                                     "fat-tree:2^3",
                                                     "fat-tree:3x2,exponential",
                                                     "fat-tree:2x3,2.3",
                                                     "kary-tree:2^2",
                                                     "kary-tree:2^3",
                                                     "kary-tree:3^2",
                                                     "xgft:2;3,2;2,1",
                                                     "xgft:2;2,3;1,4",
                                                     "xgft:1;4;4",
                                                     "xgft:2;3,3;1,2"};

AnyTopology by_links(Network network) {
  return AnyTopology(std::make_shared<TopologyModel<Network>>(std::move(network)));
}

std::vector<AnyTopology> bounded_networks() {
  constexpr std::uint64_t most_nodes = 40;
  std::vector<AnyTopology> all;
  for (const TopologyInfo& info : topology_catalog())
    if (!info.example.empty())
      if (AnyTopology network{std::string(info.example)}; network.node_count() <= most_nodes)
        all.push_back(std::move(network));
  for (const char* const name : names_of_bounded_networks) all.emplace_back(name);
  all.push_back(by_links(reference::hub_with_lanes()));
  all.push_back(by_links(reference::switched_tree()));
  return all;
}

/// The collectives of an operation: some roots and homes; none where the network does not admit it.
std::vector<Collective> collectives(const AnyTopology& network, Operation operation) {
  const std::uint64_t last = network.processor_count() - 1;
  if (has_root(operation)) {
    std::vector<Collective> rooted;
    for (const std::uint64_t root : std::set<std::uint64_t>{0, last / 2, last})
      rooted.push_back({operation, NodeId{root}});
    return rooted;
  }
  if (operation == Operation::many_to_all)
    return {{operation, {}, Pattern::many({NodeId{0}})},
            {operation, {}, Pattern::many({NodeId{0}, NodeId{last}, NodeId{last}})}};
  if (operation != Operation::odd_distance_exchange) return {{operation}};
  try {
    return {Collective{operation}.on(network)};
  } catch (const InvalidParameter&) {
    return {};  // not bipartite
  }
}

void expect_no_term_more(const LowerBound& less, const LowerBound& more) {
  EXPECT_LE(less.least.startups, more.least.startups);
  EXPECT_LE(less.least.message_times, more.least.message_times) << less.message_times_by;
  EXPECT_LE(less.undivided.message_times, more.undivided.message_times) << less.undivided_by;
}

TEST(BoundRelations, APortModelThatAdmitsMoreHasNoHigherBound) {
  std::size_t compared = 0;
  for (const AnyTopology& network : bounded_networks())
    for (const OperationInfo& info : operation_catalog())
      for (const Collective& collective : collectives(network, info.operation))
        for (const PortModel& model : port_models::all)
          for (const PortModel& relaxed : port_models::all) {
            if (!relaxed.admits(model) || relaxed == model) continue;
            const auto strict = lower_bound_on(network, collective, model);
            const auto loose = lower_bound_on(network, collective, relaxed);
            if (!strict || !loose) continue;
            SCOPED_TRACE(fmt::format("{} {} root {}: {}, {}", network.name(),
                                     name_of(info.operation), index(collective.root), relaxed.name,
                                     model.name));
            expect_no_term_more(*loose, *strict);
            ++compared;
          }
  EXPECT_GT(compared, 5'000U);
}

TEST(BoundRelations, MirrorOperationsHaveEqualBoundsUnderMirroredPortModels) {
  std::size_t compared = 0;
  for (const AnyTopology& network : bounded_networks())
    for (const auto& [operation, mirror] :
         {std::pair{Operation::broadcast, Operation::reduce},
          std::pair{Operation::scatter, Operation::gather},
          std::pair{Operation::all_gather, Operation::reduce_scatter}})
      for (const Collective& collective : collectives(network, operation))
        for (const PortModel& model : port_models::all) {
          PortModel backwards = model;
          std::swap(backwards.sends, backwards.receptions);
          SCOPED_TRACE(fmt::format("{} {} root {}: {}", network.name(), name_of(operation),
                                   index(collective.root), model.name));
          EXPECT_EQ(lower_bound_on(network, collective, model),
                    lower_bound_on(network, {mirror, collective.root}, backwards));
          ++compared;
        }
  EXPECT_GT(compared, 1'000U);
}

/// Message times that go by more than the links of the network: see network_bounds.hpp.
bool goes_by_structure(std::string_view reason) {
  return reason == "cut" || reason == "distances through one class of ports";
}

/// The same, or one says more for a reason that is documented.
void expect_same(const LowerBound& a, const LowerBound& b) {
  EXPECT_EQ(a.least.startups, b.least.startups);
  const auto larger = [](const auto& one, std::string_view one_by, const auto& other,
                         std::string_view other_by) { return one < other ? other_by : one_by; };
  if (!goes_by_structure(larger(a.least.message_times, a.message_times_by, b.least.message_times,
                                b.message_times_by))) {
    EXPECT_EQ(a.least.message_times, b.least.message_times)
        << a.message_times_by << ", " << b.message_times_by;
  }
  if (!goes_by_structure(larger(a.undivided.message_times, a.undivided_by,
                                b.undivided.message_times, b.undivided_by))) {
    EXPECT_EQ(a.undivided.message_times, b.undivided.message_times)
        << a.undivided_by << ", " << b.undivided_by;
  }
}

/// A network whose node numbers[u] has the links of node u.
Network renumbered_by(const AnyTopology& network, const std::vector<std::uint64_t>& numbers) {
  std::vector<Link> links;
  for (std::uint64_t u = 0; u < network.node_count(); ++u)
    for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p) {
      const std::uint64_t v = index(network.neighbor(NodeId{u}, port(p)));
      if (u < v) links.push_back({NodeId{numbers[u]}, NodeId{numbers[v]}});
    }
  return build_network("renumbered", network.node_count(), links, network.processor_count());
}

Collective renumbered_by(Collective collective, const AnyTopology& network,
                         const std::vector<std::uint64_t>& numbers) {
  collective.root = NodeId{numbers.at(index(collective.root))};
  if (const std::vector<NodeId>* const homes = collective.pattern.homes()) {
    std::vector<NodeId> moved;
    for (const NodeId home : *homes) moved.push_back(NodeId{numbers.at(index(home))});
    collective.pattern = Pattern::many(std::move(moved));
  } else if (collective.is_by_classes()) {
    collective.pattern = Pattern::odd_distance(network);
  }
  return collective;
}

/// The bounds of a network and of its links alone, with other node numbers.
TEST(BoundRelations, ANetworkHasTheBoundsOfItsLinks) {
  constexpr std::uint64_t seed = 3;
  std::mt19937_64 random(seed);
  for (const AnyTopology& network : bounded_networks()) {
    if (network.node_count() < 2 || !network.levels().empty()) continue;  // fat trees go by levels
    std::vector<std::uint64_t> numbers(network.node_count());
    std::iota(numbers.begin(), numbers.end(), 0);
    const auto processors =
        numbers.begin() + static_cast<std::ptrdiff_t>(network.processor_count());
    std::shuffle(numbers.begin(), processors, random);
    std::shuffle(processors, numbers.end(), random);
    const AnyTopology other = by_links(renumbered_by(network, numbers));
    for (const OperationInfo& info : operation_catalog())
      for (const Collective& collective : collectives(network, info.operation))
        for (const PortModel& model : port_models::all) {
          if (info.operation == Operation::scan) continue;  // goes by the numbers
          SCOPED_TRACE(fmt::format("{} {} root {}: {}, seed {}", network.name(),
                                   name_of(info.operation), index(collective.root), model.name,
                                   seed));
          const auto own = lower_bound_on(network, collective, model);
          const auto of_links =
              lower_bound_on(other, renumbered_by(collective, other, numbers), model);
          ASSERT_EQ(own.has_value(), of_links.has_value());
          if (own) expect_same(*own, *of_links);
        }
  }
}

TEST(BoundRelations, ANetworkHasTheSameBoundsUnderAllItsNames) {
  const std::vector<std::vector<std::string>> same{
      {"linear:2", "complete:2", "hypercube:1", "torus:2", "mesh:2"},
      {"ring:4", "hypercube:2", "torus:2x2", "mesh:2x2", "product(linear:2,linear:2)"},
      {"ring:6", "star:3", "bubble-sort:3", "pancake:3", "circulant:6,1", "cayley:(1 2);(2 3)"},
      {"hypercube:3", "torus:2x2x2", "mesh:2x2x2", "product(ring:4,linear:2)",
       "generalized-petersen:4,1"},
      {"hypercube:4", "torus:4x4", "torus:2x2x4", "product(ring:4,hypercube:2)"},
      {"complete:4", "generalized-hypercube:4", "circulant:4,1,2"},
      {"complete:3", "ring:3", "generalized-hypercube:3"},
      {"petersen", "odd-graph:3", "generalized-petersen:5,2"},
      {"dodecahedron", "generalized-petersen:10,2"},
      {"mesh:3x4", "product(linear:3,linear:4)"},
      {"fat-tree:4", "kary-tree:4^1", "xgft:1;4;1"},
      {"fat-tree:2^3", "xgft:3;2,2,2;1,1,1"},
      {"kary-tree:2^3", "xgft:3;2,2,2;1,2,2"}};
  for (const std::vector<std::string>& names : same)
    for (const OperationInfo& info : operation_catalog()) {
      const AnyTopology first{names.front()};
      for (const std::string& name : names) {
        const AnyTopology other{name};
        ASSERT_EQ(other.node_count(), first.node_count());
        if (info.operation == Operation::many_to_all) continue;  // homes have other numbers
        if (info.operation == Operation::scan) continue;         // goes by the numbers
        for (const PortModel& model : port_models::all) {
          SCOPED_TRACE(fmt::format("{} as {}, {}: {}", names.front(), name, name_of(info.operation),
                                   model.name));
          const std::vector<Collective> ours = collectives(first, info.operation);
          if (ours.empty()) continue;
          const auto own = lower_bound_on(first, ours.front(), model);
          const auto of_other =
              lower_bound_on(other, collectives(other, info.operation).front(), model);
          ASSERT_EQ(own.has_value(), of_other.has_value());
          if (own) expect_same(*own, *of_other);
        }
      }
    }
}

}  // namespace
}  // namespace lockstep
