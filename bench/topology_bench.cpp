// SPDX-License-Identifier: Apache-2.0

/// Neighbours by arithmetic and by table, and the price of making the table.

#include <benchmark/benchmark.h>

#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/star_graph.hpp"

namespace lockstep {
namespace {

template <Topology T>
std::uint64_t sum_of_neighbors(const T& topology, Port through) {
  std::uint64_t sum = 0;
  for (std::uint64_t u = 0; u < topology.node_count(); ++u)
    sum += index(topology.neighbor(NodeId{u}, through));
  return sum;
}

/// Every node is some node's neighbour exactly once.
std::uint64_t expected_sum(std::uint64_t nodes) { return nodes * (nodes - 1) / 2; }

template <Topology T>
void neighbors(benchmark::State& state, const T& topology, Port through) {
  std::uint64_t sum = 0;
  for (auto _ : state) benchmark::DoNotOptimize(sum = sum_of_neighbors(topology, through));
  if (sum != expected_sum(topology.node_count())) state.SkipWithError("not a permutation");
  state.counters["nodes"] = static_cast<double>(topology.node_count());
  state.counters["s/neighbor"] = benchmark::Counter(
      static_cast<double>(topology.node_count()),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void by_arithmetic(benchmark::State& state) {
  neighbors(state, StarGraph(static_cast<std::size_t>(state.range(0))), port(state.range(1)));
}

void by_table(benchmark::State& state) {
  neighbors(state, build_network(StarGraph(static_cast<std::size_t>(state.range(0)))),
            port(state.range(1)));
}

/// 3 + 4 rho in so many dimensions.
void of_eisenstein_jacobi(benchmark::State& state) {
  neighbors(state, EisensteinJacobiNetwork(3, 4, static_cast<std::size_t>(state.range(0))),
            port(state.range(1)));
}

void build(benchmark::State& state) {
  const StarGraph star(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    const Network network = build_network(star);
    if (network.node_count() != star.node_count()) state.SkipWithError("a node is missing");
  }
  state.counters["nodes"] = static_cast<double>(star.node_count());
}

BENCHMARK(by_arithmetic)->Args({8, 6})->Args({9, 7})->Args({10, 8})->Repetitions(10);
BENCHMARK(by_table)->Args({8, 6})->Args({9, 7})->Repetitions(10);
BENCHMARK(of_eisenstein_jacobi)->Args({4, 2})->Args({4, 20})->Repetitions(10);
BENCHMARK(build)->Arg(7)->Arg(8)->Arg(9)->Unit(benchmark::kMillisecond)->Repetitions(10);

}  // namespace
}  // namespace lockstep
