// SPDX-License-Identifier: Apache-2.0

/// The machine against the bare loop of the same work, in one run:
///   exchange/*   a whole total exchange by packing, verified
///   stepping/*   copies only: one block through one port per step, nothing loaded or delivered
/// Compare medians: tools/bench_ratio.py limit_bench.

#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "algorithm/total_exchange/star_packing.hpp"
#include "bare_loop.hpp"
#include "lockstep/machine/detail/schedule_machines.hpp"
#include "lockstep/topology/build_network.hpp"

namespace lockstep {
namespace {

constexpr std::size_t workers = 2;

/// One block, 2000 steps, the ports in turn.
Schedule stepping(const StarGraph& star) {
  Schedule schedule(star);
  const Region places[2] = {schedule.add_region(1), schedule.add_region(1)};
  for (std::size_t step = 0; step < 2000; ++step)
    schedule.move(port(step % star.max_degree()), {places[step % 2], 0, 1},
                  {places[(step + 1) % 2], 0, 1});
  schedule.close();
  return schedule;
}

struct Case {
  StarGraph star;
  Network network;
  std::shared_ptr<const Schedule> schedule;
  std::size_t block_bytes;
  bool verified;

  [[nodiscard]] ProvingHost host() const {
    return ProvingHost({.collective = {Operation::total_exchange},
                        .processors = network.node_count(),
                        .block_bytes = block_bytes,
                        .verify = verified ? VerifyKind::automatic : VerifyKind::off});
  }
  [[nodiscard]] std::uint64_t expected() const {
    return verified ? Collective{}.deliveries(network.node_count()) : 0;
  }
};

Case exchange_case(std::size_t n, Numbers k, std::size_t block_bytes) {
  const StarGraph star(n);
  return {star, build_network(star),
          std::make_shared<const Schedule>(StarPacking(star, {{"k", std::move(k)}}).schedule()),
          block_bytes, true};
}

Case stepping_case(std::size_t n, std::size_t block_bytes) {
  const StarGraph star(n);
  return {star, build_network(star), std::make_shared<const Schedule>(stepping(star)), block_bytes,
          false};
}

void report(benchmark::State& state, const Case& work, std::uint64_t verified) {
  if (verified != work.expected()) state.SkipWithError("not everything was delivered");
  const double hops = static_cast<double>(work.schedule->step_count() * work.network.node_count());
  state.counters["steps"] = static_cast<double>(work.schedule->step_count());
  state.counters["hops/s"] =
      benchmark::Counter(hops, benchmark::Counter::kIsIterationInvariantRate);
}

void bare(benchmark::State& state, const Case& work) {
  const auto executor = make_executor(ExecutorKind::tbb, workers);
  std::uint64_t verified = 0;
  for (auto _ : state) {
    ProvingHost host = work.host();
    bench::BareLoop loop(work.star, work.network, *work.schedule, host, work.block_bytes);
    verified = loop.run(*executor);
  }
  report(state, work, verified);
}

template <class Chans>
void machine(benchmark::State& state, const Case& work) {
  const auto executor = make_executor(ExecutorKind::tbb, workers);
  std::uint64_t verified = 0;
  for (auto _ : state) {
    ProvingHost host = work.host();
    const GroupedScheduleProgram program(work.star, work.schedule);
    Machine<Network, GroupedScheduleProgram, Chans> machine(work.network, program, host,
                                                            {.block_bytes = work.block_bytes});
    const RunRecord record = machine.run(*executor);
    if (!record.legal()) state.SkipWithError("a rule was broken");
    verified = record.deliveries.verified;
  }
  report(state, work, verified);
}

void add(const std::string& name, const Case& work) {
  const auto settle = [](benchmark::internal::Benchmark* benchmark) {
    benchmark->UseRealTime()->Unit(benchmark::kMillisecond)->Iterations(1)->Repetitions(5);
  };
  settle(benchmark::RegisterBenchmark((name + "/bare").c_str(), bare, work));
  settle(benchmark::RegisterBenchmark((name + "/slot").c_str(), machine<SlotChannels>, work));
  settle(benchmark::RegisterBenchmark((name + "/spsc").c_str(), machine<SpscChannels>, work));
  settle(benchmark::RegisterBenchmark((name + "/mailbox").c_str(), machine<MailboxChannels>, work));
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  using namespace lockstep;
  for (const std::size_t bytes : {8U, 64U}) {
    const std::string suffix = "/" + std::to_string(bytes) + "B";
    add("exchange/star:7,k=3" + suffix, exchange_case(7, {3}, bytes));
    add("exchange/star:7,k=4,3,2" + suffix, exchange_case(7, {4, 3, 2}, bytes));
    add("stepping/star:7" + suffix, stepping_case(7, bytes));
    add("stepping/star:8" + suffix, stepping_case(8, bytes));
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
