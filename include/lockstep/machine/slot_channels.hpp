// SPDX-License-Identifier: Apache-2.0
#pragma once

/// `slot` channels: one stamped 8-byte register per arc and step parity; for machines in which an
/// arc carries one message per step. The default.

#include <cstdint>
#include <cstring>
#include <string_view>

#include "lockstep/core/huge_buffer.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/machine/channel.hpp"
#include "lockstep/machine/message.hpp"

namespace lockstep {

class SlotChannels {
 public:
  static constexpr std::string_view name = "slot";

  explicit SlotChannels(const ArcLayout& arcs) : arcs_(arcs) {
    for (HugeBuffer& row : rows_) row = HugeBuffer(bytes(arcs) / 2);
  }

  [[nodiscard]] static std::uint64_t bytes(const ArcLayout& arcs) noexcept {
    return 2 * arcs.size() * sizeof(std::uint64_t);
  }

  void begin_step(std::uint64_t step) {
    const HugeBuffer& row = rows_[step % 2];
    if (step % stamps < 2 && row.size() != 0) std::memset(row.data(), 0, row.size());
  }

  /// Plain words: a slot is written by one sender in a step and read by one receiver in the next.
  class Sender {
   public:
    Sender(std::uint64_t* slots, const ArcLayout& arcs, std::uint64_t stamp)
        : slots_(slots), arcs_(arcs), stamp_(stamp) {}

    [[nodiscard]] Pushed push(NodeId node, Port port, Message message) const noexcept {
      std::uint64_t& slot = slots_[arcs_.index(node, port)];
      if (slot >> Message::packed_bits == stamp_) [[unlikely]]
        return Pushed::full;
      slot = (stamp_ << Message::packed_bits) | message.packed();
      return Pushed::accepted;
    }

    /// For loops over nodes. Precondition: the arcs lie in a rectangle.
    [[gnu::always_inline]] void assume_rectangle() const noexcept { arcs_.assume_rectangle(); }

   private:
    std::uint64_t* slots_;
    ArcLayout arcs_;
    std::uint64_t stamp_;
  };

  class Receiver {
   public:
    Receiver(const std::uint64_t* slots, const ArcLayout& arcs, std::uint64_t stamp)
        : slots_(slots), arcs_(arcs), stamp_(stamp) {}

    [[nodiscard, gnu::always_inline]] Message pull(NodeId node, Port port) const noexcept {
      const std::uint64_t slot = slots_[arcs_.index(node, port)];
      if (slot >> Message::packed_bits != stamp_) [[unlikely]]
        return {};
      const Message message = Message::unpacked(slot);
      if (!message) __builtin_unreachable();  // spares the caller's test a second time
      return message;
    }

    /// As the sender's.
    [[gnu::always_inline]] void assume_rectangle() const noexcept { arcs_.assume_rectangle(); }

   private:
    const std::uint64_t* slots_;
    ArcLayout arcs_;
    std::uint64_t stamp_;
  };

  [[nodiscard]] Sender sender(std::uint64_t step) noexcept {
    return {slots(step), arcs_, stamp(step)};
  }
  [[nodiscard]] Receiver receiver(std::uint64_t step) noexcept {
    return {slots(step), arcs_, stamp(step)};
  }

 private:
  static constexpr std::uint64_t stamps = 1U << 16U;

  [[nodiscard]] static constexpr std::uint64_t stamp(std::uint64_t step) noexcept {
    return step % stamps + 1;  // 0 is "never written"; 17 bits
  }
  [[nodiscard]] std::uint64_t* slots(std::uint64_t step) noexcept {
    return reinterpret_cast<std::uint64_t*>(rows_[step % 2].data());
  }

  ArcLayout arcs_;
  HugeBuffer rows_[2];  // of 8-byte words, by step parity
};

static_assert(Channels<SlotChannels>);

}  // namespace lockstep
