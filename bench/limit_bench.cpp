// SPDX-License-Identifier: Apache-2.0

/// The machine against the strong loop (bench/strong_loop.hpp) of the same operation, in one run:
/// CASE/BYTES/WORKERS/KIND. KIND is `strong` or `blocked` for the loop, otherwise a kind of
/// channel. Times are those of the steps, without set-up. Compare with tools/bench_ratio.py.

#include <benchmark/benchmark.h>

#include <chrono>
#include <string>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "strong_loop.hpp"

namespace lockstep {
namespace {

template <class Make>
void loop(benchmark::State& state, std::size_t workers, const Make& make) {
  const auto executor = make_executor(ExecutorKind::tbb, workers);
  for (auto _ : state) {
    auto exchange = make(*executor);
    const auto start = std::chrono::steady_clock::now();
    const bool complete = exchange.run(*executor);
    state.SetIterationTime(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (!complete) state.SkipWithError("not everything was delivered");
  }
}

void machine(benchmark::State& state, const RunRequest& request) {
  for (auto _ : state) {
    const RunResult result = prepare(request)->execute();
    state.SetIterationTime(result.record.wall.step_seconds);
    if (!result.ok()) state.SkipWithError("not complete or not legal");
  }
}

class Case {
 public:
  Case(std::string name, RunRequest request)
      : name_(std::move(name)), request_(std::move(request)) {}

  /// `make(executor)`: the loop.
  template <class Make>
  void add_loop(const std::string& kind, const Make& make) const {
    settled(benchmark::RegisterBenchmark(
        label(kind).c_str(), [workers = request_.workers, make](benchmark::State& state) {
          loop(state, workers, make);
        }));
  }
  void add_machines() const {
    for (const auto& [kind, channel] :
         {std::pair{"row", ChannelKind::row}, std::pair{"slot", ChannelKind::slot},
          std::pair{"spsc", ChannelKind::spsc}}) {
      RunRequest request = request_;
      request.channel = channel;
      settled(benchmark::RegisterBenchmark(label(kind).c_str(), machine, request));
    }
  }

 private:
  static void settled(benchmark::internal::Benchmark* one) {
    one->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(1)->Repetitions(5);
  }
  [[nodiscard]] std::string label(const std::string& kind) const {
    return name_ + "/" + std::to_string(*request_.block_bytes) + "B/" +
           std::to_string(request_.workers) + "/" + kind;
  }

  std::string name_;
  RunRequest request_;
};

template <std::size_t words>
void add(std::size_t workers) {
  const Case star("star:7,k=3", {.topology = "star:7",
                                 .operation = Operation::total_exchange,
                                 .algorithm = "packing",
                                 .settings = {{"k", Numbers{3}}},
                                 .block_bytes = 8 * words,
                                 .workers = workers});
  const Network seven = build_network(StarGraph(7));
  star.add_loop("strong", [seven](Executor& executor) {
    return bench::StrongStarExchange<3, words, false>(7, seven, executor);
  });
  star.add_loop("blocked", [seven](Executor& executor) {
    return bench::StrongStarExchange<3, words, true>(7, seven, executor);
  });
  star.add_machines();

  const Case cube("hypercube:13", {.topology = "hypercube:13",
                                   .operation = Operation::total_exchange,
                                   .algorithm = "node-invariant",
                                   .block_bytes = 8 * words,
                                   .workers = workers});
  const Network thirteen = build_network(Hypercube(13));
  cube.add_loop("strong", [thirteen](Executor& executor) {
    return bench::StrongHypercubeExchange<words>(thirteen, executor);
  });
  cube.add_machines();

  const Case ring("ring:4096", {.topology = "ring:4096",
                                .operation = Operation::all_gather,
                                .algorithm = "ring-by-ring",
                                .block_bytes = 8 * words,
                                .workers = workers});
  const Network circle = build_network(Ring(4096));
  ring.add_loop("strong", [circle](Executor& executor) {
    return bench::StrongRingGather<words>(circle, executor);
  });
  ring.add_machines();

  const Case doubling("hypercube:12", {.topology = "hypercube:12",
                                       .operation = Operation::all_gather,
                                       .algorithm = "recursive-doubling",
                                       .block_bytes = 8 * words,
                                       .workers = workers});
  const Network twelve = build_network(Hypercube(12));
  doubling.add_loop("strong", [twelve](Executor& executor) {
    return bench::StrongHypercubeGather<words>(twelve, executor);
  });
  doubling.add_machines();
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  for (const std::size_t workers : {1U, 2U}) {
    lockstep::add<1>(workers);
    lockstep::add<8>(workers);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
