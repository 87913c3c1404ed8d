// SPDX-License-Identifier: Apache-2.0

/// The price of watching what is in flight (Rule::in_flight): programs that decide for every node
/// by itself, one block of 8 bytes per message and long messages, with and without. Schedules are
/// watched once for all nodes: limit_bench. Argument: watched or not.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "lockstep/machine/machine.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/verify/delivery.hpp"

namespace lockstep {
namespace {

constexpr Region room{0};

/// All-gather on a ring: what came in is stored, delivered and passed on.
struct RingGather {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count;
  std::uint64_t nodes;
  [[nodiscard]] std::vector<std::uint32_t> regions() const {
    return {static_cast<std::uint32_t>(nodes)};
  }
  [[nodiscard]] std::uint64_t step_count() const { return nodes - 1; }
  void operator()(auto& here) const {
    const auto slot = static_cast<std::uint32_t>(here.step());
    if (slot == 0) {
      here.load(room, 0, here.node());
    } else {
      here.store(here.take(Port{1}), Blocks{room, slot, 1});
      here.deliver(room, slot, NodeId{(index(here.node()) + nodes - slot) % nodes});
    }
    if (!here.last_call()) here.send(Port{0}, Blocks{room, slot, 1});
  }
};

/// All-gather on a hypercube by recursive doubling: few messages, long ones.
struct Doubling {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count;
  std::uint32_t dimensions;
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1U << dimensions}; }
  [[nodiscard]] std::uint64_t step_count() const { return dimensions; }
  void operator()(auto& here) const {
    const auto own = static_cast<std::uint32_t>(index(here.node()));
    const auto step = static_cast<std::uint32_t>(here.step());
    if (step == 0) {
      here.load(room, own, here.node());
    } else {
      const std::uint32_t count = 1U << (step - 1);
      const Blocks others{room, (own ^ count) & ~(count - 1), count};
      here.store(here.take(port(step - 1)), others);
      for (std::uint32_t i = 0; i < count; ++i)
        here.deliver(room, others.first + i, NodeId{others.first + i});
    }
    if (!here.last_call()) here.send(port(step), {room, own & ~((1U << step) - 1), 1U << step});
  }
};

/// Broadcast: who hears the block for the first time tells all neighbours.
struct Flooding {
  struct Memory {
    bool informed = false;
  };
  static constexpr Activity activity = Activity::sparse;
  [[nodiscard]] static std::vector<NodeId> starts() { return {NodeId{0}}; }
  [[nodiscard]] static std::vector<std::uint32_t> regions() { return {1}; }
  void operator()(auto& here) const {
    bool news = here.step() == 0;
    if (news) here.load(room, 0, NodeId{0});
    while (const auto arrival = here.take_first()) {
      if (here.memory().informed || news) continue;
      here.store(arrival, Blocks{});
      here.deliver(room, 0, NodeId{0});
      news = true;
    }
    here.memory().informed = here.memory().informed || news;
    for (std::size_t p = 0; news && p < here.degree(); ++p) here.send(port(p), Blocks{});
  }
};

template <class Prog>
void watched(benchmark::State& state, const Network& network, const Prog& program,
             Operation operation) {
  const auto executor = make_executor(ExecutorKind::serial, 1);
  for (auto _ : state) {
    state.PauseTiming();
    ProvingHost host({.collective = {operation}, .processors = network.node_count()});
    Machine<Network, Prog, SlotChannels> machine(
        network, program, host,
        {.model = port_models::all_port, .watch_in_flight = state.range(0) != 0});
    state.ResumeTiming();
    const RunRecord record = machine.run(*executor);
    if (!host.judge(record.deliveries).complete()) state.SkipWithError("not delivered");
    state.counters["hops"] = static_cast<double>(record.hops);
  }
}

void ring_all_gather(benchmark::State& state) {
  watched(state, build_network(Ring(2'000)), RingGather{2'000}, Operation::all_gather);
}
void recursive_doubling(benchmark::State& state) {
  watched(state, build_network(Hypercube(11)), Doubling{11}, Operation::all_gather);
}
void flooding(benchmark::State& state) {
  watched(state, build_network(Hypercube(16)), Flooding{}, Operation::broadcast);
}

void arguments(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->Repetitions(9);
  benchmark->ReportAggregatesOnly();
}

BENCHMARK(ring_all_gather)->Apply(arguments);
BENCHMARK(recursive_doubling)->Apply(arguments);
BENCHMARK(flooding)->Apply(arguments);

}  // namespace
}  // namespace lockstep
