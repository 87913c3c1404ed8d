// SPDX-License-Identifier: Apache-2.0
/// What a machine is told twice, by its host and by its options, has to agree; and a machine runs
/// once, and says what it took.

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "lockstep/core/errors.hpp"
#include "lockstep/machine/machine.hpp"
#include "lockstep/machine/receive_once_machine.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/verify/delivery.hpp"
#include "support/cube_broadcast.hpp"

namespace lockstep::test {
namespace {

constexpr std::uint64_t dimensions = 4;
constexpr std::uint64_t cube_nodes = 16;
const Hypercube cube_of_16(dimensions);
const CubeBroadcast cube_program{.dimensions = dimensions};

using Tabulated = Machine<Hypercube, CubeBroadcast, SlotChannels>;
using Boxed = ReceiveOnceMachine<Hypercube, CubeBroadcast>;

ProvingHost::Parameters broadcast(std::uint64_t processors, std::size_t block_bytes) {
  return {
      .collective = {Operation::broadcast}, .processors = processors, .block_bytes = block_bytes};
}

/// The error of the constructor, for either kind of machine.
template <class MachineType>
std::string refusal(const ProvingHost::Parameters& parameters, std::size_t block_bytes) {
  ProvingHost host(parameters);
  try {
    const MachineType machine(cube_of_16, cube_program, host,
                              {.model = port_models::all_port, .block_bytes = block_bytes});
  } catch (const InvalidParameter& error) {
    return error.what();
  }
  return "";
}

template <class MachineType>
void expect_agreement() {
  EXPECT_EQ(refusal<MachineType>(broadcast(cube_nodes, 8), 64),
            "host: built for blocks of 8 bytes, but the machine uses 64 bytes");
  EXPECT_EQ(refusal<MachineType>(broadcast(cube_nodes, 64), 8),
            "host: built for blocks of 64 bytes, but the machine uses 8 bytes");
  EXPECT_EQ(refusal<MachineType>(broadcast(8, 8), 8),
            "host: built for 8 processors, but the machine has 16");
  EXPECT_EQ(refusal<MachineType>(broadcast(cube_nodes, 8), 8), "");
}

TEST(HostFacts, AgreeWithThoseOfTheMachine) {
  expect_agreement<Tabulated>();
  expect_agreement<Boxed>();
}

/// The machine's block is a part of one, the last one filled up.
TEST(HostFacts, AreOfThePartsThatBlocksAreCutIn) {
  ProvingHost::Parameters parts = broadcast(cube_nodes, 10);
  parts.parts_per_block = 3;
  EXPECT_EQ(refusal<Tabulated>(parts, 4), "");
  EXPECT_EQ(refusal<Tabulated>(parts, 10),
            "host: built for blocks of 4 bytes, but the machine uses 10 bytes");
}

TEST(HostFacts, ACollectiveHasItsRootAmongTheProcessors) {
  EXPECT_THROW(ProvingHost{broadcast(0, 8)}, InvalidParameter);
  ProvingHost::Parameters outside = broadcast(cube_nodes, 8);
  outside.collective.root = NodeId{cube_nodes};
  EXPECT_THROW(ProvingHost{outside}, InvalidParameter);
}

/// Other hosts serve machines of any size.
class AnyHost final : public Host {
 public:
  void load(std::byte* bytes, NodeId, Origin, NodeId) override { *bytes = std::byte{1}; }
  void accept(std::span<const Delivery> batch, DeliveryTally& tally) override {
    tally.delivered += batch.size();
  }
};

template <class MachineType>
void expect_one_run(std::uint64_t bytes) {
  AnyHost host;
  MachineType machine(cube_of_16, cube_program, host,
                      {.model = port_models::all_port, .block_bytes = 3});
  const auto executor = make_executor(default_executor, 2);
  const RunRecord record = machine.run(*executor);
  EXPECT_EQ(record.deliveries.delivered, cube_nodes - 1);
  EXPECT_EQ(record.memory_bytes, bytes);
  EXPECT_GT(record.wall.setup_seconds, 0);
  EXPECT_THROW((void)machine.run(*executor), InvalidParameter);
}

TEST(HostFacts, AMachineRunsOnceAndSaysWhatItTook) {
  const MachineOptions options{.model = port_models::all_port, .block_bytes = 3};
  expect_one_run<Tabulated>(Tabulated::bytes(cube_of_16, cube_program, options));
  expect_one_run<Boxed>(Boxed::bytes(cube_nodes, 3));
}

}  // namespace
}  // namespace lockstep::test
