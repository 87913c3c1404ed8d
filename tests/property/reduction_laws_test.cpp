// SPDX-License-Identifier: Apache-2.0
// What holds of every reduction of the catalogue, on networks of awkward sizes: results are right,
// within the rules, for what was promised and not less than is possible; the machine does what the
// reference machine does, also where a fault is injected; and who claims to keep the processors'
// order does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/topology/detail/topology_model.hpp"
#include "reference/random_networks.hpp"
#include "reference/reference_machine.hpp"
#include "study/stress.hpp"
#include "study/stress_jobs.hpp"
#include "support/affine_host.hpp"
#include "support/cases.hpp"

namespace lockstep::test {
namespace {

constexpr Operation reductions[] = {Operation::reduce, Operation::all_reduce,
                                    Operation::reduce_scatter, Operation::scan};

class NetworkByLinks : public AnyTopology {
 public:
  explicit NetworkByLinks(Network network)
      : AnyTopology(std::make_shared<TopologyModel<Network>>(std::move(network))) {}
};

/// Some of one node, of two, not symmetric, some with switches, and one whose nodes have hubs,
/// lanes and port numbers in no order.
[[nodiscard]] std::vector<AnyTopology> reduction_networks() {
  std::vector<AnyTopology> all{
      "hypercube:0",      "hypercube:1",   "hypercube:3",   "star:2", "star:3",   "star:4",
      "torus:2",          "torus:3x4",     "torus:2x2x3",   "ring:5", "linear:1", "linear:7",
      "mesh:3x4",         "complete:5",    "ccc:3",         "ej:1+2", "ej:2+3",   "fat-tree:2",
      "fat-tree:2x3,2.2", "kary-tree:2^3", "xgft:2;3,2;2,2"};
  Random random(base_seed());
  all.push_back(NetworkByLinks(reference::renumbered(random, reference::hub_with_lanes(), 8)));
  return all;
}

[[nodiscard]] bool has_switches(const AnyTopology& network) {
  return network.processor_count() != network.node_count();
}

/// check(request) for every reduction there is, from a root in the middle.
template <class Check>
void for_every_reduction(Check check) {
  SomeCases some(5);
  for (const AnyTopology& network : reduction_networks())
    for (const Operation operation : reductions) {
      const std::vector<AlgorithmInfo> found = algorithms_for(network, operation);
      EXPECT_FALSE(found.empty()) << network.name() << " " << name_of(operation);
      for (const AlgorithmInfo& info : found) {
        if (!some.take()) continue;
        RunRequest request{.topology = network,
                           .operation = operation,
                           .algorithm = std::string(info.name),
                           .block_bytes = 13,
                           .workers = 2};
        if (has_root(operation)) request.settings["root"] = network.processor_count() / 2;
        SCOPED_TRACE(fmt::format("{} {} by {}", network.name(), name_of(operation), info.name));
        check(request);
      }
    }
}

TEST(ReductionLaws, ResultsAreRightForWhatWasPromised) {
  for_every_reduction([](RunRequest request) {
    for (const std::size_t bytes : {1U, 13U, 64U}) {
      request.block_bytes = bytes;
      request.verify = bytes == 13 ? VerifyKind::digest : VerifyKind::exact;
      const RunResult result = prepare(request)->execute();
      EXPECT_TRUE(result.ok()) << bytes;
      EXPECT_EQ(result.judgement.outcome, Outcome::complete);
      EXPECT_TRUE(result.judgement.promises.kept()) << bytes;
      EXPECT_TRUE(result.forecast.lower_bound.has_value() || has_switches(request.topology));
      EXPECT_EQ(result.record.stores_without_message, 0U);
      EXPECT_EQ(result.judgement.deliveries.tally.verified,
                request.operation == Operation::reduce ? 1 : request.topology.processor_count());
    }
  });
}

TEST(ReductionLaws, TheReferenceMachineDoesTheSame) {
  for_every_reduction([](RunRequest request) {
    request.keep_series = true;
    const auto run = prepare(request);
    const study::FaultPrediction expected = study::predict(request, *run);
    EXPECT_FALSE(expected.harmful());
    for (const ChannelKind channel : channels_for(request)) {
      request.channel = channel;
      RunResult result = prepare(request)->execute();
      result.record.queues.clear();  // catalogue_laws_test compares these
      EXPECT_EQ(study::differences(result.record, expected.record), std::vector<std::string>{});
    }
  });
}

TEST(ReductionLaws, FaultsDoWhatWasPredicted) {
  std::uint64_t harmful = 0;
  Random random(base_seed());
  for_every_reduction([&](RunRequest request) {
    const auto forecast = prepare(request)->forecast();
    if (forecast.footprint.steps == 0) return;
    for (int i = 0; i < 6; ++i) {
      Fault fault{.kind = static_cast<FaultKind>(random.number(1, 4)),
                  .step = random.number(0, forecast.footprint.steps - 1),
                  .sender = NodeId{random.number(0, forecast.nodes - 1)}};
      fault.wrong_port = port(random.number(0, request.topology.degree(fault.sender) - 1));
      fault.corrupt_byte = random.number(0, forecast.part_bytes() - 1);
      request.fault = fault;
      request.stop_at_violation = random.happens(50);
      const auto run = prepare(request);
      const study::FaultPrediction expected = study::predict(request, *run);
      RunResult result = run->execute();
      result.record.queues.clear();
      EXPECT_EQ(study::differences(result.record, expected.record), std::vector<std::string>{})
          << name_of(fault.kind);
      EXPECT_EQ(result.missing, expected.missing) << name_of(fault.kind);
      EXPECT_EQ(result.ok(), !expected.harmful()) << name_of(fault.kind);
      harmful += static_cast<std::uint64_t>(expected.harmful());
    }
  });
  EXPECT_GT(harmful, cases_here(100));
}

/// Of nodes with more ports than a word has bits: what two messages on one link break is seen
/// through any port.
TEST(ReductionLaws, LinksOfManyPortsCarryOneDirectionAtATime) {
  RunRequest request{.topology = "complete:70",
                     .operation = Operation::all_reduce,
                     .algorithm = "tree",
                     .block_bytes = 8,
                     .workers = 2};
  for (const std::uint64_t sender : {0U, 1U, 5U, 35U, 69U}) {
    request.fault = {.kind = sender == 0 ? FaultKind::none : FaultKind::duplicate,
                     .step = 0,
                     .sender = NodeId{sender}};
    const auto run = prepare(request);
    const study::FaultPrediction expected = study::predict(request, *run);
    const RunResult result = run->execute();
    EXPECT_EQ(result.forecast.model, port_models::all_port_half_duplex);
    EXPECT_TRUE(result.record.same_facts(expected.record)) << sender;
    EXPECT_EQ(result.ok(), sender == 0);
    if (sender != 0) {
      ASSERT_FALSE(result.record.legal());
      EXPECT_EQ(result.record.violations.front().rule, Rule::half_duplex);
    }
  }
}

/// How many results are right of an operation that does not commute.
[[nodiscard]] std::uint64_t right_in_order(const RunRequest& request, PreparedRun& run) {
  const RunForecast& forecast = run.forecast();
  const Network network = request.topology.network();
  AffineHost host(forecast.collective.on(network), network.processor_count(),
                  forecast.parts_per_block());
  reference::ReferenceMachine machine(network, run.program(), host,
                                      {.model = forecast.model, .block_bytes = AffineHost::bytes});
  EXPECT_TRUE(machine.run().legal());
  return host.right();
}

TEST(ReductionLaws, WhoClaimsToKeepTheOrderKeepsIt) {
  std::uint64_t in_order = 0;
  std::uint64_t out_of_order = 0;
  for_every_reduction([&](const RunRequest& request) {
    const auto run = prepare(request);
    const bool commutative = run->forecast().algorithm.commutative;
    const std::uint64_t results =
        request.operation == Operation::reduce ? 1 : request.topology.processor_count();
    const std::uint64_t right = right_in_order(request, *run);
    if (commutative) {
      out_of_order += results - right;
    } else {
      in_order += right;
      EXPECT_EQ(right, results);
    }
  });
  EXPECT_GT(in_order, cases_here(100));
  EXPECT_GT(out_of_order, cases_here(100));  // the host does notice
}

}  // namespace
}  // namespace lockstep::test
