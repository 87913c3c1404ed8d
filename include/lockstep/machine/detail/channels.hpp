// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All kinds of channels.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "lockstep/core/detail/huge_buffer.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/machine/channel.hpp"  // IWYU pragma: export
#include "lockstep/machine/detail/message.hpp"
#include "lockstep/machine/detail/wormhole_channels.hpp"  // IWYU pragma: export

namespace lockstep {

/// `slot` channels: one stamped 8-byte register per arc and step parity; for machines in which an
/// arc carries one message per step. The default.
///
/// With keep_rows() they are `row` channels, too. Where all nodes of a network send the same
/// message through one port in a step, and it arrives through one port of all of them, one
/// register stands for the slots of all these arcs: workers write the same word to it, and the
/// message is read once for all nodes of a group. Whoever sends a row has judged that no node uses
/// the port a second time in the step.
class SlotChannels {
  using Row = std::atomic<std::uint64_t>;  // of one port: a stamped message
  static constexpr std::uint64_t stamps = 1U << 16U;

 public:
  static constexpr std::string_view name = "slot";

  static constexpr std::string_view row_name = "row";
  static constexpr std::size_t max_row_ports = 64;
  /// A row stays for so many steps.
  static constexpr std::uint64_t row_steps = 128;

  explicit SlotChannels(const ArcLayout& arcs);

  /// Before the first step. Precondition: nodes have max_row_ports ports at most.
  void keep_rows() { rows_ = std::vector<Rows>(row_steps); }
  [[nodiscard]] bool keeps_rows() const noexcept { return !rows_.empty(); }
  /// Whether slots are cleared before that step: then no worker may be in another one.
  [[nodiscard]] static constexpr bool clears_slots(std::uint64_t step) noexcept {
    return step % stamps < 2;
  }

  [[nodiscard]] static std::uint64_t bytes(const ArcLayout& arcs) noexcept {
    return 2 * arcs.size() * sizeof(std::uint64_t);
  }

  void begin_step(std::uint64_t step);

  /// Plain words: a slot is written by one sender in a step and read by one receiver in the next.
  class Sender {
   public:
    Sender(std::uint64_t* slots, Row* row, const ArcLayout& arcs, std::uint64_t stamp)
        : slots_(slots), row_(row), arcs_(arcs), stamp_(stamp) {}

    [[nodiscard]] Pushed push(NodeId node, Port port, Message message) const noexcept {
      std::uint64_t& slot = slots_[arcs_.index(node, port)];
      if (slot >> Message::packed_bits == stamp_) [[unlikely]]
        return Pushed::full;
      slot = (stamp_ << Message::packed_bits) | message.packed();
      return Pushed::accepted;
    }

    /// Into port `port` of every node. False where no rows are kept: nothing is sent.
    [[nodiscard, gnu::always_inline]] bool push_row(Port port, Message message) const noexcept {
      if (row_ == nullptr) return false;
      // relaxed: all workers store the same word; the end of the parallel loop publishes it.
      row_[index(port)].store((stamp_ << Message::packed_bits) | message.packed(),
                              std::memory_order_relaxed);
      return true;
    }

    /// For loops over nodes. Precondition: the arcs lie in a rectangle.
    [[gnu::always_inline]] void assume_rectangle() const noexcept { arcs_.assume_rectangle(); }

   private:
    std::uint64_t* slots_;
    Row* row_;  // null: none are kept
    ArcLayout arcs_;
    std::uint64_t stamp_;
  };

  class Receiver {
   public:
    Receiver(const std::uint64_t* slots, const Row* row, const ArcLayout& arcs, std::uint64_t stamp)
        : slots_(slots), row_(row), arcs_(arcs), stamp_(stamp) {}

    [[nodiscard, gnu::always_inline]] Message pull(NodeId node, Port port) const noexcept {
      const std::uint64_t slot = slots_[arcs_.index(node, port)];
      if (slot >> Message::packed_bits != stamp_) [[unlikely]]
        return {};
      const Message message = Message::unpacked(slot);
      if (!message) __builtin_unreachable();  // spares the caller's test a second time
      return message;
    }

    /// The message that was pushed into port `port` of every node, if one was.
    [[nodiscard, gnu::always_inline]] Message row(Port port) const noexcept {
      if (row_ == nullptr) return {};
      // relaxed: pairs with the store in push_row() through the end of the parallel loop.
      const std::uint64_t word = row_[index(port)].load(std::memory_order_relaxed);
      return word >> Message::packed_bits == stamp_ ? Message::unpacked(word) : Message{};
    }

    /// As the sender's.
    [[gnu::always_inline]] void assume_rectangle() const noexcept { arcs_.assume_rectangle(); }

   private:
    const std::uint64_t* slots_;
    const Row* row_;
    ArcLayout arcs_;
    std::uint64_t stamp_;
  };

  [[nodiscard]] Sender sender(std::uint64_t step) noexcept {
    return {slots(step), row(step), arcs_, stamp(step)};
  }
  [[nodiscard]] Receiver receiver(std::uint64_t step) noexcept {
    return {slots(step), row(step), arcs_, stamp(step)};
  }

 private:
  using Rows = std::array<Row, max_row_ports>;

  [[nodiscard]] static constexpr std::uint64_t stamp(std::uint64_t step) noexcept {
    return step % stamps + 1;  // 0 is "never written"; 17 bits
  }
  [[nodiscard]] std::uint64_t* slots(std::uint64_t step) noexcept {
    return reinterpret_cast<std::uint64_t*>(slots_[step % 2].data());
  }
  [[nodiscard]] Row* row(std::uint64_t step) noexcept {
    return keeps_rows() ? rows_[step % row_steps].data() : nullptr;
  }

  ArcLayout arcs_;
  HugeBuffer slots_[2];     // of 8-byte words, by step parity
  std::vector<Rows> rows_;  // empty: none are kept
};

static_assert(Channels<SlotChannels>);

class SpscChannels;  // machine/spsc_channels.hpp

/// `mailbox` channels: one stamped 8-byte register per node and step parity, for programs in which
/// a node receives at most one message per step. A second arrival is detected, not lost.
class MailboxChannels {
  using Box = std::atomic<std::uint64_t>;

 public:
  static constexpr std::string_view name = "mailbox";
  static constexpr std::uint64_t max_ports = 64;  // senders keep one bit for each

  explicit MailboxChannels(const ArcLayout& arcs);

  [[nodiscard]] static std::uint64_t bytes(const ArcLayout& arcs) noexcept {
    return 2 * arcs.nodes() * sizeof(Box);
  }

  void begin_step(std::uint64_t step);

  class Sender {
   public:
    Sender(Box* boxes, std::uint64_t stamp) : boxes_(boxes), stamp_(stamp) {}

    [[nodiscard]] Pushed push(NodeId node, Port port, Message message) const noexcept {
      const std::uint64_t entry = (stamp_ << stamp_shift) |
                                  (std::uint64_t{index(port)} << Message::packed_bits) |
                                  message.packed();
      // relaxed: the exchange only has to be indivisible against another sender's exchange; the end
      // of the parallel loop publishes the entry to the receiver.
      const std::uint64_t before = boxes_[index(node)].exchange(entry, std::memory_order_relaxed);
      if (before >> stamp_shift != stamp_) [[likely]]
        return Pushed::accepted;
      keep_lower(boxes_[index(node)], before, entry);
      return port_of(before) == port ? Pushed::full : Pushed::crowded;
    }

    void assume_rectangle() const noexcept {}

   private:
    /// The one of several messages that came through the lowest port stays, whichever came first,
    /// and the first of two through one port. Whoever displaced such a message puts it back.
    [[gnu::noinline, gnu::cold]] static void keep_lower(Box& box, std::uint64_t before,
                                                        std::uint64_t mine) noexcept {
      const bool same_port = port_of(mine) == port_of(before);
      std::uint64_t now = mine;
      // relaxed: as the exchange in push().
      while ((port_of(now) > port_of(before) || (same_port && now == mine)) &&
             !box.compare_exchange_weak(now, before, std::memory_order_relaxed)) {
      }
    }

    Box* boxes_;
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
    /// The port of `node` through which its message came, if there is one.
    [[nodiscard]] std::optional<Port> occupied_port(NodeId node) const noexcept {
      // relaxed: as pull().
      const std::uint64_t entry = boxes_[index(node)].load(std::memory_order_relaxed);
      if (entry >> stamp_shift != stamp_) return std::nullopt;
      return port_of(entry);
    }

    void assume_rectangle() const noexcept {}

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

static_assert(Channels<MailboxChannels>);

}  // namespace lockstep
