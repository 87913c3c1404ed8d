// SPDX-License-Identifier: Apache-2.0

/// One arc and a row of arcs: what a push and a pull of a message descriptor cost in each kind of
/// channel, by the number of nodes (cache-resident or not); and a message over a route, by the
/// links that it holds.

#include <benchmark/benchmark.h>

#include "lockstep/machine/detail/channels.hpp"

namespace lockstep {
namespace {

template <class Chans>
void push_and_pull(benchmark::State& state) {
  const auto nodes = static_cast<std::uint64_t>(state.range(0));
  Chans channels(ArcLayout{nodes, 4});
  const Message message = Message::of(PackedBlocks({Region{1}, 2, 3}));
  std::uint64_t step = 0;
  std::uint64_t lost = 0;
  for (auto _ : state) {
    channels.begin_step(step);
    auto sender = channels.sender(step);
    for (std::uint64_t u = 0; u < nodes; ++u)
      lost +=
          static_cast<std::uint64_t>(sender.push(NodeId{u}, Port{2}, message) != Pushed::accepted);
    auto receiver = channels.receiver(step);
    for (std::uint64_t u = 0; u < nodes; ++u)
      lost += static_cast<std::uint64_t>(receiver.pull(NodeId{u}, Port{2}) != message);
    ++step;
  }
  if (lost != 0) state.SkipWithError("a message was lost");
  state.counters["bytes/arc"] =
      static_cast<double>(Chans::bytes({nodes, 4})) / static_cast<double>(4 * nodes);
  state.counters["messages/s"] =
      benchmark::Counter(static_cast<double>(nodes), benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK_TEMPLATE(push_and_pull, SlotChannels)->Arg(1)->Arg(5040)->Arg(362880)->Repetitions(10);
BENCHMARK_TEMPLATE(push_and_pull, MailboxChannels)->Arg(1)->Arg(5040)->Arg(362880)->Repetitions(10);
BENCHMARK_TEMPLATE(push_and_pull, SpscChannels)->Arg(1)->Arg(5040)->Arg(362880)->Repetitions(10);

/// Every `links`-th node of a ring of 5,040 sends over so many links, all disjoint.
void take_a_route(benchmark::State& state) {
  constexpr std::uint64_t nodes = 5'040;
  const auto links = static_cast<std::uint64_t>(state.range(0));
  WormholeChannels channels(ArcLayout{nodes, 2});
  const Message message = Message::of(PackedBlocks({Region{1}, 2, 3}));
  std::uint64_t step = 0;
  std::uint64_t lost = 0;
  for (auto _ : state) {
    channels.begin_step(step);
    auto sender = channels.sender(step);
    auto receiver = channels.receiver(step);
    for (std::uint64_t u = 0; u < nodes; u += links) {
      MessageName mine{NodeId{u}, Port{0}};
      MessageName before;
      lost += static_cast<std::uint64_t>(sender.leave(mine.sender, mine.port, message, 0) !=
                                         Pushed::accepted);
      for (std::uint64_t at = u + 1; at <= u + links; ++at) {
        mine.arrives = at == u + links;
        lost += static_cast<std::uint64_t>(
            sender.finds_held(NodeId{at % nodes}, Port{1}, mine, before));
      }
    }
    for (std::uint64_t u = 0; u < nodes; u += links)
      lost += static_cast<std::uint64_t>(receiver.pull(NodeId{u}, Port{1}) != message);
    ++step;
  }
  if (lost != 0) state.SkipWithError("a message was lost, or a link held twice");
  state.counters["bytes/arc"] =
      static_cast<double>(WormholeChannels::bytes({nodes, 2})) / (2 * nodes);
  state.counters["messages/s"] = benchmark::Counter(static_cast<double>(nodes / links),
                                                    benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK(take_a_route)->Arg(1)->Arg(2)->Arg(8)->Arg(60)->Repetitions(10);

}  // namespace
}  // namespace lockstep
