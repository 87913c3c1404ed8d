// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Channels: what realises the arcs. One concept, three kinds (design, section 4):
///
///   spsc     a boost::lockfree::spsc_queue per arc and step parity; the reference
///   slot     one stamped 8-byte register per arc and step parity; one message per arc and step
///   mailbox  one stamped 8-byte register per node and step parity, for programs in which a node
///            receives at most one message per step; a second arrival is detected, not lost
///
/// What is pushed in step t is pulled in step t+1; the end of the parallel loop lies between, and
/// orders the two (style, 5.6). Parity keeps the pushes of step t+1 away from the pulls of step t.
/// Stamps save the store that would empty a register; they repeat, so that begin_step() clears the
/// registers from time to time. Rows hold one port of all nodes, as Network's do. "Full" depends on
/// the pushes of one step alone, never on timing.

#include <atomic>
#include <boost/lockfree/spsc_queue.hpp>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "lockstep/core/huge_buffer.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/machine/message.hpp"

namespace lockstep {

enum class ChannelKind : std::uint8_t { automatic, spsc, slot, mailbox };

/// What became of a push.
enum class Pushed : std::uint8_t {
  accepted,
  full,    ///< the arc carries its message of this step already
  crowded  ///< another arc of the receiver does, and the channel keeps one message per node
};

/// How many registers a set of channels needs.
struct ChannelShape {
  std::uint64_t nodes = 0;
  std::uint64_t ports = 0;  ///< the largest degree
};

/// The two sides of a set of channels in one step, as small values that fit registers: made once
/// per task, used once per message.
template <class C>
concept Channels = requires(C& channels, typename C::Sender& sender, typename C::Receiver& receiver,
                            std::uint64_t step, NodeId node, Port port, Message message,
                            ChannelShape shape) {
  C(shape);
  { C::name } -> std::convertible_to<std::string_view>;
  { C::bytes(shape) } -> std::same_as<std::uint64_t>;
  /// Called by one thread before any push of `step`.
  channels.begin_step(step);
  { channels.sender(step) } -> std::same_as<typename C::Sender>;
  /// For what was pushed in `step`.
  { channels.receiver(step) } -> std::same_as<typename C::Receiver>;
  /// Into port `port` of the receiver `node`.
  { sender.push(node, port, message) } -> std::same_as<Pushed>;
  /// The message pushed into port `port` of `node`, if any; taken at most once.
  { receiver.pull(node, port) } -> std::same_as<Message>;
};

class SlotChannels {
 public:
  static constexpr std::string_view name = "slot";

  explicit SlotChannels(ChannelShape shape) : shape_(shape) {
    for (HugeBuffer& row : rows_) row = HugeBuffer(bytes(shape) / 2);
  }

  [[nodiscard]] static std::uint64_t bytes(ChannelShape shape) noexcept {
    return 2 * shape.nodes * shape.ports * sizeof(std::uint64_t);
  }

  void begin_step(std::uint64_t step) {
    const HugeBuffer& row = rows_[step % 2];
    if (step % stamps < 2 && row.size() != 0) std::memset(row.data(), 0, row.size());
  }

  /// Plain words: a slot is written by one sender in a step and read by one receiver in the next.
  class Sender {
   public:
    Sender(std::uint64_t* slots, std::uint64_t nodes, std::uint64_t stamp)
        : slots_(slots), nodes_(nodes), stamp_(stamp) {}

    [[nodiscard]] Pushed push(NodeId node, Port port, Message message) const noexcept {
      std::uint64_t& slot = slots_[index(port) * nodes_ + index(node)];
      if (slot >> Message::packed_bits == stamp_) [[unlikely]]
        return Pushed::full;
      slot = (stamp_ << Message::packed_bits) | message.packed();
      return Pushed::accepted;
    }

   private:
    std::uint64_t* slots_;
    std::uint64_t nodes_;
    std::uint64_t stamp_;
  };

  class Receiver {
   public:
    Receiver(const std::uint64_t* slots, std::uint64_t nodes, std::uint64_t stamp)
        : slots_(slots), nodes_(nodes), stamp_(stamp) {}

    [[nodiscard]] Message pull(NodeId node, Port port) const noexcept {
      const std::uint64_t slot = slots_[index(port) * nodes_ + index(node)];
      if (slot >> Message::packed_bits != stamp_) [[unlikely]]
        return {};
      const Message message = Message::unpacked(slot);
      if (!message) __builtin_unreachable();  // spares the caller's test a second time
      return message;
    }

   private:
    const std::uint64_t* slots_;
    std::uint64_t nodes_;
    std::uint64_t stamp_;
  };

  [[nodiscard]] Sender sender(std::uint64_t step) noexcept {
    return {slots(step), shape_.nodes, stamp(step)};
  }
  [[nodiscard]] Receiver receiver(std::uint64_t step) noexcept {
    return {slots(step), shape_.nodes, stamp(step)};
  }

 private:
  static constexpr std::uint64_t stamps = 1U << 16U;

  [[nodiscard]] static constexpr std::uint64_t stamp(std::uint64_t step) noexcept {
    return step % stamps + 1;  // 0 is "never written"; 17 bits
  }
  [[nodiscard]] std::uint64_t* slots(std::uint64_t step) noexcept {
    return reinterpret_cast<std::uint64_t*>(rows_[step % 2].data());
  }

  ChannelShape shape_;
  HugeBuffer rows_[2];  // [port][node] of 8-byte words, by step parity
};

class MailboxChannels {
 public:
  static constexpr std::string_view name = "mailbox";
  static constexpr std::uint64_t max_ports = 256;

  explicit MailboxChannels(ChannelShape shape)
      : boxes_{std::make_unique<Box[]>(shape.nodes), std::make_unique<Box[]>(shape.nodes)},
        nodes_(shape.nodes) {}

  [[nodiscard]] static std::uint64_t bytes(ChannelShape shape) noexcept {
    return 2 * shape.nodes * sizeof(Box);
  }

  void begin_step(std::uint64_t step) {
    if (step % stamps >= 2) return;
    Box* const boxes = boxes_[step % 2].get();
    // relaxed: one thread, before the parallel loop that pushes.
    for (std::uint64_t i = 0; i < nodes_; ++i) boxes[i].store(0, std::memory_order_relaxed);
  }

  class Sender {
   public:
    Sender(std::atomic<std::uint64_t>* boxes, std::uint64_t stamp) : boxes_(boxes), stamp_(stamp) {}

    [[nodiscard]] Pushed push(NodeId node, Port port, Message message) const noexcept {
      const std::uint64_t entry = (stamp_ << stamp_shift) |
                                  (std::uint64_t{index(port)} << Message::packed_bits) |
                                  message.packed();
      // relaxed: the exchange only has to be indivisible against another sender's exchange; the end
      // of the parallel loop publishes the entry to the receiver.
      const std::uint64_t before = boxes_[index(node)].exchange(entry, std::memory_order_relaxed);
      if (before >> stamp_shift != stamp_) [[likely]]
        return Pushed::accepted;
      return port_of(before) == port ? Pushed::full : Pushed::crowded;
    }

   private:
    std::atomic<std::uint64_t>* boxes_;
    std::uint64_t stamp_;
  };

  class Receiver {
   public:
    Receiver(const std::atomic<std::uint64_t>* boxes, std::uint64_t stamp)
        : boxes_(boxes), stamp_(stamp) {}

    [[nodiscard]] Message pull(NodeId node, Port port) const noexcept {
      // relaxed: pairs with the exchange in push() through the end of the parallel loop.
      const std::uint64_t entry = boxes_[index(node)].load(std::memory_order_relaxed);
      if (entry >> stamp_shift != stamp_ || port_of(entry) != port) return {};
      return Message::unpacked(entry);
    }

   private:
    const std::atomic<std::uint64_t>* boxes_;
    std::uint64_t stamp_;
  };

  [[nodiscard]] Sender sender(std::uint64_t step) noexcept {
    return {boxes_[step % 2].get(), stamp(step)};
  }
  [[nodiscard]] Receiver receiver(std::uint64_t step) noexcept {
    return {boxes_[step % 2].get(), stamp(step)};
  }

 private:
  using Box = std::atomic<std::uint64_t>;
  static constexpr unsigned stamp_shift = Message::packed_bits + 8;  // 8 bits of port
  static constexpr std::uint64_t stamps = 1U << 8U;

  [[nodiscard]] static constexpr std::uint64_t stamp(std::uint64_t step) noexcept {
    return step % stamps + 1;
  }
  [[nodiscard]] static constexpr Port port_of(std::uint64_t entry) noexcept {
    return lockstep::port((entry >> Message::packed_bits) & (max_ports - 1));
  }

  std::unique_ptr<Box[]> boxes_[2];
  std::uint64_t nodes_;
};

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

static_assert(Channels<SlotChannels> && Channels<MailboxChannels> && Channels<SpscChannels>);

}  // namespace lockstep
