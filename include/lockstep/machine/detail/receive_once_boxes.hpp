// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The channels and the memory of programs whose processors receive one message in the whole run
/// (ReceiveOnceProgram), as one thing: a box per node, as long as a block, and three bits. Not
/// for users.
///
/// A node's box is its memory. Until the node is reached nobody needs it, so that the first byte
/// says through which port the message came, from the send until the receiver runs; then the
/// receiver copies the block from its sender's box into its own, once, as on every machine.
///
///   runs     by step parity: who runs in a step. A sender sets the receiver's bit of the next
///            step; only the worker of a word's nodes drains it.
///   reached  who ran in a step before, or runs in this one. Set by the worker of its nodes.
///
/// A message for a node that is reached or about to run breaks the promise and is rejected. One for
/// a node that another sender reaches in the same step is seen by the bit that is set already: the
/// box stays as it is until the pass is over, and is given the lowest port of all then. So every
/// box is written by one worker in a pass, and never while another reads it.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "lockstep/core/detail/huge_buffer.hpp"
#include "lockstep/core/detail/std_basics.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/machine/arrival.hpp"
#include "lockstep/machine/processes.hpp"

namespace lockstep::detail {

/// One bit per node, in words that workers share. Not for users.
class NodeBits {
 public:
  static constexpr std::uint64_t nodes_per_word = 64;

  /// Only the bits of these nodes may be used. Memory of others is not touched.
  NodeBits(std::uint64_t nodes, NodeRange used) : words_(bytes(nodes)) {
    const std::uint64_t first = used.first / nodes_per_word;
    if (words_.size() != 0)
      std::memset(words_.data() + first * sizeof(std::uint64_t), 0,
                  (words(used.last) - first) * sizeof(std::uint64_t));
  }

  [[nodiscard]] static constexpr std::uint64_t words(std::uint64_t nodes) noexcept {
    return (nodes + nodes_per_word - 1) / nodes_per_word;
  }
  [[nodiscard]] static constexpr std::uint64_t bytes(std::uint64_t nodes) noexcept {
    return words(nodes) * sizeof(std::uint64_t);
  }
  [[nodiscard]] static constexpr std::uint64_t word_of(NodeId node) noexcept {
    return index(node) / nodes_per_word;
  }
  [[nodiscard]] static constexpr std::uint64_t bit_of(NodeId node) noexcept {
    return std::uint64_t{1} << (index(node) % nodes_per_word);
  }

  /// Every access says its order.
  [[nodiscard]] std::atomic_ref<std::uint64_t> word(std::uint64_t number) const noexcept {
    return std::atomic_ref(reinterpret_cast<std::uint64_t*>(words_.data())[number]);
  }

 private:
  HugeBuffer words_;
};

/// The result of a message that is put into a box.
enum class Put : std::uint8_t {
  accepted,
  crowded,  ///< another one reaches the node in this step
  again     ///< the node was reached before
};

class ReceiveOnceBoxes {
 public:
  static constexpr std::uint64_t max_ports = 64;  // senders keep one bit for each
  static constexpr std::uint64_t bits_per_node = 3;

  /// The boxes of `own` nodes are used.
  ReceiveOnceBoxes(std::uint64_t nodes, std::size_t block_bytes, NodeRange own)
      : stride_(stride(block_bytes)),
        boxes_(nodes * stride_),
        runs_{NodeBits(nodes, own), NodeBits(nodes, own)},
        reached_(nodes, own) {}

  [[nodiscard]] static std::size_t stride(std::size_t block_bytes) noexcept {
    return block_bytes == 0 ? 1 : block_bytes;  // a port needs a place
  }

  /// Before the run, by one thread: the node runs in step 0.
  void start(NodeId node) noexcept {
    // relaxed: nobody else is there yet.
    runs_[0].word(NodeBits::word_of(node)).fetch_or(NodeBits::bit_of(node), relaxed);
    reached_.word(NodeBits::word_of(node)).fetch_or(NodeBits::bit_of(node), relaxed);
    poison_bytes(boxes_.data() + index(node) * stride_, stride_);
  }

  /// After a pass in which its message was one of several, by one thread: of them the one through
  /// the lowest port stays. That port.
  [[nodiscard]] Port keep_lowest(NodeId node, Port other) noexcept {
    std::byte& tag = boxes_.data()[index(node) * stride_];
    tag = std::min(tag, static_cast<std::byte>(index(other)));
    return port(std::to_integer<unsigned>(tag));
  }

  /// The nodes of a word that run in a step.
  struct Running {
    std::uint64_t reached_now;  ///< there is a message for them
    std::uint64_t others;       ///< they started, or asked to stay
  };

  /// In one step; a small value that fits registers.
  class InStep {
   public:
    InStep(const ReceiveOnceBoxes& boxes, std::uint64_t step) noexcept
        : boxes_(boxes.boxes_.data()),
          stride_(boxes.stride_),
          now_(&boxes.runs_[step % 2]),
          next_(&boxes.runs_[(step + 1) % 2]),
          reached_(&boxes.reached_) {}

    /// By the worker of the word's nodes alone.
    [[nodiscard, gnu::always_inline]] Running drain(std::uint64_t word) const noexcept {
      // relaxed: pairs with put() and stay() in the pass before through the end of its loop.
      const std::uint64_t running = now_->word(word).load(relaxed);
      if (running == 0) return {0, 0};
      const std::uint64_t before = reached_->word(word).load(relaxed);  // written here alone
      reached_->word(word).store(before | running, relaxed);
      // release: who finds the bits gone in put() finds them among the reached.
      now_->word(word).store(0, std::memory_order_release);
      return {running & ~before, running & before};
    }

    /// A message for `node`, through its port `through`.
    [[nodiscard, gnu::always_inline]] Put put(NodeId node, Port through) const noexcept {
      const std::uint64_t word = NodeBits::word_of(node);
      const std::uint64_t bit = NodeBits::bit_of(node);
      // acquire: pairs with the release in drain(); the order of the two loads matters.
      std::uint64_t busy = now_->word(word).load(std::memory_order_acquire);
      busy |= reached_->word(word).load(relaxed);  // as drain() left it before the release
      if ((busy & bit) != 0) [[unlikely]]
        return Put::again;
      // relaxed: the bit only has to be set by one; drain() sees it after the end of the loop.
      if ((next_->word(word).fetch_or(bit, relaxed) & bit) != 0) [[unlikely]]
        return Put::crowded;
      *box(node) = static_cast<std::byte>(index(through));
      return Put::accepted;
    }

    /// By its own worker: the node runs in the next step as well.
    [[gnu::always_inline]] void stay(NodeId node) const noexcept {
      // relaxed: as in put().
      next_->word(NodeBits::word_of(node)).fetch_or(NodeBits::bit_of(node), relaxed);
    }

    /// The port through which the message of `node` came. Once: the box is memory from then on,
    /// poisoned here and not beforehand, which took one worker 8 s for 2.5 billion.
    [[nodiscard, gnu::always_inline]] Port open(NodeId node) const noexcept {
      std::byte* const own = box(node);
      const Port through = port(std::to_integer<unsigned>(*own));
      if (stride_ == 1)  // the block of billions, without a call
        *own = poison;
      else
        poison_bytes(own, stride_);
      return through;
    }

    [[nodiscard, gnu::always_inline]] std::byte* box(NodeId node) const noexcept {
      return boxes_ + index(node) * stride_;
    }

   private:
    std::byte* boxes_;
    std::size_t stride_;
    const NodeBits* now_;
    const NodeBits* next_;
    const NodeBits* reached_;
  };

 private:
  static constexpr std::memory_order relaxed = std::memory_order_relaxed;

  std::size_t stride_;
  HugeBuffer boxes_;
  NodeBits runs_[2];
  NodeBits reached_;
};

}  // namespace lockstep::detail
