// SPDX-License-Identifier: Apache-2.0

/// One arc and a row of arcs: what a push and a pull of a message descriptor cost in each kind of
/// channel, by the number of nodes (cache-resident or not).

#include <benchmark/benchmark.h>

#include "lockstep/machine/channels.hpp"

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

}  // namespace
}  // namespace lockstep
