// SPDX-License-Identifier: Apache-2.0
// Laws of every broadcast of one block, on every small network it admits and from every root:
// delivered, legal, what it promised, never less than is possible; no link used twice.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "algorithm/broadcast/ej_single_port_tree.hpp"
#include "algorithm/broadcast/ej_tree_broadcasts.hpp"
#include "algorithm/broadcast/planned_broadcast.hpp"
#include "core/instrumented.hpp"
#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/verify/judgement.hpp"
#include "lockstep/verify/legality.hpp"
#include "lockstep/verify/lower_bounds.hpp"
#include "support/broadcast_class.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"

namespace lockstep {
namespace {

/// With and without a common divisor, a = 0, a = b, b = a + 1; one dimension and more.
template <class TopologyType>
std::vector<TopologyType> small_networks() requires
    std::same_as<TopologyType, EisensteinJacobiNetwork> {
  return {{1, 2, 1}, {0, 3, 1}, {2, 2, 1}, {1, 3, 1}, {0, 4, 1}, {2, 3, 1}, {2, 4, 1},
          {1, 5, 1}, {3, 4, 1}, {1, 2, 2}, {0, 3, 2}, {2, 2, 2}, {1, 3, 2}, {1, 2, 3}};
}

/// Symmetric or not, commutative or not, with one node, with nodes of one port, with odd cycles.
template <class TopologyType>
std::vector<ErasedTopology> small_networks() requires std::same_as<TopologyType, ErasedTopology> {
  std::vector<ErasedTopology> networks;
  for (const char* const name : {"linear:1",
                                 "linear:2",
                                 "linear:9",
                                 "ring:7",
                                 "mesh:4x5",
                                 "mesh:2x3x2",
                                 "torus:3x4",
                                 "hypercube:4",
                                 "complete:6",
                                 "circulant:9,1,4",
                                 "extended-ring:14,2",
                                 "generalized-hypercube:3x4",
                                 "ccc:3",
                                 "butterfly:3",
                                 "star:4",
                                 "pancake:4",
                                 "bubble-sort:4",
                                 "ej:3+4",
                                 "ej:1+2^2",
                                 "cayley:(1 2)(3 4);(1 2 3 4 5)",
                                 "product(ej:1+2,linear:3)"})
    networks.push_back(AnyTopology(name));
  return networks;
}

template <class A>
class BroadcastLaws : public testing::Test {
 protected:
  using Net = typename A::TopologyType;

  static test::Job job_of(NodeId root) {
    return {.model = A::info.model, .collective = {Operation::broadcast, root}};
  }

  /// check(algorithm, network, root), for every root of every network; under a sanitizer for every
  /// third.
  template <class Check>
  static void for_every_root(Check check) {
    for (const Net& network : small_networks<Net>())
      for (std::uint64_t root = 0; root < network.node_count(); root += slowness == 1 ? 1 : 3) {
        SCOPED_TRACE(network.name() + " from " + std::to_string(root));
        check(A(network, {{"root", root}}), network, NodeId{root});
        if (testing::Test::HasFailure()) return;
      }
  }
  /// One root of each.
  template <class Check>
  static void for_every_network(Check check) {
    for (const Net& network : small_networks<Net>()) {
      const NodeId root{network.node_count() / 2};
      SCOPED_TRACE(network.name());
      check(A(network, {{"root", index(root)}}), network, root);
      if (testing::Test::HasFailure()) return;
    }
  }

  static test::RunOutcome traced(const A& algorithm, const Net& network, NodeId root,
                                 SendTrace& trace) {
    return test::run_reference(build_network(network), algorithm.program(), job_of(root),
                               ChannelKind::slot, &trace);
  }
};

using Broadcasts = testing::Types<EjImproved, EjIterative, EjSinglePortTree, test::TreeBroadcast,
                                  test::Matching, test::SinglePortTree>;
TYPED_TEST_SUITE(BroadcastLaws, Broadcasts, );

TYPED_TEST(BroadcastLaws, DeliversToEverybodyOnceWithinTheRulesForWhatItPromised) {
  this->for_every_root([](const auto& algorithm, const auto& network, NodeId root) {
    SendTrace trace;
    const test::RunOutcome outcome = TestFixture::traced(algorithm, network, root, trace);
    const RunRecord& record = outcome.record;
    const std::uint64_t others = network.node_count() - 1;
    EXPECT_TRUE(outcome.verdict.complete());
    EXPECT_TRUE(record.legal());
    EXPECT_EQ(record.deliveries.verified, others);
    EXPECT_EQ(record.messages_sent, others);
    EXPECT_EQ(record.receivers, others);
    EXPECT_EQ(record.steps, algorithm.footprint().steps);
    EXPECT_EQ(record.messages_sent, algorithm.footprint().hops);
    EXPECT_EQ(record.startups, algorithm.promise()->startups);
    EXPECT_EQ(record.message_times, algorithm.promise()->message_times);
    EXPECT_EQ(algorithm.footprint().blocks_per_processor, 1U);
  });
}

TYPED_TEST(BroadcastLaws, IsNeverBelowTheLowerBound) {
  this->for_every_network([](const auto& algorithm, const auto& network, NodeId root) {
    const BoundInputs figures{.processors = network.node_count(),
                              .degree = network.max_degree(),
                              .diameter = eccentricity(network, root)};
    const auto bound = lower_bound({Operation::broadcast, root}, figures, TypeParam::info.model);
    ASSERT_TRUE(bound.has_value());
    EXPECT_GE(algorithm.promise()->startups, bound->undivided.startups);
    EXPECT_GE(algorithm.promise()->message_times, bound->undivided.message_times);
  });
}

/// Half-duplex: no link in both directions in one step; here in one direction in the whole run.
/// Recounted from the sends, without the machine's judge, under every model it claims to need.
TYPED_TEST(BroadcastLaws, UsesNoLinkBothWays) {
  ASSERT_EQ(TypeParam::info.model.duplex, Duplex::half);
  this->for_every_root([](const auto& algorithm, const auto& network, NodeId root) {
    SendTrace trace;
    const test::RunOutcome outcome = TestFixture::traced(algorithm, network, root, trace);
    EXPECT_TRUE(impossible_sends(trace, network).empty());
    const Recount recount = recount_trace(trace, TypeParam::info.model);
    EXPECT_EQ(disagreements(recount, outcome.record), std::vector<std::string>{});
    EXPECT_TRUE(recount.violations.empty());
    std::set<std::tuple<NodeId, NodeId>> used;
    for (const SendEvent& event : trace) {
      EXPECT_TRUE(used.insert({event.sender, event.receiver}).second);
      EXPECT_FALSE(used.count({event.receiver, event.sender}));
    }
  });
}

/// The port model with any number of sends, links still half-duplex.
TYPED_TEST(BroadcastLaws, IsLegalWithAllPortsAndHalfDuplexLinks) {
  this->for_every_network([](const auto& algorithm, const auto& network, NodeId root) {
    test::Job job = TestFixture::job_of(root);
    job.model = port_models::all_port_half_duplex;
    const test::RunOutcome outcome = test::run(build_network(network), algorithm.program(), job);
    EXPECT_TRUE(outcome.record.legal());
    EXPECT_TRUE(outcome.verdict.complete());
  });
}

TYPED_TEST(BroadcastLaws, HasTheRecordOfTheReferenceMachine) {
  this->for_every_network([](const auto& algorithm, const auto& network, NodeId root) {
    test::expect_reference_outcome(build_network(network), algorithm.program(),
                                   TestFixture::job_of(root), test::every_channel);
  });
}

TYPED_TEST(BroadcastLaws, IsProvedByTheLedgerOfConstantSizeTooForBlocksOfAnyLength) {
  this->for_every_network([](const auto& algorithm, const auto& network, NodeId root) {
    for (const std::size_t bytes : {1U, 3U, 65U}) {
      test::Job job = TestFixture::job_of(root);
      job.verify = VerifyKind::digest;
      job.block_bytes = bytes;
      const test::RunOutcome outcome = test::run(build_network(network), algorithm.program(), job);
      EXPECT_TRUE(outcome.verdict.complete()) << bytes;
      EXPECT_TRUE(outcome.record.legal()) << bytes;
    }
  });
}

/// A message lost on the way is found missing at everybody behind it.
TYPED_TEST(BroadcastLaws, ALostMessageIsNoticed) {
  this->for_every_network([](const auto& algorithm, const auto& network, NodeId root) {
    if (network.node_count() == 1) return;
    test::Job job = TestFixture::job_of(root);
    job.fault = {.kind = FaultKind::drop, .step = 0, .sender = root};
    const test::RunOutcome outcome = test::run(build_network(network), algorithm.program(), job);
    EXPECT_FALSE(outcome.verdict.complete());
    EXPECT_FALSE(outcome.missing.empty());
  });
}

TYPED_TEST(BroadcastLaws, RefusesARootThatIsNotThere) {
  this->for_every_network([](const auto&, const auto& network, NodeId) {
    EXPECT_THROW(TypeParam(network, {{"root", network.node_count()}}), InvalidParameter);
  });
}

}  // namespace
}  // namespace lockstep
