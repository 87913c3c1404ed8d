// SPDX-License-Identifier: Apache-2.0

/// What the catalogue says about the networks of an algorithm is true: on every network that it
/// admits there is a plan or a formula, and a refusal names the limit that the network exceeds, or
/// the shapes that it lacks. Networks of many families, within limits, at them and above.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "catalog/candidates.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

constexpr const char* families[] = {"linear:1",
                                    "linear:2",
                                    "ring:3",
                                    "ring:4",
                                    "linear:9",
                                    "ring:12",
                                    "complete:2",
                                    "complete:13",
                                    "hypercube:0",
                                    "hypercube:5",
                                    "star:4",
                                    "pancake:4",
                                    "ccc:3",
                                    "ej:2+3",
                                    "petersen",
                                    "mesh:4x5",
                                    "torus:3x5",
                                    "torus:4x5",
                                    "torus:4x4x4",
                                    "generalized-hypercube:3x4",
                                    "fat-tree:2^3",
                                    "fat-tree:3x2,exponential",
                                    "fat-tree:2x3,2.3",
                                    "kary-tree:2^3",
                                    "xgft:2;3,2;2,1",
                                    "random-regular:24,3,1",
                                    "product(ring:5,linear:4)",
                                    "product(petersen,star:3)",
                                    "circulant:7,1,2"};

/// One more node, port or processor than some limit allows, or exactly as many.
constexpr const char* around_limits[] = {"linear:128",
                                         "linear:129",
                                         "torus:8x16",
                                         "torus:3x43",
                                         "mesh:2x64",
                                         "complete:65",
                                         "complete:66",
                                         "star:5",
                                         "ring:256",
                                         "ring:257",
                                         "complete:257",
                                         "mesh:10x30",
                                         "mesh:7x43",
                                         "ring:300",
                                         "random-regular:300,3,1",
                                         "linear:300",
                                         "random-regular:302,3,1"};

/// Whether the refusal of a plan is one of those that only planning shows.
[[nodiscard]] bool is_seen_by_planner(const std::string& text) {
  return text.find("too large (limit") != std::string::npos ||
         text.find("none of 40 tries") != std::string::npos ||
         text.find("the search finds no") != std::string::npos;
}

void expect_admitted_plans(const AnyTopology& network, Operation operation) {
  for (const AlgorithmInfo& info : algorithms_for(network, operation)) {
    SCOPED_TRACE(fmt::format("{} {} {}", network.name(), name_of(operation), info.name));
    const RunRequest request{
        .topology = network, .operation = operation, .algorithm = std::string(info.name)};
    try {
      if (operation == Operation::many_to_all)
        (void)prepare(request, false);  // selects parameters
      else
        (void)catalog::promise_of(request);
    } catch (const InvalidParameter& problem) {
      EXPECT_TRUE(is_seen_by_planner(problem.what())) << problem.what();
    }
  }
}

void expect_named_reasons(const AnyTopology& network) {
  for (const AlgorithmEntry& entry : algorithm_catalog()) {
    if (entry.networks.admits(network)) continue;
    const std::string reason = entry.networks.reason_against(network);
    const bool names_figure = reason.find("; " + network.name() + " has ") != std::string::npos;
    EXPECT_TRUE(names_figure || reason.starts_with("supports only ")) << reason;
  }
}

class SupportedNetworksLaws : public testing::TestWithParam<const char*> {};
class RefusalLaws : public testing::TestWithParam<const char*> {};

TEST_P(SupportedNetworksLaws, AdmittedNetworksHavePlans) {
  const AnyTopology network(GetParam());
  for (const OperationInfo& info : operation_catalog())
    expect_admitted_plans(network, info.operation);
}

TEST_P(RefusalLaws, NameTheLimit) { expect_named_reasons(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Families, SupportedNetworksLaws, testing::ValuesIn(families));
INSTANTIATE_TEST_SUITE_P(Families, RefusalLaws, testing::ValuesIn(families));
INSTANTIATE_TEST_SUITE_P(AroundLimits, RefusalLaws, testing::ValuesIn(around_limits));

struct LimitCase {
  std::string_view algorithm;
  Operation operation;
  std::string_view within;
  std::string_view beyond;
  std::string_view reason;
};

using enum Operation;

/// The last network within a limit and the first beyond it.
constexpr LimitCase limits[] = {
    {"flow", scatter, "ring:446", "ring:447",
     "supports networks with (nodes + 2 x links) x (nodes/degree + 1) <= 300,000; ring:447 has "
     "(nodes + 2 x links) x (nodes/degree + 1) = 300,384"},
    {"flow", gather, "complete:66", "hypercube:11",
     "supports networks of up to 1,024 nodes; hypercube:11 has 2,048 nodes"},
    {"bundled-flow", scatter, "hypercube:7", "ring:129",
     "supports networks of up to 128 nodes; ring:129 has 129 nodes"},
    {"flow-invariant", broadcast, "star:4", "petersen", "supports only Cayley graphs"},
    {"arc-disjoint-trees", reduce, "ring:128", "ring:129",
     "supports switchless networks of up to 128 nodes; ring:129 has 129 nodes"},
    {"node-invariant", all_gather, "complete:65", "complete:66",
     "supports Cayley graphs with up to 64 ports; complete:66 has 65 ports"},
    {"node-invariant", reduce_scatter, "torus:8x8", "torus:23x23",
     "supports Cayley graphs of up to 512 nodes; torus:23x23 has 529 nodes"},
    {"generator-sequence", all_gather, "hypercube:7", "hypercube:13",
     "supports Cayley graphs of up to 4,096 nodes; hypercube:13 has 8,192 nodes"},
    {"generator-sequence", reduce_scatter, "hypercube:7", "hypercube:10",
     "supports Cayley graphs of up to 512 nodes; hypercube:10 has 1,024 nodes"},
    {"generator-sequence", total_exchange, "star:4", "complete:66",
     "supports Cayley graphs with up to 64 ports; complete:66 has 65 ports"},
    {"exchanged-sequence", scan, "star:4", "petersen", "supports only Cayley graphs"},
    {"matched-rounds", gather, "ring:64", "ring:129",
     "supports networks of up to 128 nodes; ring:129 has 129 nodes"},
    {"matched-single-blocks", many_to_all, "fat-tree:2^3", "ring:129",
     "supports networks of up to 128 nodes; ring:129 has 129 nodes"},
    {"scatter-sequence", broadcast, "star:4", "hypercube:10",
     "supports Cayley graphs of up to 512 nodes; hypercube:10 has 1,024 nodes"},
    {"divided-flow", scatter, "fat-tree:2^4", "ring:65",
     "supports networks of up to 64 nodes; ring:65 has 65 nodes"},
    {"exchanged-queues", scan, "fat-tree:2^4", "ring:65",
     "supports networks of up to 64 nodes; ring:65 has 65 nodes"},
    {"levelwise", reduce_scatter, "star:5", "ring:6", "supports only star graphs"},
    {"hamiltonian-cycle", all_gather, "ring:1024", "ring:1025",
     "supports Hamiltonian networks of up to 1,024 nodes; ring:1025 has 1,025 nodes"},
    {"hamiltonian-cycle", all_gather, "star:5", "star:6",
     "supports Hamiltonian networks with factors of up to 256 nodes (not counting rings and linear "
     "arrays); star:6 has a factor of 720 nodes"},
    {"tree-walk", all_gather, "linear:1024", "linear:1025",
     "supports networks of up to 1,024 nodes; linear:1025 has 1,025 nodes"},
    {"neighbour-exchange", all_gather, "ring:64", "ring:65",
     "supports Hamiltonian networks of an even number of nodes; ring:65 has 65 nodes"},
    {"dimension-by-dimension", all_gather, "mesh:2x512", "mesh:2x513",
     "supports products with factors of up to 512 nodes; mesh:2x513 has a factor of 513 nodes"},
    {"shortest-paths", all_gather, "ring:512", "ring:513",
     "supports networks with processors x nodes <= 262,144; ring:513 has processors x nodes = "
     "263,169"},
    {"shortest-paths", odd_distance_exchange, "ring:512", "ring:514",
     "supports bipartite Cayley graphs with processors x nodes <= 262,144; ring:514 has processors "
     "x nodes = 264,196"},
    {"shortest-paths", odd_distance_exchange, "ring:4", "ring:5",
     "supports only bipartite Cayley graphs"},
    {"beam-search", broadcast, "linear:16384", "linear:16385",
     "supports switchless networks of up to 16,384 nodes; linear:16385 has 16,385 nodes"},
    {"both-ways", total_exchange, "ring:4096", "ring:4098",
     "supports rings numbered along their links of up to 4,096 nodes"},
    {"both-ways", total_exchange, "ring:5791", "ring:5793", "of up to 5,791 nodes; ring:5793 has"},
    {"parity-colouring", total_exchange, "torus:4x5", "torus:4x16385",
     "supports tori and rings of up to 65,536 nodes"},
    {"hop-levels", total_exchange, "ring:64", "ring:65",
     "supports Cayley graphs of up to 64 nodes; ring:65 has 65 nodes"},
    {"hop-levels", total_exchange, "fat-tree:2^4", "linear:301",
     "supports networks of up to 300 nodes other than Cayley graphs; linear:301 has 301 nodes"},
    {"queues", total_exchange, "ring:64", "ring:65",
     "supports Cayley graphs of up to 64 nodes; ring:65 has 65 nodes"},
    {"edge-colouring", total_exchange, "complete:1025", "complete:1026",
     "supports Cayley graphs of an abelian group with up to 1,024 ports; complete:1026 has 1,025 "
     "ports"},
    {"a2", total_exchange, "product(random-regular:20,3,1,ring:3)",
     "product(random-regular:302,3,1,ring:3)",
     "supports switchless products with factors of up to 300 nodes (not counting linear arrays and "
     "Cayley graphs); product(random-regular:302,3,1,ring:3) has a factor of 302 nodes"},
    {"rounds", total_exchange, "product(star:4,ring:24)", "product(star:5,ring:120)",
     "supports switchless products with Cayley graphs of up to 64 nodes as factors (not counting "
     "abelian ones); product(star:5,ring:120) has a Cayley graph of 120 nodes"},
    {"ring2d", many_to_all, "torus:3x5", "torus:2x5",
     "supports two-dimensional tori with sides of at least 3; torus:2x5 has a side of 2"},
    {"edst", many_to_all, "torus:3x3", "torus:16385x16385",
     "supports two-dimensional tori with equal sides and sides of up to 16,384; torus:16385x16385 "
     "has a side of 16,385"},
    {"pipelined-path", broadcast, "ring:1024", "ring:1025",
     "supports Hamiltonian networks of up to 1,024 nodes; ring:1025 has 1,025 nodes"},
    {"census", all_reduce, "complete:7", "ring:7", "supports only complete graphs"},
    {"pairwise", total_exchange, "complete:64", "complete:513",
     "supports complete graphs of up to 512 nodes; complete:513 has 513 nodes"},
    {"index-by-dimensions", total_exchange, "generalized-hypercube:8x16",
     "generalized-hypercube:8x17",
     "supports products of complete graphs of up to 128 nodes; generalized-hypercube:8x17 has 136 "
     "nodes"},
    {"one-way-by-dimensions", total_exchange, "torus:8x16", "torus:9x16",
     "supports tori of up to 128 nodes; torus:9x16 has 144 nodes"},
    {"pipelined-chain", scan, "ring:9", "linear:1048577",
     "supports networks of up to 1,048,576 nodes whose node i is linked to node i + 1; "
     "linear:1048577 has 1,048,577 nodes"},
    {"edge-disjoint-trees", broadcast, "hypercube:6", "hypercube:21",
     "supports hypercubes of up to 1,048,576 nodes; hypercube:21 has 2,097,152 nodes"},
    {"phases", total_exchange, "fat-tree:2^3", "xgft:2;3,2;2,2",
     "supports only fat trees, XGFTs and k-ary n-trees with one parent per node"},
};

[[nodiscard]] RunRequest request_of(const LimitCase& limit, std::string_view network) {
  RunRequest request{.topology = std::string(network),
                     .operation = limit.operation,
                     .algorithm = std::string(limit.algorithm)};
  if (limit.operation == many_to_all) request.settings["messages"] = std::uint64_t{2};
  return request;
}

/// Plans of large networks take seconds: these are admitted only.
TEST(SupportedNetworksLimits, HoldAtTheLastNetworkWithin) {
  constexpr std::uint64_t most_planned = 140;
  for (const LimitCase& limit : limits) {
    SCOPED_TRACE(fmt::format("{} {}", limit.algorithm, limit.within));
    const RunRequest request = request_of(limit, limit.within);
    if (limit.operation != many_to_all && request.topology.node_count() <= most_planned) {
      EXPECT_NO_THROW((void)catalog::promise_of(request));
    }
    bool is_admitted = false;
    for (const AlgorithmInfo& info : algorithms_for(request.topology, limit.operation))
      is_admitted |= info.name == limit.algorithm;
    EXPECT_TRUE(is_admitted);
  }
}

TEST(SupportedNetworksLimits, AreNamedBeyond) {
  for (const LimitCase& limit : limits) {
    SCOPED_TRACE(fmt::format("{} {}", limit.algorithm, limit.beyond));
    try {
      (void)prepare(request_of(limit, limit.beyond), false);
      ADD_FAILURE() << "accepted";
    } catch (const InvalidParameter& problem) {
      EXPECT_NE(std::string(problem.what()).find(limit.reason), std::string::npos)
          << problem.what();
    }
  }
}

}  // namespace
}  // namespace lockstep
