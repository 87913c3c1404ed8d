// SPDX-License-Identifier: Apache-2.0
/// Wrong programs and requests that once ended with ok, in a crash or never: each is refused or
/// broke a rule, and the reason is given. (Those about memory: unit/machine/memory_rules_test.cpp,
/// about the promise to receive once: unit/machine/broken_promise_test.cpp.)

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "lockstep/catalog/run.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/machine/machine.hpp"
#include "lockstep/machine/receive_once_machine.hpp"
#include "lockstep/machine/spsc_channels.hpp"
#include "lockstep/machine/thread_executor.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/verify/delivery.hpp"
#include "support/flooding_broadcast.hpp"
#include "support/run_options.hpp"

namespace lockstep::test {
namespace {

using testing::HasSubstr;

template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const InvalidParameter& error) {
    return error.what();
  } catch (const ResourceExhausted& error) {
    return error.what();
  }
  return "nothing was refused";
}

/// A binary tree in the order of a heap, by formula: port 0 of all but the root leads to the
/// parent.
struct HeapTree {
  std::uint64_t nodes = 0;
  bool is_wrong = false;  // the root is everybody's parent
  std::uint64_t pretended = 0;
  std::string name() const { return "heap"; }
  std::uint64_t node_count() const { return pretended == 0 ? nodes : pretended; }
  std::size_t max_degree() const { return 3; }
  std::size_t degree(NodeId u) const {
    return (u == NodeId{0} ? 0U : 1U) + (has_children(u) ? 2U : 0U);
  }
  NodeId neighbor(NodeId u, Port p) const {
    if (u == NodeId{0}) return NodeId{1U + index(p)};
    if (p == Port{0}) return is_wrong ? NodeId{0} : NodeId{(index(u) - 1) / 2};
    return NodeId{2 * index(u) + index(p)};
  }
  Port reverse_port(NodeId u, Port p) const {
    if (u == NodeId{0} || p != Port{0}) return Port{0};
    return port((index(u) - 1) % 2 + (index(u) <= 2 ? 0U : 1U));
  }
  std::string label(NodeId u) const { return std::to_string(index(u)); }
  bool has_children(NodeId u) const { return 2 * index(u) + 2 < nodes; }
};

/// Every node tells its children.
struct Down {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::sparse;
  static constexpr Traits traits = Traits::receives_once;
  std::vector<NodeId> starts() const { return {NodeId{0}}; }
  std::vector<std::uint32_t> regions() const { return {1}; }
  void operator()(auto& here) const {
    const bool root = here.node() == NodeId{0};
    if (root && here.step() == 0) here.load(Region{0}, 0, NodeId{0});
    if (const auto arrival = here.take_first()) {
      here.store(arrival, Blocks{});
      here.deliver(Region{0}, 0, NodeId{0});
    }
    for (std::size_t p = root ? 0 : 1; p < here.degree(); ++p) here.send(port(p), Blocks{});
  }
};

constexpr std::uint64_t searched_by_nobody = (std::uint64_t{1} << 21U) - 1;  // levels of 21

TEST(WrongRun, NobodyRunsOnATopologyThatNobodyProved) {
  const RunOptions options = all_port();
  const Collective broadcast{Operation::broadcast};
  const RunReport right = run(HeapTree{searched_by_nobody}, Down{}, broadcast, options);
  EXPECT_TRUE(right.result.ok()) << to_text(right);
  EXPECT_TRUE(right.result.forecast.receive_once);
  for (const std::size_t workers : {1U, 2U, 8U}) {
    RunOptions some = options;
    some.workers = workers;
    EXPECT_THAT(refusal([&] {
                  (void)run(HeapTree{searched_by_nobody, true}, Down{}, broadcast, some);
                }),
                HasSubstr("heap: node 1, port 1: port 0 of node 3 does not lead back"));
  }
}

TEST(WrongRun, MachinesByHandProveTheFormulaThatTheyRunOn) {
  ProvingHost host({.collective = {Operation::broadcast}, .processors = 15});
  const MachineOptions options{.model = port_models::all_port};
  const Down down;
  const HeapTree wrong{15, true};
  const HeapTree cut{31, false, 15};  // children that are not there
  using Slots = Machine<HeapTree, Down, SlotChannels>;
  EXPECT_EQ(refusal([&] { (void)Slots(wrong, down, host, options); }),
            "heap: node 1, port 1: port 0 of node 3 does not lead back");
  EXPECT_EQ(refusal([&] { (void)Slots(cut, down, host, options); }),
            "heap: node 7, port 1: leads outside 0..14");
  using ReceiveOnce = ReceiveOnceMachine<HeapTree, Down>;
  const auto executor = make_executor(ExecutorKind::serial, 1);
  EXPECT_EQ(refusal([&] { (void)ReceiveOnce(wrong, down, host, options).run(*executor); }),
            "heap: node 1, port 1: port 0 of node 3 does not lead back");
  EXPECT_EQ(refusal([&] { (void)ReceiveOnce(cut, down, host, options).run(*executor); }),
            "heap: node 7, port 1: leads outside 0..14");
}

/// Keeps what arrived in step 1, and uses it in step 2, when the neighbour sends nothing.
struct Keeping {
  struct Memory {
    std::shared_ptr<void> kept;
  };
  bool delivers = false;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count;
  static constexpr CompiledChannels compiled_channels = CompiledChannels::every;
  std::vector<std::uint32_t> regions() const { return {2}; }
  std::uint64_t step_count() const { return 3; }
  void operator()(auto& here) const {
    using Arrival = decltype(here.take(Port{0}));
    if (here.step() == 0 && here.node() == NodeId{0}) {
      here.load(Region{0}, 0, NodeId{0});
      here.send(Port{0}, Blocks{});
    }
    if (here.step() == 1 && here.node() == NodeId{1})
      here.memory().kept = std::shared_ptr<void>(new Arrival(here.take(Port{1})),
                                                 [](Arrival* arrival) { delete arrival; });
    if (here.step() != 2 || here.node() != NodeId{1}) return;
    const auto& arrival = *static_cast<const Arrival*>(here.memory().kept.get());
    if (delivers) return here.deliver(arrival, 0, NodeId{0});
    here.store(arrival, Blocks{Region{0}, 1, 1});
  }
};

TEST(WrongRun, AnArrivalIsOfItsStep) {
  for (const ChannelKind channel : {ChannelKind::slot, ChannelKind::spsc})
    for (const std::size_t workers : {1U, 2U, 8U})
      for (const bool delivers : {false, true}) {
        RunOptions options = all_port();
        options.channel = channel;
        options.workers = workers;
        const RunResult result =
            run(Ring{4}, Keeping{delivers}, {Operation::broadcast}, options).result;
        ASSERT_EQ(result.judgement.outcome, Outcome::rule_broken);
        EXPECT_EQ(
            result.judgement.sentence,
            "step 2, node 1, port 1: node took a block that is not in the message, or a message of "
            "another step or node (rule arrival)");
      }
}

/// Sends lists that are others where they are read.
struct Changing {
  using Memory = NoMemory;
  enum class Way : std::uint8_t { longer, elsewhere } way{};
  std::shared_ptr<bool> sent = std::make_shared<bool>(false);
  std::vector<std::uint32_t> slots[3]{{0}, {0, 0}, {1'000'000}};
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count | Traits::gather_list;
  std::vector<std::uint32_t> regions() const { return {2}; }
  std::uint64_t step_count() const { return 1; }
  std::span<const std::uint32_t> gather_list(GatherList) const {
    return slots[!*sent ? 0 : (way == Way::longer ? 1 : 2)];
  }
  void operator()(auto& here) const {
    if (here.step() == 0) here.load(Region{0}, 0, NodeId{0});
    if (here.step() == 0) here.send(Port{0}, Region{0}, GatherList{0});
    if (here.step() == 0 && here.node() == NodeId{3}) *sent = true;
    if (here.last_call()) here.deliver(here.take(Port{1}), 0, NodeId{0});
  }
};

TEST(WrongRun, ListsAreWhatTheyWereWhenTheyWereSent) {
  RunOptions options = all_port();
  options.workers = 1;
  for (const Changing::Way way : {Changing::Way::longer, Changing::Way::elsewhere})
    EXPECT_EQ(refusal([&] { (void)run(Ring{4}, Changing{way}, {Operation::broadcast}, options); }),
              "program: gather_list(0) has changed since the message was sent; hooks must be pure");
}

/// Its number of steps grows whenever somebody asks for it.
struct Counting {
  using Memory = NoMemory;
  std::shared_ptr<std::uint64_t> asked = std::make_shared<std::uint64_t>(0);
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count;
  std::vector<std::uint32_t> regions() const { return {1}; }
  std::uint64_t step_count() const { return ++*asked; }
  void operator()(auto& here) const {
    for (std::size_t p = 0; p < here.degree(); ++p) (void)here.take(port(p));
  }
};

TEST(WrongRun, ChecksAskEveryHookTwice) {
  if constexpr (!heavy_checks) GTEST_SKIP() << "this build asks once";
  RunOptions options = all_port();
  options.workers = 1;
  EXPECT_EQ(refusal([&] { (void)run(Ring{4}, Counting{}, {Operation::broadcast}, options); }),
            "program: step_count() gave two different answers; hooks must be pure");
}

/// With numbers that cannot be.
struct Absurd {
  using Memory = NoMemory;
  std::int64_t steps = 1;
  std::int64_t blocks = 1;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count | Traits::blocks_of;
  std::vector<std::uint32_t> regions() const { return {1}; }
  std::int64_t step_count() const { return steps; }
  std::int64_t blocks_of(NodeId, Region) const { return blocks; }
  void operator()(auto& here) const {
    for (std::size_t p = 0; p < here.degree(); ++p) (void)here.take(port(p));
    if (here.step() == 0) here.load(Region{0}, 0, here.node());
    if (here.last_call()) here.deliver(Region{0}, 0, here.node());
  }
};

TEST(WrongRun, AbsurdNumbersAreRefused) {
  const auto refused = [](const Absurd& program) {
    return refusal([&] { (void)run(Ring{4}, program, {Operation::all_gather}, all_port()); });
  };
  EXPECT_EQ(refused({.steps = -1}), "program: step_count() is -1; allowed: 0..1,099,511,627,776");
  EXPECT_EQ(refused({.blocks = -1}), "program: node 0 has -1 blocks of region 0; allowed: up to 1");
  EXPECT_EQ(refused({.blocks = std::int64_t{1} << 40U}),
            "program: node 0 has 1099511627776 blocks of region 0; allowed: up to 1");
}

/// Delivers its own contribution as the result.
TEST(WrongRun, AReductionCombinesWhatItHasTo) {
  const std::vector<std::uint64_t> values(4, 7);
  RunOptions options = all_port();
  options.input = std::as_bytes(std::span(values));
  options.combine = [](auto, auto, auto) {};
  const RunReport report = run(Ring{4}, Absurd{}, {Operation::all_reduce}, options);
  EXPECT_EQ(report.result.judgement.outcome, Outcome::not_delivered);
  EXPECT_FALSE(report.result.ok());
  EXPECT_THAT(to_text(report),
              HasSubstr("NOT DELIVERED: 0 combinations of two blocks; at least 3 are necessary"));
  EXPECT_THAT(to_text(report), HasSubstr("4 of 4 results; NOT VERIFIED (the user's operator"));
}

TEST(WrongRun, RequestsThatCannotBeAreRefused) {
  const auto flooded = [](const RunOptions& options,
                          const Collective& collective = {Operation::broadcast}) {
    return refusal([&] { (void)run(Ring{8}, FloodingBroadcast{}, collective, options); });
  };
  RunOptions options = all_port();
  options.block_bytes = 0;
  EXPECT_THAT(flooded(options), HasSubstr("bytes: 0 is not valid; expected at least 1"));
  options = all_port();
  options.observers = {nullptr};
  EXPECT_EQ(flooded(options), "observers: null pointer given; expected pointers to observers");
  options = all_port();
  options.executor = static_cast<ExecutorKind>(77);
  EXPECT_EQ(flooded(options), "executor: 77 is not a valid kind");
  options = all_port();
  options.verify = static_cast<VerifyKind>(9);
  EXPECT_EQ(flooded(options), "verify: 9 is not a valid kind");
  EXPECT_EQ(flooded(all_port(), {static_cast<Operation>(99)}),
            "operation: number 99 is not valid; expected 0..12");
  EXPECT_EQ(flooded(all_port(),
                    {Operation::odd_distance_exchange, {}, Pattern::odd_distance(Hypercube{3})}),
            "odd-distance-exchange: the pattern belongs to another network; expected "
            "Pattern::odd_distance(ring:8)");
  const NodeId far{std::uint64_t{1} << 33U};
  EXPECT_EQ(flooded(all_port(), {Operation::multicast, {}, Pattern::pairs({{Origin{0}, far}})}),
            "multicast: destination of block 0: node 8589934592 is not valid; expected a "
            "processor, 0..7");
  EXPECT_THAT(refusal([&] {
                const HeapTree endless{std::uint64_t{1} << 40U};
                (void)run(endless, Down{}, {Operation::broadcast}, all_port());
              }),
              HasSubstr("heap: needs 1.0 TiB of memory; available:"));
}

struct Idle {
  struct Memory {};
  static constexpr auto activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count;

  std::uint64_t step_count() const { return 1; }
  std::vector<std::uint32_t> regions() const { return {1}; }

  void operator()(auto& /*here*/) const {}
};

TEST(WrongRun, NothingToDeliverIsSaid) {
  const RunReport report =
      run(Ring{8}, Idle{}, {Operation::multicast, {}, Pattern::pairs({})}, all_port());
  EXPECT_THAT(to_text(report), HasSubstr("no messages to deliver"));
}

TEST(WrongRun, BlocksThatMemoryCannotCountAreRefused) {
  constexpr std::size_t huge = std::size_t{1} << 61U;
  ProvingHost host({.collective = {Operation::broadcast}, .processors = 8, .block_bytes = huge});
  const Ring ring{8};
  const FloodingBroadcast flooding;
  using Slots = Machine<Ring, FloodingBroadcast, SlotChannels>;
  EXPECT_EQ(refusal([&] { (void)Slots(ring, flooding, host, {.block_bytes = huge}); }),
            "machine: blocks of 2,305,843,009,213,693,952 bytes; allowed: 0..1,099,511,627,776");
}

/// 2^32 + 1, cut to 32 bits, is another port, and another slot.
struct TooLarge {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count;
  std::uint64_t number = 0;
  bool is_port = true;
  std::uint64_t step_count() const { return 2; }
  std::vector<std::uint32_t> regions() const { return {2}; }
  void operator()(auto& here) const {
    if (here.step() != 0) return;
    here.load(Region{0}, is_port ? 0 : number, here.node());
    here.send(port(is_port ? number : 0), Blocks{.region = Region{0}});
  }
};

TEST(WrongRun, ANumberThatIsTooLargeIsNoOther) {
  const std::uint64_t large = (std::uint64_t{1} << 32U) + 1;
  const auto refused = [&](const TooLarge& program) {
    return refusal([&] {
      (void)run(Ring{4}, program, {Operation::all_gather}, {.model = port_models::all_port});
    });
  };
  EXPECT_EQ(refused({.number = large}), "port: 4294967297 is not valid; allowed: 0 to 4294967295");
  EXPECT_EQ(refused({.number = large, .is_port = false}),
            "slot: 4294967297 is not valid; allowed: 0 to 4294967295");
  EXPECT_EQ(refused({.number = 1}), "nothing was refused");
}

TEST(WrongRun, AnExecutorHasOneRunAtATime) {
  ThreadExecutor executor(2);
  std::string refused;
  executor.run([&] {
    const std::jthread other([&] {
      RunOptions options = all_port();
      options.run_on = &executor;
      refused = refusal(
          [&] { (void)run(Ring{8}, FloodingBroadcast{}, {Operation::broadcast}, options); });
    });
  });
  EXPECT_EQ(refused, "thread executor: a run is already in progress");
  EXPECT_NO_THROW(executor.run([] {}));
  EXPECT_EQ(refusal([] { ThreadExecutor(0).run([] {}); }),
            "thread executor: 0 workers; expected at least 1");
}

}  // namespace
}  // namespace lockstep::test
