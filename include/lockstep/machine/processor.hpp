// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What a step rule is handed: StepView, all that one processor may see and do in one step, and the
/// Arrival, a message as its receiver sees it. program/program.hpp says what each call means.

#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/channel.hpp"
#include "lockstep/machine/fault.hpp"
#include "lockstep/machine/port_ledger.hpp"
#include "lockstep/machine/run_record.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/host.hpp"
#include "lockstep/program/program.hpp"

namespace lockstep {

/// A message that arrived, or none. Its bytes are in the sender's memory, unaltered during the
/// step.
class Arrival {
 public:
  Arrival() = default;
  Arrival(const std::byte* memory, const std::uint32_t* list, std::uint32_t blocks)
      : memory_(memory), list_(list), blocks_(blocks) {}

  [[nodiscard]] explicit operator bool() const noexcept { return blocks_ != 0; }
  [[nodiscard]] std::uint32_t blocks() const noexcept { return blocks_; }

 private:
  template <class>
  friend class StepView;

  [[nodiscard]] const std::byte* block(std::uint32_t i, std::size_t block_bytes) const noexcept {
    return memory_ + (list_ == nullptr ? i : list_[i]) * block_bytes;
  }

  const std::byte* memory_ = nullptr;
  const std::uint32_t* list_ = nullptr;  // blocks of a gather list; null: consecutive
  std::uint32_t blocks_ = 0;
  bool corrupted_ = false;
};

namespace detail {

/// Fills memory that holds no block; no payload is made of it.
inline constexpr int poison = 0xA5;

/// Counts of one task in one pass; plain numbers, so that they stay in registers.
struct TaskCounts {
  std::uint64_t senders = 0;
  std::uint64_t receivers = 0;  // of the messages of the step before
  std::uint64_t busy = 0;       // received and sent in the step before
  std::uint64_t messages = 0;
  std::uint64_t rejected = 0;  // messages that did not enter a channel
  std::uint64_t taken = 0;
  std::uint64_t blocks = 0;
  std::uint64_t largest = 0;
  std::uint64_t ports_used = 0;
  std::uint64_t awake = 0;         // processors that asked to stay active
  std::uint64_t last_counted = 0;  // message and port of the send before: mostly the same again

  /// Whether the send before was the same; then it is counted.
  [[nodiscard, gnu::always_inline]] bool counts_again(Port port, Message message) noexcept {
    const std::uint64_t sent =
        (std::uint64_t{index(port)} << Message::packed_bits) | message.packed();
    blocks += message.blocks();
    if (sent == last_counted) [[likely]]
      return true;
    last_counted = sent;
    largest = std::max(largest, std::uint64_t{message.blocks()});
    ports_used |= std::uint64_t{1} << std::min<unsigned>(index(port), 63);
    return false;
  }

  TaskCounts& operator+=(const TaskCounts& other) noexcept {
    senders += other.senders;
    receivers += other.receivers;
    busy += other.busy;
    messages += other.messages;
    rejected += other.rejected;
    taken += other.taken;
    blocks += other.blocks;
    largest = std::max(largest, other.largest);
    ports_used |= other.ports_used;
    awake += other.awake;
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

/// Cold: out of the way of the loop, and given no address of anything that lives in registers.
[[gnu::noinline, gnu::cold]] inline void report(std::vector<Violation>& violations,
                                                const Violation& violation) {
  violations.push_back(violation);
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

/// One processor in one step. `Pass` is the machine's state of that step (machine/pass.hpp). Every
/// member is inlined, so that the view and the pass it refers to live in registers.
template <class Pass>
class StepView {
 public:
  [[gnu::always_inline]] StepView(Pass& pass, NodeId node) noexcept : pass_(pass), node_(node) {}
  StepView(const StepView&) = delete;
  StepView& operator=(const StepView&) = delete;

  [[nodiscard, gnu::always_inline]] NodeId node() const noexcept { return node_; }
  [[nodiscard, gnu::always_inline]] std::uint64_t step() const noexcept { return pass_.step; }
  [[nodiscard, gnu::always_inline]] bool last_call() const noexcept { return pass_.last_call; }
  [[nodiscard, gnu::always_inline]] std::size_t degree() const noexcept {
    return pass_.network.degree(node_);
  }
  [[nodiscard, gnu::always_inline]] auto& memory() noexcept {
    return pass_.variables[index(node_)];
  }

  [[nodiscard, gnu::always_inline]] Arrival take(Port port) {
    if (index(port) >= pass_.network.max_degree()) [[unlikely]]
      return {};
    if constexpr (!Pass::usual)
      if (pass_.step == 0) return {};
    const Message message = pass_.in.pull(node_, port);
    if (!message) return {};
    ++taken_;
    last_taken_ = port;
    if constexpr (!Pass::usual)
      if (pass_.half_duplex && pass_.ledger->meets_own_send(pass_.step - 1, node_, port))
        report(pass_.step - 1, node_, port, Rule::half_duplex, 2);
    return arrival_of(message, pass_.network.neighbor(node_, port));
  }

  /// A missing or ill-sized message leaves poison behind, so that stale bytes cannot pass.
  [[gnu::always_inline]] void store(const Arrival& arrival, Blocks into) {
    std::byte* const to = address(node_, into.region, into.first);
    const std::size_t bytes = pass_.block_bytes;
    if (arrival.blocks() != into.count) [[unlikely]] {
      std::memset(to, detail::poison, into.count * bytes);
    } else if (arrival.list_ == nullptr) [[likely]] {
      detail::copy_bytes(to, arrival.memory_, into.count * bytes);
    } else {
      for (std::uint32_t i = 0; i < into.count; ++i)
        detail::copy_bytes(to + i * bytes, arrival.block(i, bytes), bytes);
    }
    if (arrival.corrupted_) [[unlikely]]
      corrupt(to);
  }

  /// Block i of the message goes to slot slots[i] of `region`.
  [[gnu::always_inline]] void store(const Arrival& arrival, Region region,
                                    std::span<const std::uint32_t> slots) {
    const bool complete = arrival.blocks() == slots.size();
    const std::size_t bytes = pass_.block_bytes;
    for (std::uint32_t i = 0; i < slots.size(); ++i) {
      std::byte* const to = address(node_, region, slots[i]);
      if (complete) {
        detail::copy_bytes(to, arrival.block(i, bytes), bytes);
      } else {
        std::memset(to, detail::poison, bytes);
      }
      if (arrival.corrupted_ && i == 0) [[unlikely]]
        corrupt(to);
    }
  }

  /// In place: the host checks the bytes where they arrived.
  [[gnu::always_inline]] void deliver(const Arrival& arrival, std::uint32_t i, NodeId source) {
    if (i >= arrival.blocks()) [[unlikely]]
      return;  // nothing arrived: the ledger will miss it
    const std::byte* bytes = arrival.block(i, pass_.block_bytes);
    if (arrival.corrupted_ && i == 0) [[unlikely]]
      bytes = detail::corrupted_copy(*pass_.corrupted_block, bytes, pass_.block_bytes,
                                     pass_.fault->corrupt_byte);
    pass_.batch->add({bytes, source, node_});
  }

  /// `slot` is one block of the own memory.
  [[gnu::always_inline]] void deliver(Region region, std::uint32_t slot, NodeId source) {
    pass_.batch->add({address(node_, region, slot), source, node_});
  }

  [[gnu::always_inline]] void load(Region region, std::uint32_t slot, NodeId destination) {
    pass_.host->load(address(node_, region, slot), node_, destination);
  }

  [[gnu::always_inline]] void send(Port port, Blocks blocks) { send(port, PackedBlocks(blocks)); }
  [[gnu::always_inline]] void send(Port port, PackedBlocks blocks) {
    push(port, Message::of(blocks));
  }

  /// The listed blocks of `region`, as one message.
  [[gnu::always_inline]] void send(Port port, Region region, GatherList list) {
    const auto slots = pass_.program->gather_list(list);
    push(port, Message::of(region, list, static_cast<std::uint32_t>(slots.size())));
  }

  [[gnu::always_inline]] void stay_active() noexcept {
    if (!awake_) ++pass_.counts.awake;
    awake_ = true;
    pass_.activate(node_);
  }

 private:
  template <class, class, class, class>
  friend class Machine;

  [[nodiscard, gnu::always_inline]] std::byte* address(NodeId node, Region region,
                                                       std::uint32_t slot) const noexcept {
    const auto& layout = pass_.memory[index(region)];
    return layout.bytes + index(node) * layout.stride + slot * pass_.block_bytes;
  }

  [[gnu::always_inline]] void expects_own_memory(Message message) const {
    const std::uint64_t last =
        message.gathered() ? 1 : std::uint64_t{message.first()} + message.blocks();
    expects(message.blocks() != 0 && last <= pass_.memory[index(message.region())].blocks,
            "send: the blocks lie in a region of the processor's own memory");
  }

  [[nodiscard, gnu::always_inline]] Arrival arrival_of(Message message, NodeId sender) const {
    if (message != pass_.decoded.message) [[unlikely]]
      pass_.decode(message);
    Arrival arrival{pass_.decoded.bytes + index(sender) * pass_.decoded.stride, pass_.decoded.list,
                    message.blocks()};
    if constexpr (!Pass::usual)
      arrival.corrupted_ = pass_.fault->kind == FaultKind::corrupt && pass_.step > 0 &&
                           pass_.fault->strikes(pass_.step - 1, sender);
    return arrival;
  }

  [[gnu::always_inline]] void push(Port port, Message message) {
    if constexpr (!Pass::usual)
      if (pass_.last_call) return report(pass_.step, node_, port, Rule::after_end, 1);
    if (!pass_.regular && index(port) >= degree()) [[unlikely]]
      return report(pass_.step, node_, port, Rule::port, 1);
    if (!pass_.counts.counts_again(port, message)) [[unlikely]] {
      if (index(port) >= pass_.network.max_degree())
        return report(pass_.step, node_, port, Rule::port, 1);
      expects_own_memory(message);
    }
    ++sends_;
    last_sent_ = port;
    if constexpr (!Pass::usual) {
      if (pass_.half_duplex) pass_.ledger->on_send(pass_.step, node_, port);
      if (sends_ == 1 && pass_.fault->strikes(pass_.step, node_)) {
        if (pass_.fault->kind == FaultKind::drop) {
          ++pass_.counts.rejected;
          return;
        }
        if (pass_.fault->kind == FaultKind::misroute) port = pass_.fault->wrong_port;
        if (pass_.fault->kind == FaultKind::duplicate) pass_.remember(port, message);
      }
    }
    enter_channel(port, message);
  }

  [[gnu::always_inline]] void enter_channel(Port port, Message message) {
    const NodeId receiver = pass_.network.neighbor(node_, port);
    const Port back = pass_.network.reverse_port(node_, port);
    const Pushed pushed = pass_.out.push(receiver, back, message);
    if (pushed != Pushed::accepted) [[unlikely]] {
      ++pass_.counts.rejected;
      if (pushed == Pushed::full) return report(pass_.step, node_, port, Rule::arc_capacity, 2);
      return report(pass_.step, receiver, back, Rule::receptions, 2);
    }
    pass_.activate(receiver);
  }

  [[gnu::always_inline]] void report(std::uint64_t step, NodeId node, Port port, Rule rule,
                                     std::uint64_t count) {
    detail::report(*pass_.violations, {step, node, port, rule, count});
  }

  [[gnu::always_inline]] void corrupt(std::byte* block) const noexcept {
    if (pass_.block_bytes != 0) block[pass_.fault->corrupt_byte] ^= std::byte{0x01};
  }

  Pass& pass_;
  NodeId node_;
  std::uint32_t sends_ = 0;
  std::uint32_t taken_ = 0;
  Port last_sent_{};
  Port last_taken_{};
  bool awake_ = false;
};

}  // namespace lockstep
