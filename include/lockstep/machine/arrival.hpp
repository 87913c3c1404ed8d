// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What StepView is made of: the Arrival a program sees, and, not for users, the counts of a task
/// and the few lines that move bytes.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "lockstep/core/expects.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/machine/message.hpp"
#include "lockstep/machine/run_record.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/routes.hpp"

namespace lockstep {

template <class Pass>
class StepView;

/// A message that arrived, or none. Its bytes are in the sender's memory, unaltered during the
/// step. Of a blind program.
class Arrival {
 public:
  Arrival() = default;
  Arrival(const std::byte* memory, const std::uint32_t* list, std::uint32_t blocks)
      : memory_(memory), list_(list), blocks_(blocks) {}

  [[nodiscard]] explicit operator bool() const noexcept { return blocks_ != 0; }
  [[nodiscard]] std::uint32_t blocks() const noexcept { return blocks_; }

 protected:
  template <class>
  friend class StepView;

  [[nodiscard]] const std::byte* block(std::uint32_t i, std::size_t slot_bytes) const noexcept {
    return memory_ + (list_ == nullptr ? i : list_[i]) * slot_bytes;
  }

  const std::byte* memory_ = nullptr;
  const std::uint32_t* list_ = nullptr;  // blocks of a gather list; null: consecutive
  std::uint32_t blocks_ = 0;
  bool corrupted_ = false;
};

/// The same, of a program that reads labels or control words, or sends over routes.
class OpenArrival : public Arrival {
 public:
  using Arrival::Arrival;

  /// How it came; empty: from a neighbour.
  [[nodiscard]] std::optional<Route> route() const noexcept { return route_; }
  /// The label of block i, or control word i. Precondition: i < blocks(), the program has such.
  [[nodiscard]] std::uint64_t word(std::uint32_t i) const {
    expects(i < blocks_ && slot_bytes_ >= word_bytes, "the message has such a word");
    std::uint64_t word = 0;
    std::memcpy(&word, block(i, slot_bytes_) + slot_bytes_ - word_bytes, word_bytes);
    return i == 0 ? word ^ corruption_ : word;
  }

 private:
  template <class>
  friend class StepView;

  std::size_t slot_bytes_ = 0;    // of the sender's region
  std::uint64_t corruption_ = 0;  // bits of the first word that a fault altered
  bool control_ = false;          // words, not blocks
  std::optional<Route> route_{};
};

namespace detail {

/// The message that the fault `duplicate` sends once more.
struct Replay {
  Port port{};
  Message message{};
  std::vector<std::byte> bytes;
};

/// Blocks may have no bytes, and then no address.
inline void poison_bytes(std::byte* to, std::size_t bytes) noexcept {
  if (bytes != 0) std::memset(to, std::to_integer<int>(poison), bytes);
}

/// Counts of one task in one pass; plain numbers, so that they stay in registers.
struct TaskCounts {
  std::uint64_t senders = 0;
  std::uint64_t receivers = 0;  // of the messages of the step before
  std::uint64_t busy = 0;       // received and sent in the step before
  std::uint64_t messages = 0;
  std::uint64_t rejected = 0;  // messages that did not enter a channel
  std::uint64_t taken = 0;
  std::uint64_t links = 0;  // held by routes
  std::uint64_t blocks = 0;
  std::uint64_t largest = 0;
  std::uint64_t words = 0;       // control words
  std::uint64_t most_words = 0;  // of one message
  std::uint64_t ports_used = 0;
  std::uint64_t awake = 0;  // processors that asked to stay active
  std::uint64_t unmet_stores = 0;
  std::uint64_t waited = 0;  // blocks that had waited when they were sent
  std::uint64_t longest_wait = 0;
  std::uint64_t first_waiter = ~std::uint64_t{0};  // lowest number of their senders
  std::uint64_t last_counted = 0;  // message and port of the send before: mostly the same again

  /// Whether the send before was the same: then it is in order, and counted but for its blocks.
  [[nodiscard, gnu::always_inline]] bool is_again(Port port, Message message) const noexcept {
    return last_counted == word_of(port, message);
  }
  void count_wait(NodeId node, std::uint64_t steps) noexcept {
    if (steps == 0) return;
    ++waited;
    longest_wait = std::max(longest_wait, steps);
    first_waiter = std::min(first_waiter, index(node));
  }
  void count_another(Port port, Message message, bool control) noexcept {
    last_counted = word_of(port, message);
    std::uint64_t& most = control ? most_words : largest;
    most = std::max(most, std::uint64_t{message.blocks()});
    ports_used |= std::uint64_t{1} << std::min<unsigned>(index(port), 63);
  }
  [[nodiscard, gnu::always_inline]] static std::uint64_t word_of(Port port,
                                                                 Message message) noexcept {
    static_assert(max_ports_of_a_node < std::uint64_t{1} << (64 - Message::packed_bits));
    return (std::uint64_t{index(port)} << Message::packed_bits) | message.packed();
  }

  TaskCounts& operator+=(const TaskCounts& other) noexcept {
    senders += other.senders;
    receivers += other.receivers;
    busy += other.busy;
    messages += other.messages;
    rejected += other.rejected;
    taken += other.taken;
    links += other.links;
    blocks += other.blocks;
    largest = std::max(largest, other.largest);
    words += other.words;
    most_words = std::max(most_words, other.most_words);
    ports_used |= other.ports_used;
    awake += other.awake;
    unmet_stores += other.unmet_stores;
    waited += other.waited;
    longest_wait = std::max(longest_wait, other.longest_wait);
    first_waiter = std::min(first_waiter, other.first_waiter);
    return *this;
  }
};

/// Most messages are a few words or cache lines long: shorter than a call of memcpy.
[[gnu::always_inline]] inline void copy_bytes(std::byte* to, const std::byte* from,
                                              std::size_t bytes) noexcept {
  constexpr std::size_t word = sizeof(std::uint64_t);
  constexpr std::size_t line = 64;
  constexpr std::size_t long_message = 8 * line;
  if (bytes > long_message || bytes % word != 0) [[unlikely]] {
    std::memcpy(to, from, bytes);
    return;
  }
  std::size_t at = 0;
  for (; at + line <= bytes; at += line) std::memcpy(to + at, from + at, line);
  for (; at < bytes; at += word) std::memcpy(to + at, from + at, word);
}

[[gnu::noinline, gnu::cold]] inline const std::byte* corrupted_copy(std::vector<std::byte>& copy,
                                                                    const std::byte* block,
                                                                    std::size_t bytes,
                                                                    std::uint64_t altered) {
  copy.assign(block, block + bytes);
  if (bytes != 0) copy[altered] ^= std::byte{0x01};
  return copy.data();
}

}  // namespace detail

}  // namespace lockstep
