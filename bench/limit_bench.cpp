// SPDX-License-Identifier: Apache-2.0

/// The machine against the strong loop (bench/strong_loop.hpp) of the same operation, in one run:
/// CASE/BYTES/WORKERS/KIND. KIND is `strong` or `blocked` for the loop, otherwise a kind of
/// channel. Times are those of the steps, without set-up. Compare with tools/bench_ratio.py. With
/// `--small` in front of the other arguments, the networks are small enough to count instructions
/// (tools/instruction_guard.py).

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "strong_loop.hpp"

namespace lockstep {
namespace {

/// Not inlined, so that instructions can be counted from its beginning to its end.
template <class Exchange>
[[gnu::noinline]] bool run_strong_loop(Exchange& exchange, Executor& executor) {
  return exchange.run(executor);
}

template <class Make>
void loop(benchmark::State& state, std::size_t workers, const Make& make) {
  const auto executor = make_executor(ExecutorKind::tbb, workers);
  for (auto _ : state) {
    auto exchange = make(*executor);
    const auto start = std::chrono::steady_clock::now();
    const bool complete = run_strong_loop(exchange, *executor);
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
  Case(std::string name, RunRequest request, int repetitions)
      : name_(std::move(name)), request_(std::move(request)), repetitions_(repetitions) {}

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
  void settled(benchmark::internal::Benchmark* one) const {
    one->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(1)->Repetitions(repetitions_);
  }
  [[nodiscard]] std::string label(const std::string& kind) const {
    return name_ + "/" + std::to_string(*request_.block_bytes) + "B/" +
           std::to_string(request_.workers) + "/" + kind;
  }

  std::string name_;
  RunRequest request_;
  int repetitions_;
};

struct Sizes {
  std::size_t symbols;     ///< of the star graph
  std::size_t dimensions;  ///< of the cube of the exchange
  std::size_t ring;
  std::size_t gather_dimensions;
  int repetitions;
};
constexpr Sizes usual{7, 13, 4096, 12, 5};
constexpr Sizes small{6, 8, 512, 9, 1};

template <std::size_t words>
void add(const Sizes& sizes, std::size_t workers) {
  const auto add_case = [&sizes, workers](const auto& topology, std::string settings,
                                          RunRequest request, const auto& loop) {
    request.topology = topology.name();
    request.block_bytes = 8 * words;
    request.workers = workers;
    const Case added(topology.name() + std::move(settings), std::move(request), sizes.repetitions);
    loop(added, build_network(topology));
    added.add_machines();
  };
  add_case(StarGraph(sizes.symbols), ",k=3",
           {.operation = Operation::total_exchange,
            .algorithm = "packing",
            .settings = {{"k", Numbers{3}}}},
           [symbols = sizes.symbols](const Case& star, const Network& network) {
             star.add_loop("strong", [symbols, network](Executor& executor) {
               return bench::StrongStarExchange<3, words, false>(symbols, network, executor);
             });
             star.add_loop("blocked", [symbols, network](Executor& executor) {
               return bench::StrongStarExchange<3, words, true>(symbols, network, executor);
             });
           });
  add_case(Hypercube(sizes.dimensions), "",
           {.operation = Operation::total_exchange, .algorithm = "node-invariant"},
           [](const Case& cube, const Network& network) {
             cube.add_loop("strong", [network](Executor& executor) {
               return bench::StrongHypercubeExchange<words>(network, executor);
             });
           });
  add_case(Ring(sizes.ring), "", {.operation = Operation::all_gather, .algorithm = "ring-by-ring"},
           [](const Case& ring, const Network& network) {
             ring.add_loop("strong", [network](Executor& executor) {
               return bench::StrongRingGather<words>(network, executor);
             });
           });
  add_case(Hypercube(sizes.gather_dimensions), "",
           {.operation = Operation::all_gather, .algorithm = "recursive-doubling"},
           [](const Case& cube, const Network& network) {
             cube.add_loop("strong", [network](Executor& executor) {
               return bench::StrongHypercubeGather<words>(network, executor);
             });
           });
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  const bool small = argc > 1 && std::string_view(argv[1]) == "--small";
  for (const std::size_t workers : {1U, 2U}) {
    lockstep::add<1>(small ? lockstep::small : lockstep::usual, workers);
    lockstep::add<8>(small ? lockstep::small : lockstep::usual, workers);
  }
  if (small) {
    argv[1] = argv[0];
    --argc;
    ++argv;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
