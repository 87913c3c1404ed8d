// SPDX-License-Identifier: Apache-2.0

/// Whole collectives through the catalogue, verified: wall time, with what the machine counted as
/// counters. A run that is not complete and legal fails the benchmark.

#include <benchmark/benchmark.h>

#include <string>
#include <utility>

#include "lockstep/catalog/catalog.hpp"

namespace lockstep {
namespace {

void run(benchmark::State& state, const RunRequest& request) {
  RunResult result;
  for (auto _ : state) {
    result = prepare(request)->execute();
    if (!result.ok()) state.SkipWithError("not complete or not legal");
  }
  const RunRecord& record = result.record;
  state.counters["steps"] = static_cast<double>(record.steps);
  state.counters["sends"] = static_cast<double>(record.messages_sent);
  state.counters["bytes"] = static_cast<double>(record.bytes_moved());
  state.counters["nodes"] = static_cast<double>(record.nodes);
  state.counters["workers"] = static_cast<double>(result.forecast.workers);
}

void add(const std::string& name, const RunRequest& request) {
  benchmark::RegisterBenchmark(name.c_str(), run, request)
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(1)
      ->Repetitions(10);
}

RunRequest request(Operation operation, std::string algorithm, std::vector<std::uint64_t> k,
                   std::uint64_t batch, std::size_t workers) {
  RunRequest request{.topology = "star:6", .operation = operation, .algorithm = algorithm};
  if (!k.empty()) request.settings["k"] = std::move(k);
  if (batch != 1) request.settings["batch"] = batch;
  request.block_bytes = 64;
  request.workers = workers;
  return request;
}

/// On a network of 361 processors of degree 12.
RunRequest all_port_exchange(std::string algorithm, std::size_t workers) {
  RunRequest chosen = request(Operation::total_exchange, std::move(algorithm), {}, 1, workers);
  chosen.topology = "ej:2+3^2";
  return chosen;
}

/// 1.9 million processors.
RunRequest broadcast(std::string algorithm, std::size_t workers) {
  return {.topology = "ej:3+4^4",
          .operation = Operation::broadcast,
          .algorithm = std::move(algorithm),
          .block_bytes = 1,
          .workers = workers};
}

/// 4,096 processors.
RunRequest all_reduce(std::size_t workers) {
  return {.topology = "hypercube:12",
          .operation = Operation::all_reduce,
          .algorithm = "recursive-doubling",
          .block_bytes = 64,
          .workers = workers};
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  using namespace lockstep;
  for (const std::size_t workers : {1U, 2U}) {
    const std::string suffix = "/workers:" + std::to_string(workers);
    const auto exchange = Operation::total_exchange;
    const auto gather = Operation::all_gather;
    add("packing/k=1" + suffix, request(exchange, "packing", {1}, 1, workers));
    add("packing/k=3" + suffix, request(exchange, "packing", {3}, 1, workers));
    add("packing/k=4,3,2" + suffix, request(exchange, "packing", {4, 3, 2}, 1, workers));
    add("packing/k=3,batch=6" + suffix, request(exchange, "packing", {3}, 6, workers));
    add("levelwise-exchange" + suffix, request(exchange, "levelwise", {}, 1, workers));
    for (const char* const algorithm : {"edge-colouring", "edge-colouring-half-duplex"})
      add(algorithm + suffix, all_port_exchange(algorithm, workers));
    add("mesh" + suffix, request(gather, "mesh", {}, 1, workers));
    add("hamiltonian-ring" + suffix, request(gather, "hamiltonian-ring", {}, 1, workers));
    add("levelwise-gather" + suffix, request(gather, "levelwise", {}, 1, workers));
    add("all-reduce" + suffix, all_reduce(workers));
    for (const char* const algorithm : {"improved", "iterative"})
      add("ej-broadcast/" + std::string(algorithm) + suffix, broadcast(algorithm, workers));
    for (const std::string algorithm : {"rotated", "two-substep", "greedy-half-duplex"}) {
      RunRequest on_ej = request(gather, algorithm, {}, 1, workers);
      on_ej.topology = "ej:3+4^2";
      add("ej-" + algorithm + suffix, on_ej);
    }
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
