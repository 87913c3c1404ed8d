// SPDX-License-Identifier: Apache-2.0
#pragma once

/// `spsc` channels. A program that is compiled for them (CompiledChannels) includes this file; the
/// others do not read Boost.Lockfree.

#include <boost/lockfree/spsc_queue.hpp>
#include <cstdint>
#include <memory>
#include <string_view>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/channel.hpp"
#include "lockstep/machine/detail/channels.hpp"
#include "lockstep/machine/detail/message.hpp"

namespace lockstep {

/// `spsc` channels: a boost::lockfree::spsc_queue of descriptors per arc and step parity; the
/// reference.
class SpscChannels {
  // A lane carries one message in a step.
  using Queue = boost::lockfree::spsc_queue<Message, boost::lockfree::capacity<1>>;

 public:
  static constexpr std::string_view name = "spsc";

  explicit SpscChannels(const ArcLayout& arcs)
      : arcs_(arcs),
        queues_{std::make_unique<Queue[]>(arcs.size()), std::make_unique<Queue[]>(arcs.size())} {}

  [[nodiscard]] static std::uint64_t bytes(const ArcLayout& arcs) noexcept {
    return 2 * arcs.size() * sizeof(Queue);
  }

  void begin_step(std::uint64_t) noexcept {}

  class Sender {
   public:
    Sender(Queue* queues, const ArcLayout& arcs) : queues_(queues), arcs_(arcs) {}
    [[nodiscard]] Pushed push(NodeId node, Port port, Message message) const noexcept {
      return queues_[arcs_.index(node, port)].push(message) ? Pushed::accepted : Pushed::full;
    }

    /// As SlotChannels'.
    [[gnu::always_inline]] void assume_rectangle() const noexcept { arcs_.assume_rectangle(); }

   private:
    Queue* queues_;
    ArcLayout arcs_;
  };

  class Receiver {
   public:
    Receiver(Queue* queues, const ArcLayout& arcs) : queues_(queues), arcs_(arcs) {}
    [[nodiscard]] Message pull(NodeId node, Port port) const noexcept {
      Message message;
      (void)queues_[arcs_.index(node, port)].pop(message);  // empty: none
      return message;
    }
    /// Whether pull() would find one, which stays. By one thread between passes.
    [[nodiscard]] bool holds(NodeId node, Port port) const noexcept {
      return queues_[arcs_.index(node, port)].read_available() != 0;
    }

    /// As SlotChannels'.
    [[gnu::always_inline]] void assume_rectangle() const noexcept { arcs_.assume_rectangle(); }

   private:
    Queue* queues_;
    ArcLayout arcs_;
  };

  [[nodiscard]] Sender sender(std::uint64_t step) noexcept {
    return {queues_[step % 2].get(), arcs_};
  }
  [[nodiscard]] Receiver receiver(std::uint64_t step) noexcept {
    return {queues_[step % 2].get(), arcs_};
  }

 private:
  ArcLayout arcs_;
  std::unique_ptr<Queue[]> queues_[2];  // by arc and step parity
};

static_assert(Channels<SpscChannels>);

}  // namespace lockstep
