// SPDX-License-Identifier: Apache-2.0

/// Every algorithm on small networks with switches, drawn at random: switches without processors
/// behind them, in rows, and more of them than processors. Each run delivers everything, and costs
/// what its plan or its formula says.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "lockstep/catalog/catalog.hpp"

namespace lockstep::test {
namespace {

/// Node i is connected to a node before it, and some pairs are connected beside that. The first
/// nodes are processors.
[[nodiscard]] AnyTopology drawn_network(std::uint32_t seed) {
  std::mt19937 random{seed};
  const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random()) % end; };
  const std::uint32_t processors = 1 + seed % 5;
  const std::uint32_t nodes = processors + 1 + below(4);
  const std::string path = testing::TempDir() + "switched_" + std::to_string(getpid()) + "_" +
                           std::to_string(seed) + ".txt";
  {
    std::ofstream file(path);
    const auto name = [&](std::uint32_t u) {
      return (u < processors ? "p" : "s") + std::to_string(u);
    };
    file << "# switches";
    for (std::uint32_t u = processors; u < nodes; ++u) file << ' ' << name(u);
    file << '\n';
    for (std::uint32_t u = 1; u < nodes; ++u) {
      const std::uint32_t parent = below(u);
      file << name(parent) << ' ' << name(u) << '\n';
      if (const std::uint32_t other = below(u); other != parent && below(3) == 0)
        file << name(other) << ' ' << name(u) << '\n';
    }
  }
  AnyTopology network("file:" + path);
  std::filesystem::remove(path);
  return network;
}

class SwitchedNetworksLaws : public testing::TestWithParam<std::uint32_t> {};

TEST_P(SwitchedNetworksLaws, EveryAlgorithmDeliversAtItsCost) {
  const AnyTopology network = drawn_network(GetParam());
  std::uint64_t runs = 0;
  for (const OperationInfo& operation : operation_catalog())
    for (const AlgorithmInfo& info : algorithms_for(network, operation.operation)) {
      SCOPED_TRACE(network.name() + " " + std::string(name_of(operation.operation)) + " " +
                   std::string(info.name));
      const RunResult result = prepare({.topology = network,
                                        .operation = operation.operation,
                                        .algorithm = std::string(info.name),
                                        .executor = ExecutorKind::serial})
                                   ->execute();
      EXPECT_TRUE(result.ok()) << result.judgement.sentence;
      ++runs;
    }
  EXPECT_GT(runs, 50U);
}

INSTANTIATE_TEST_SUITE_P(Drawn, SwitchedNetworksLaws, testing::Range(0U, 40U));

}  // namespace
}  // namespace lockstep::test
