// SPDX-License-Identifier: Apache-2.0
#include "algorithm/broadcast/planned_broadcast.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/detail/topology_model.hpp"
#include "support/broadcast_class.hpp"

namespace lockstep {
namespace {

/// Memory is proportional to links, not to nodes times the largest degree.
TEST(PlannedBroadcast, AMillionNodesMayHaveAHub) {
  constexpr std::uint64_t nodes = 1'000'000;
  constexpr std::uint64_t hub_links = 64;
  std::vector<Link> links;
  for (std::uint64_t u = 1; u < nodes; ++u) links.push_back({NodeId{(u - 1) / 2}, NodeId{u}});
  for (std::uint64_t u = 0; u < hub_links; ++u) links.push_back({NodeId{7}, NodeId{nodes / 2 + u}});
  const ErasedTopology network(
      std::make_shared<TopologyModel<Network>>(build_network("hub", nodes, links)));
  const test::TreeBroadcast broadcast(network, {});
  EXPECT_EQ(broadcast.footprint().hops, nodes - 1);
  EXPECT_LT(broadcast.footprint().plan_bytes, 17 * nodes);
}

/// Leaves of a tree that differ in nothing but their number do the same.
TEST(PlannedBroadcast, NodesShareWhatTheyDo) {
  const ErasedTopology cube(AnyTopology("hypercube:10"));
  const test::BroadcastClass<tree_broadcast, reduce_by> reduce(cube);
  const test::BroadcastClass<tree_broadcast, all_reduce_by> all_reduce(cube);
  EXPECT_LT(test::TreeBroadcast(cube).footprint().plan_bytes, 1024 * 20);
  EXPECT_LT(reduce.footprint().plan_bytes, 1024 * 20);
  EXPECT_LT(all_reduce.footprint().plan_bytes, 1024 * 40);
}

/// Nobody acts that neither takes nor sends: a node has a turn for the message it receives and one
/// for every later step in which it sends.
TEST(PlannedBroadcast, OnlyNodesThatTakeOrSendHaveATurn) {
  for (const char* const name : {"mesh:4x5", "star:4", "ej:2+3", "fat-tree:2^3"}) {
    const AnyTopology network{std::string(name)};
    const NodeId root{1};
    const test::Matching broadcast(network, {{"root", index(root)}});
    const BroadcastPlan plan = matching_plan(network, network.cayley() ? NodeId{0} : root);
    std::uint64_t turns = 1 + plan.sends();  // the root's first, one for each reception
    for (std::uint64_t u = 0; u < network.node_count(); ++u) {
      std::set<std::uint64_t> steps;
      for (const BroadcastPlan::Send& send : plan.sends_of(NodeId{u})) steps.insert(send.step);
      turns += steps.size();
    }
    const Schedule& schedule = broadcast.program().plan();
    EXPECT_LE(schedule.turn_count(), turns) << name;
    EXPECT_GT(schedule.turn_count(), plan.sends()) << name;
    EXPECT_EQ(schedule.work().messages, plan.sends()) << name;
    EXPECT_EQ(schedule.work().startups, plan.steps()) << name;
  }
}

}  // namespace
}  // namespace lockstep
