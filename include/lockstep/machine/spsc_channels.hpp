// SPDX-License-Identifier: Apache-2.0
#pragma once

/// `spsc` channels: a boost::lockfree::spsc_queue of descriptors per arc and step parity; the
/// reference.

#include <boost/lockfree/spsc_queue.hpp>
#include <cstdint>
#include <memory>
#include <string_view>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/channel.hpp"
#include "lockstep/machine/message.hpp"

namespace lockstep {

class SpscChannels {
  // Capacity: one message per arc and step, for every network built so far.
  using Queue = boost::lockfree::spsc_queue<Message, boost::lockfree::capacity<1>>;

 public:
  static constexpr std::string_view name = "spsc";

  explicit SpscChannels(ChannelShape shape)
      : shape_(shape),
        queues_{std::make_unique<Queue[]>(shape.nodes * shape.ports),
                std::make_unique<Queue[]>(shape.nodes * shape.ports)} {}

  [[nodiscard]] static std::uint64_t bytes(ChannelShape shape) noexcept {
    return 2 * shape.nodes * shape.ports * sizeof(Queue);
  }

  void begin_step(std::uint64_t) noexcept {}

  class Sender {
   public:
    Sender(Queue* queues, ChannelShape shape) : queues_(queues), shape_(shape) {}
    [[nodiscard]] Pushed push(NodeId node, Port port, Message message) const noexcept {
      return queues_[index(port) * shape_.nodes + index(node)].push(message) ? Pushed::accepted
                                                                             : Pushed::full;
    }

   private:
    Queue* queues_;
    ChannelShape shape_;
  };

  class Receiver {
   public:
    Receiver(Queue* queues, ChannelShape shape) : queues_(queues), shape_(shape) {}
    [[nodiscard]] Message pull(NodeId node, Port port) const noexcept {
      Message message;
      (void)queues_[index(port) * shape_.nodes + index(node)].pop(message);  // empty: none
      return message;
    }

   private:
    Queue* queues_;
    ChannelShape shape_;
  };

  [[nodiscard]] Sender sender(std::uint64_t step) noexcept {
    return {queues_[step % 2].get(), shape_};
  }
  [[nodiscard]] Receiver receiver(std::uint64_t step) noexcept {
    return {queues_[step % 2].get(), shape_};
  }

 private:
  ChannelShape shape_;
  std::unique_ptr<Queue[]> queues_[2];  // [port][node], by step parity
};

static_assert(Channels<SpscChannels>);

}  // namespace lockstep
