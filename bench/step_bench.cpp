// SPDX-License-Identifier: Apache-2.0

/// The price of a step: nothing moves, so that all that is left is the loop over processors and the
/// barrier. Arguments: nodes of a ring, workers, processors per task (0: the default).

#include <benchmark/benchmark.h>

#include "lockstep/machine/machine.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/verify/delivery.hpp"

namespace lockstep {
namespace {

constexpr std::uint64_t steps = 20'000;

/// Every processor runs, and does nothing.
struct IdleProgram {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count;
  [[nodiscard]] static std::vector<std::uint32_t> regions() { return {}; }
  [[nodiscard]] std::uint64_t step_count() const { return steps; }
  template <class StepView>
  void operator()(StepView&) const {}
};

void empty_step(benchmark::State& state, ExecutorKind kind) {
  const Ring ring(static_cast<std::uint64_t>(state.range(0)));
  const auto executor = make_executor(kind, static_cast<std::size_t>(state.range(1)));
  ProvingHost host({.collective = {Operation::total_exchange},
                    .processors = ring.node_count(),
                    .verify = VerifyKind::off});
  const IdleProgram program;
  for (auto _ : state) {
    Machine<Ring, IdleProgram, SlotChannels> machine(
        ring, program, host,
        {.block_bytes = 8, .processors_per_task = static_cast<std::uint64_t>(state.range(2))});
    const RunRecord record = machine.run(*executor);
    if (record.steps != steps || record.hops != 0) state.SkipWithError("the step was not empty");
  }
  state.counters["steps"] = static_cast<double>(steps);
  state.counters["nodes"] = static_cast<double>(state.range(0));
  state.counters["workers"] = static_cast<double>(state.range(1));
  state.counters["s/step"] =
      benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsIterationInvariantRate |
                                                         benchmark::Counter::kInvert);
}

void arguments(benchmark::internal::Benchmark* benchmark) {
  for (const std::int64_t workers : {1, 2, 16})
    for (const std::int64_t per_task : {0, 8}) benchmark->Args({120, workers, per_task});
  benchmark->Args({5040, 1, 0})->Args({5040, 2, 0})->Args({5040, 16, 0});
  benchmark->UseRealTime()->Unit(benchmark::kMillisecond)->Repetitions(10);
}

BENCHMARK_CAPTURE(empty_step, tbb, ExecutorKind::tbb)->Apply(arguments);
BENCHMARK_CAPTURE(empty_step, thread, ExecutorKind::thread)->Apply(arguments);
BENCHMARK_CAPTURE(empty_step, serial, ExecutorKind::serial)
    ->Args({120, 1, 0})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond)
    ->Repetitions(10);

}  // namespace
}  // namespace lockstep
