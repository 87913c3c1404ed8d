// SPDX-License-Identifier: Apache-2.0
/// Blocks are combined by the host's operation, on every machine to the same: whole messages and
/// lists, in place and not, with labels and without, in groups, and whatever goes wrong with the
/// message. (That results are right: property/reduction_laws_test.cpp.)

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "algorithm/cube_reductions.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/machine/machine.hpp"
#include "lockstep/program/grouped_schedule_program.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/ring.hpp"
#include "support/affine_host.hpp"
#include "support/jobs.hpp"
#include "support/one_by_one.hpp"
#include "support/outcome_checks.hpp"
#include "support/ring_ports.hpp"

namespace lockstep::test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr Region memory_region{0};

/// The uses of three blocks that arrive.
enum class Way : std::uint8_t { in_place, elsewhere, listed, twice, ill_sized };
constexpr Way ways[] = {Way::in_place, Way::elsewhere, Way::listed, Way::twice, Way::ill_sized};

/// On a ring: every node sends three blocks to the right, combines what comes with its own, sends
/// that on and combines again. What was sent in one step lies elsewhere than what is written in the
/// next.
template <bool with_labels>
struct Combining {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits =
      Traits::step_count | Traits::gather_list | (with_labels ? Traits::labels : Traits::none);
  Way way{};
  bool gathered = false;  // the first message is a list
  Operands order{};

  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {12}; }
  [[nodiscard]] std::uint64_t step_count() const { return 2; }
  [[nodiscard]] std::span<const std::uint32_t> gather_list(GatherList) const {
    static constexpr std::uint32_t slots[] = {2, 0, 1};
    return slots;
  }
  void operator()(auto& here) const {
    if (here.step() == 0) {
      for (std::uint32_t slot = 0; slot < 6; ++slot) here.load(memory_region, slot, here.node());
      if constexpr (with_labels)
        for (std::uint32_t slot = 0; slot < 12; ++slot)
          here.set_word(memory_region, slot, 100 * index(here.node()) + slot);
      if (gathered) return here.send(right, memory_region, GatherList{0});
      return here.send(right, Blocks{memory_region, 0, 3});
    }
    const Blocks result{memory_region, way == Way::elsewhere ? 6U : 3U, 3};
    if (here.step() == 1) {
      take(here, {memory_region, 3, 3}, result);
      return here.send(right, result);
    }
    take(here, {memory_region, 0, 3}, Blocks{memory_region, 9, 3});
    here.combine(result, Blocks{memory_region, 9, 3}, Blocks{memory_region, 0, 3});
    for (std::uint32_t slot = 0; slot < 12; ++slot) {
      std::uint64_t name = slot % 8;
      if constexpr (with_labels) name = here.word(memory_region, slot) % 1'000;
      here.deliver(memory_region, slot, Origin{name});
    }
  }

 private:
  void take(auto& here, Blocks own, Blocks into) const {
    static constexpr std::uint32_t slots[] = {5, 3, 4};
    const auto arrival = here.take(left);
    if (way == Way::listed && here.step() == 1)
      here.combine(arrival, memory_region, std::span<const std::uint32_t>(slots), order);
    else if (way == Way::ill_sized)
      here.combine(arrival, Blocks{memory_region, into.first, 2}, order);
    else
      here.combine(arrival, own, into, order);
    if (way == Way::twice) here.combine(arrival, into, order);
  }
};

template <bool with_labels>
void expect_same_everywhere(Job job) {
  const Network ring = build_network(Ring(8));
  job.collective = {Operation::all_reduce};
  for (const Way way : ways)
    for (const bool gathered : {false, true})
      for (const Operands order : {Operands::own_first, Operands::arrived_first}) {
        SCOPED_TRACE(testing::Message() << "way " << static_cast<int>(way) << ", gathered "
                                        << gathered << ", order " << static_cast<int>(order));
        const Combining<with_labels> program{way, gathered, order};
        expect_reference_outcome(ring, program, job, {ChannelKind::slot, ChannelKind::mailbox});
      }
}

TEST(Combine, IsTheSameOnEveryMachine) {
  expect_same_everywhere<false>({.block_bytes = 8});
  expect_same_everywhere<false>({.block_bytes = 13});
  expect_same_everywhere<false>({.block_bytes = 1});
}

TEST(Combine, LeavesLabelsAsTheyAre) { expect_same_everywhere<true>({.block_bytes = 12}); }

TEST(Combine, TakesFaultsAsStoreDoes) {
  for (const FaultKind kind :
       {FaultKind::drop, FaultKind::corrupt, FaultKind::misroute, FaultKind::duplicate})
    for (const std::uint64_t step : {0U, 1U}) {
      Job job{.model = port_models::all_port, .stop_at_violation = false};
      job.fault = {
          .kind = kind, .step = step, .sender = NodeId{5}, .wrong_port = left, .corrupt_byte = 3};
      SCOPED_TRACE(testing::Message() << name_of(kind) << " in step " << step);
      expect_same_everywhere<false>(job);
    }
}

TEST(Combine, OfAMissingOrIllSizedMessageIsPoisonAndCounted) {
  const Network ring = build_network(Ring(8));
  const Job job{.collective = {Operation::all_reduce}};
  EXPECT_EQ(run(ring, Combining<false>{Way::ill_sized}, job).record.stores_without_message, 16U);
  EXPECT_EQ(run(ring, Combining<false>{Way::in_place}, job).record.stores_without_message, 0U);
}

/// A region of so many own blocks.
Region loaded_region(Schedule& schedule, std::uint32_t slots, Elements me) {
  const Region blocks = schedule.add_region(slots);
  for (std::uint32_t slot = 0; slot < slots; ++slot) schedule.load({blocks, slot, 1}, me, me);
  return blocks;
}

/// The outcome of an all-reduce by groups, which is that of the reference machine and of nodes one
/// by one.
RunOutcome same_in_groups(const Ring& ring, Schedule schedule) {
  const GroupedScheduleProgram program(ring, std::move(schedule));
  const Job job{.collective = {Operation::all_reduce}};
  const Network network = build_network(ring);
  expect_reference_outcome(network, program, job, every_channel);
  const RunOutcome outcome = run(network, program, job);
  expect_same(run(network, OneByOne(program), job), outcome);
  return outcome;
}

/// Neither whole nor in parts that the group's loop takes for usual.
TEST(Combine, InGroupsIsWhatEachWouldDo) {
  const Ring ring(64);
  Schedule schedule(ring);
  const Elements me = schedule.add_elements(std::vector<NodeId>{NodeId{0}});
  const Elements two = schedule.add_elements(std::vector<NodeId>{NodeId{0}, NodeId{3}});
  const Region blocks = loaded_region(schedule, 8, me);
  const GatherList list = schedule.add_list(std::vector<std::uint32_t>{3, 2});
  schedule.send(right, {blocks, 0, 2});
  schedule.next_step();
  schedule.take_combine(right, {blocks, 2, 2});
  schedule.send(right, {blocks, 2, 2});
  schedule.next_step();
  schedule.take_combine(right, {blocks, 4, 2});
  schedule.send(right, blocks, list);
  schedule.next_step();
  schedule.combine({blocks, 4, 2}, {blocks, 6, 2}, {blocks, 0, 2});
  schedule.take_combine(right, blocks, schedule.add_list(std::vector<std::uint32_t>{7, 5}));
  schedule.send(right, {blocks, 0, 2});
  schedule.next_step();
  schedule.take_combine(right, {blocks, 4, 3});  // one more than comes
  schedule.deliver({blocks, 0, 2}, two);
  schedule.deliver({blocks, 2, 2}, two);
  schedule.deliver({blocks, 4, 2}, two);
  schedule.deliver({blocks, 6, 2}, two);
  EXPECT_EQ(same_in_groups(ring, std::move(schedule)).record.stores_without_message, 64U);
}

/// Stored, combined and delivered whole, and where fewer blocks than the list has are expected.
TEST(Combine, GatheredMessagesInGroupsAreWhatEachWouldTake) {
  const Ring ring(64);
  Schedule schedule(ring);
  const Elements me = schedule.add_elements(std::vector<NodeId>{NodeId{0}});
  const Elements two = schedule.add_elements(std::vector<NodeId>{NodeId{63}, NodeId{3}});
  const Region blocks = loaded_region(schedule, 8, me);
  const auto send_two = [&](std::uint32_t first, std::uint32_t second) {
    schedule.send(right, blocks, schedule.add_list(std::vector{first, second}));
    schedule.next_step();
  };
  send_two(3, 1);
  schedule.take_store(right, {blocks, 4, 2});
  send_two(0, 5);
  schedule.take_combine(right, {blocks, 2, 2});
  send_two(3, 2);
  schedule.take_deliver(right, two);
  send_two(6, 4);
  schedule.take_store(right, {blocks, 0, 1});
  send_two(2, 7);
  schedule.take_combine(right, {blocks, 5, 1});
  send_two(5, 0);
  schedule.take_deliver(right, me);
  EXPECT_EQ(same_in_groups(ring, std::move(schedule)).record.stores_without_message, 128U);
}

TEST(Combine, GatheredBlocksInGroupsAreThoseOfTheList) {
  const Ring ring(3);
  Schedule schedule(ring);
  const Elements me = schedule.add_elements(std::vector<NodeId>{NodeId{0}});
  const Region blocks = loaded_region(schedule, 7, me);
  schedule.send(right, blocks, schedule.add_list(std::vector<std::uint32_t>{1, 0}));
  schedule.next_step();
  schedule.take_combine(right, {blocks, 3, 2});  // the sum of two processors in slots 3 and 4
  schedule.send(right, blocks, schedule.add_list(std::vector<std::uint32_t>{4, 1}));
  schedule.next_step();
  schedule.take_combine(right, {blocks, 5, 2});  // the sum of all in slot 5 alone
  schedule.deliver({blocks, 5, 1}, me);
  const RunOutcome outcome = same_in_groups(ring, std::move(schedule));
  EXPECT_TRUE(outcome.verdict.complete());
  EXPECT_EQ(outcome.record.deliveries.corrupted, 0U);
}

/// One that does not commute, by many workers: a scan keeps the order of the processors.
TEST(Combine, IsByTheOperationOfTheUsersHost) {
  const Hypercube cube(6);
  const CubeScan::Program program = CubeScan(cube).program();
  const Network network = build_network(cube);
  for (const ExecutorKind executor : executor_kinds)
    for (const std::uint64_t block : {1U, 7U}) {
      AffineHost host({Operation::scan}, 64);
      Machine<Network, CubeScan::Program, SlotChannels> machine(
          network, program, host, {.block_bytes = AffineHost::bytes, .processors_per_task = block});
      EXPECT_TRUE(machine.run(*make_executor(executor, 3)).legal());
      EXPECT_EQ(host.right(), 64U);
    }
}

/// A host that only fills and forgets.
class Plain final : public Host {
 public:
  void load(std::byte* bytes, NodeId, Origin, NodeId) override { bytes[0] = std::byte{1}; }
  void accept(std::span<const Delivery> batch, DeliveryTally& tally) override {
    tally.delivered += batch.size();
  }
};

TEST(Combine, NeedsAHostThatHasAnOperation) {
  const Network ring = build_network(Ring(8));
  Plain host;
  const Combining<false> program{};
  Machine<Network, Combining<false>, SlotChannels> machine(ring, program, host, {});
  EXPECT_THAT([&] { (void)machine.run(*make_executor(ExecutorKind::serial, 1)); },
              ThrowsMessage<InvalidParameter>(HasSubstr("the host has no operator")));
}

}  // namespace
}  // namespace lockstep::test
