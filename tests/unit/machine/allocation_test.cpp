// SPDX-License-Identifier: Apache-2.0

// A step allocates nothing: a run of a thousand more steps asks for memory as often as a short one.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <utility>

#include "lockstep/program/grouped_schedule_program.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/detail/permutation_translations.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "lockstep/verify/delivery.hpp"
#include "machine/schedule_machines.hpp"

namespace lockstep {
namespace {

std::atomic<std::uint64_t> allocations{0};

Schedule stepping(const StarGraph& star, std::size_t steps) {
  Schedule schedule(star);
  const Region places[2] = {schedule.add_region(1), schedule.add_region(1)};
  for (std::size_t step = 0; step < steps; ++step)
    schedule.move(port(step % star.max_degree()), {places[step % 2], 0, 1},
                  {places[(step + 1) % 2], 0, 1});
  return schedule;
}

template <class Chans>
std::uint64_t allocations_of_run(ExecutorKind kind, std::size_t steps) {
  const StarGraph star(5);
  const Network network = build_network(star);
  const GroupedScheduleProgram program(star, stepping(star, steps));
  ProvingHost host({.collective = {Operation::total_exchange},
                    .processors = network.node_count(),
                    .verify = VerifyKind::off});
  Machine<Network, GroupedScheduleProgram, Chans> machine(
      network, program, host, {.block_bytes = 8, .processors_per_task = 64});
  const auto executor = make_executor(kind, 2);
  const std::uint64_t before = allocations.load(std::memory_order_relaxed);
  const RunRecord record = machine.run(*executor);
  EXPECT_EQ(record.steps, steps);
  EXPECT_EQ(record.hops, steps * network.node_count());
  return allocations.load(std::memory_order_relaxed) - before;
}

template <class Chans>
class AllocationTest : public testing::Test {};
using AllChannels = testing::Types<SlotChannels, MailboxChannels, SpscChannels>;
TYPED_TEST_SUITE(AllocationTest, AllChannels);

TYPED_TEST(AllocationTest, AStepAllocatesNothing) {
  for (const ExecutorKind kind : {ExecutorKind::serial, ExecutorKind::thread})
    EXPECT_EQ(allocations_of_run<TypeParam>(kind, 1100), allocations_of_run<TypeParam>(kind, 100));
}

}  // namespace
}  // namespace lockstep

// Replaces the global operator for this executable only. Not inlined: the compiler would take the
// halves of a pair for strangers.
[[gnu::noinline]] void* operator new(std::size_t size) {
  lockstep::allocations.fetch_add(
      1, std::memory_order_relaxed);  // a count, read when all workers are idle
  if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
