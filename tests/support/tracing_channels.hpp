// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Slot channels that write down what is pushed into them: the trace of sends of the real machine,
/// without a hook in it. One traced run at a time.
///
///     TracingChannels::start();
///     Machine<Network, P, TracingChannels> machine(...);
///     const RunRecord record = machine.run(*executor);
///     const SendTrace trace = TracingChannels::trace(network);

#include <algorithm>
#include <mutex>
#include <string_view>

#include "lockstep/machine/channel.hpp"
#include "lockstep/machine/detail/channels.hpp"
#include "lockstep/machine/send_event.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep::test {

class TracingChannels : public SlotChannels {
 public:
  static constexpr std::string_view name = "tracing";
  using SlotChannels::SlotChannels;

  class Sender : public SlotChannels::Sender {
   public:
    Sender(SlotChannels::Sender sender, std::uint64_t step)
        : SlotChannels::Sender(sender), step_(step) {}

    [[nodiscard]] Pushed push(NodeId node, Port port, Message message) const {
      {
        const std::scoped_lock lock(mutex);
        events.push_back({step_, {}, {}, node, port, message.blocks()});
      }
      return SlotChannels::Sender::push(node, port, message);
    }

   private:
    std::uint64_t step_;
  };

  [[nodiscard]] Sender sender(std::uint64_t step) noexcept {
    return {SlotChannels::sender(step), step};
  }

  static void start() { events.clear(); }

  /// In one order, whatever the schedule was. A channel knows its receiver: the network says who is
  /// at the other end.
  template <Topology T>
  [[nodiscard]] static SendTrace trace(const T& network) {
    SendTrace all = events;
    for (SendEvent& event : all) {
      event.sender = network.neighbor(event.receiver, event.receiver_port);
      event.port = network.reverse_port(event.receiver, event.receiver_port);
    }
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  inline static std::mutex mutex;
  inline static SendTrace events;
};

static_assert(Channels<TracingChannels>);

}  // namespace lockstep::test
