// SPDX-License-Identifier: Apache-2.0
/// Broadcasts of the catalogue on the receive-once machine: when it is taken, that
/// it comes to what the others come to, what it is said to need.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"
#include "study/stress.hpp"

namespace lockstep::test {
namespace {

RunRequest broadcast(const std::string& topology, const std::string& algorithm = "improved") {
  return {.topology = topology, .operation = Operation::broadcast, .algorithm = algorithm};
}

RunForecast estimate_of(const RunRequest& request) { return prepare(request, false)->forecast(); }

TEST(ReceiveOnce, IsTakenWhereNothingElseIsAsked) {
  EXPECT_TRUE(estimate_of(broadcast("ej:1+2^2")).receive_once);
  EXPECT_EQ(estimate_of(broadcast("ej:1+2^2")).channel, ChannelKind::mailbox);
  RunRequest request = broadcast("ej:1+2^2");
  request.channel = ChannelKind::mailbox;
  EXPECT_TRUE(estimate_of(request).receive_once);
  request.channel = ChannelKind::automatic;
  request.fault = {.kind = FaultKind::drop};
  EXPECT_FALSE(estimate_of(request).receive_once);
  request.fault = {};
  request.stop_at_violation = false;
  EXPECT_FALSE(estimate_of(request).receive_once);
  for (const ChannelKind channel : {ChannelKind::slot, ChannelKind::spsc}) {
    request = broadcast("ej:1+2^2", "matching");
    request.channel = channel;
    EXPECT_FALSE(estimate_of(request).receive_once);
    EXPECT_EQ(estimate_of(request).channel, channel);
    EXPECT_TRUE(prepare(request)->execute().ok());
  }
  request = broadcast("ej:1+2^11");  // 66 ports, too many for a box
  EXPECT_FALSE(estimate_of(request).receive_once);
  EXPECT_FALSE(
      estimate_of({.topology = "star:4", .operation = Operation::total_exchange}).receive_once);
}

TEST(ReceiveOnce, ComesToWhatEveryMachineComesTo) {
  std::size_t runs = 0;
  for (const std::string topology : {"ej:1+2", "ej:2+2^2", "ej:3+4^2"})
    for (const AlgorithmInfo& info : algorithms_for(topology, Operation::broadcast))
      for (const std::size_t bytes : {std::size_t{1}, std::size_t{20}}) {
        SCOPED_TRACE(topology + " " + std::string(info.name));
        RunRequest request = broadcast(topology, std::string(info.name));
        request.settings["root"] = std::uint64_t{5};
        request.block_bytes = bytes;
        request.keep_series = true;
        request.channel = ChannelKind::slot;
        const RunResult slot = prepare(request)->execute();
        EXPECT_TRUE(slot.ok());
        EXPECT_TRUE(study::predict(request, *prepare(request)).record.same_facts(slot.record));
        request.channel = ChannelKind::automatic;
        for (const std::size_t workers : {1U, 2U, 8U}) {
          request.workers = workers;
          if (!estimate_of(request).receive_once) continue;  // plans in parts
          ++runs;
          const RunResult boxed = prepare(request)->execute();
          EXPECT_TRUE(boxed.ok());
          EXPECT_TRUE(boxed.record.same_facts(slot.record));
        }
      }
  EXPECT_GE(runs, 3U * 6U * 2U * 3U);
}

TEST(ReceiveOnce, HarmedMessagesGoThroughTheOtherMachines) {
  RunRequest request = broadcast("ej:1+2^2");
  for (const FaultKind kind : {FaultKind::drop, FaultKind::corrupt, FaultKind::misroute})
    for (const ChannelKind channel : {ChannelKind::automatic, ChannelKind::slot}) {
      request.channel = channel;
      request.fault = {.kind = kind, .step = 0, .sender = NodeId{0}, .wrong_port = Port{3}};
      const auto run = prepare(request);
      const study::FaultPrediction expected = study::predict(request, *run);
      EXPECT_TRUE(expected.harmful());
      const RunResult result = run->execute();
      EXPECT_TRUE(result.record.same_facts(expected.record));
      EXPECT_EQ(result.missing, expected.missing);
    }
}

TEST(ReceiveOnce, SaysWhatItNeeds) {
  const auto memory = [](const std::string& topology) {
    return estimate_of(broadcast(topology)).memory_bytes;
  };
  EXPECT_LT(memory("ej:3+4^5"), std::uint64_t{120} << 20U);
  EXPECT_GT(memory("ej:3+4^5"), std::uint64_t{100} << 20U);
  EXPECT_LT(memory("ej:3+4^6"), std::uint64_t{4} << 30U);
  EXPECT_GT(memory("ej:3+4^6"), std::uint64_t{7} << 29U);
  EXPECT_GT(memory("ej:3+4^7"), std::uint64_t{130} << 30U);
  RunRequest request = broadcast("ej:3+4^7");
  request.memory_limit = std::uint64_t{64} << 30U;
  try {
    (void)prepare(request);
    ADD_FAILURE() << "not refused";
  } catch (const ResourceExhausted& refused) {
    EXPECT_THAT(refused.what(), testing::HasSubstr("by improved: needs 132.6 GiB of memory; "));
  }
}

/// The blocks are most of the memory of a broadcast to many processors.
TEST(ReceiveOnce, BlocksAreShortWhereProcessorsAreMany) {
  RunRequest request = broadcast("ej:3+4^4");
  EXPECT_EQ(definite_block_bytes(request), 64U);
  EXPECT_EQ(estimate_of(request).block_bytes, 64U);
  request = broadcast("ej:3+4^5");
  EXPECT_EQ(definite_block_bytes(request), 1U);
  EXPECT_EQ(estimate_of(request).block_bytes, 1U);
  request.block_bytes = 64;
  EXPECT_EQ(definite_block_bytes(request), 64U);
  EXPECT_EQ(estimate_of(request).block_bytes, 64U);
  request = {.topology = "hypercube:24"};
  EXPECT_EQ(definite_block_bytes(request), 64U);
  request = {.topology = "hypercube:25"};
  EXPECT_EQ(definite_block_bytes(request), 1U);
}

}  // namespace
}  // namespace lockstep::test
