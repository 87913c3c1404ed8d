// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The Arrival that a program sees, and internal functions that move bytes.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/detail/message.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/routes.hpp"

namespace lockstep {

template <class Pass>
class StepView;

/// A message that arrived, or none, as a blind program sees it. Its bytes are in the memory of the
/// sender and do not change during the step. Using it in another step or at another node is a
/// violation (Rule::arrival).
class Arrival {
 public:
  Arrival() = default;
  ~Arrival() = default;
  Arrival(const std::byte* memory, const std::uint32_t* list, std::uint32_t blocks)
      : memory_(memory), list_(list), blocks_(blocks) {}

  [[nodiscard]] explicit operator bool() const noexcept { return blocks_ != 0; }
  [[nodiscard]] std::uint32_t blocks() const noexcept { return blocks_; }
  /// Through which it came; of the node that took it.
  [[nodiscard]] Port port() const noexcept { return port_; }

 protected:
  template <class>
  friend class StepView;

  // Nobody keeps one beyond its step: the bytes are the sender's.
  Arrival(const Arrival&) = default;
  Arrival& operator=(const Arrival&) = default;

  [[nodiscard]] const std::byte* block(std::uint32_t i, std::size_t slot_bytes) const noexcept {
    return memory_ + (list_ == nullptr ? i : list_[i]) * slot_bytes;
  }

  const std::byte* memory_ = nullptr;
  const std::uint32_t* list_ = nullptr;  // blocks of a gather list; null: consecutive
  std::uint32_t blocks_ = 0;
  Port port_{};
  bool corrupted_ = false;
  std::uint64_t turn_ = 0;  // of which node in which step
};

/// The same for programs that read bytes, labels or control words, or send along routes.
class OpenArrival : public Arrival {
 public:
  using Arrival::Arrival;
  OpenArrival() = default;
  ~OpenArrival() = default;

  /// How it came; empty: from a neighbour.
  [[nodiscard]] std::optional<Route> route() const noexcept { return route_; }
  /// The label of block i, or control word i. Throws InvalidParameter where the message has none.
  [[nodiscard]] std::uint64_t word(SlotNumber i) const {
    check("word", i, words_);
    std::uint64_t word = 0;
    std::memcpy(&word, block(i, slot_bytes_) + slot_bytes_ - word_bytes, word_bytes);
    return i == 0 ? word ^ corruption_ : word;
  }
  /// The bytes of block i, as they lie in the sender's memory, for this step and no longer: a view
  /// that a program keeps shows what the sender does there later, and no machine could know it.
  /// Throws InvalidParameter where the message has no such block.
  [[nodiscard]] std::span<const std::byte> bytes(SlotNumber i) const {
    check("bytes", i, !control_);
    const bool altered = i == 0 && corrupted_bytes_ != nullptr;
    return {altered ? corrupted_bytes_ : block(i, slot_bytes_), block_bytes_};
  }

 private:
  template <class>
  friend class StepView;

  OpenArrival(const OpenArrival&) = default;
  OpenArrival& operator=(const OpenArrival&) = default;

  [[noreturn, gnu::cold]] static void refuse_word(const char* what, std::uint32_t i,
                                                  std::uint32_t blocks);
  void check(const char* what, std::uint32_t i, bool any) const {
    if (i < blocks_ && any) return;
    refuse_word(what, i, any ? blocks_ : 0);
  }

  std::size_t slot_bytes_ = 0;  // of the sender's region
  std::size_t block_bytes_ = 0;
  const std::byte* corrupted_bytes_ = nullptr;  // of the first block, where a fault altered them
  std::uint64_t corruption_ = 0;                // bits of the first word that a fault altered
  Region region_{};                             // of the sender
  bool control_ = false;                        // words, not blocks
  bool words_ = false;                          // or blocks with labels
  std::optional<Route> route_{};
};

namespace detail {

/// The message that the fault `duplicate` sends once more.
struct Replay {
  Port port{};
  Message message{};
  std::vector<std::byte> bytes;

  /// The blocks of the message, which begin at `memory`; `list`: their slots, null: consecutive.
  void keep(Port through, Message sent, const std::byte* memory, const std::uint32_t* list,
            std::size_t slot_bytes);
};

inline constexpr std::uint64_t poisoned_word = 0xA5A5'A5A5'A5A5'A5A5;

/// Blocks may have no bytes, and then no address.
inline void poison_bytes(std::byte* to, std::size_t bytes) noexcept {
  if (bytes != 0) std::memset(to, std::to_integer<int>(poison), bytes);
}

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

/// Copies `count` blocks of `bytes` each. Block i lies list[i] blocks behind `from`, and goes to
/// into[i] blocks behind `to`; a list that is null names block i as number i.
void copy_blocks(std::byte* to, const std::uint32_t* into, const std::byte* from,
                 const std::uint32_t* list, std::size_t count, std::size_t bytes) noexcept;

/// Blocks that a fault altered, or whose parts were joined, of one task and pass.
class CorruptedBlocks {
 public:
  CorruptedBlocks() = default;
  CorruptedBlocks(const CorruptedBlocks&) = delete;
  CorruptedBlocks& operator=(const CorruptedBlocks&) = delete;
  ~CorruptedBlocks() {
    if (first_ != nullptr) [[unlikely]]
      drop();
  }

  /// Room for as many bytes.
  [[nodiscard, gnu::cold]] std::byte* room(std::size_t bytes);
  /// Copies the block, with the byte `altered`.
  [[nodiscard, gnu::cold]] const std::byte* copy(const std::byte* block, std::size_t bytes,
                                                 std::uint64_t altered);

 private:
  struct Copy;
  [[gnu::cold]] void drop() noexcept;

  Copy* first_ = nullptr;
};

// What programs did that they may not: compiled once.

[[noreturn, gnu::cold]] void refuse_list(std::uint32_t list, std::size_t blocks);
[[noreturn, gnu::cold]] void refuse_changed_list(std::uint32_t list);
[[noreturn, gnu::cold]] void refuse_counts(std::uint32_t blocks, std::uint32_t into);
[[noreturn, gnu::cold]] void refuse_moves();

}  // namespace detail

}  // namespace lockstep
