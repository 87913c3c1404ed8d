// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The tallies that the tasks of a pass hand to the host and leave behind for the record. Not for
/// users.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include "lockstep/core/detail/std_basics.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/machine/arrival.hpp"
#include "lockstep/machine/detail/message.hpp"
#include "lockstep/machine/run_record.hpp"
#include "lockstep/machine/send_event.hpp"
#include "lockstep/program/host.hpp"

namespace lockstep::detail {

/// What the nodes of a task did in a pass. Not for users: they see RunRecord.

/// How many nodes sent and received.
struct NodeCounts {
  std::uint64_t senders = 0;
  std::uint64_t receivers = 0;  // of the messages of the step before
  std::uint64_t busy = 0;       // received and sent in the step before

  NodeCounts& operator+=(const NodeCounts& other) noexcept {
    senders += other.senders;
    receivers += other.receivers;
    busy += other.busy;
    return *this;
  }
  /// Precondition: the other counts some of the same nodes.
  [[nodiscard]] NodeCounts without(const NodeCounts& other) const noexcept {
    return {senders - other.senders, receivers - other.receivers, busy - other.busy};
  }
};

/// Counts of one task in one pass; plain numbers, so that they stay in registers.
struct TaskCounts {
  NodeCounts all;         // of processors and switches
  NodeCounts processors;  // of all, those that are processors; taken over where their range ends
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
  std::uint64_t stores_without_message = 0;
  std::optional<UnmetUse> first_unmet{};  // the lowest, without its step
  std::uint64_t loads = 0;                // blocks that hosts gave
  MachineWork work;
  std::uint64_t waited = 0;  // blocks that had waited when they were sent
  std::uint64_t longest_wait = 0;
  std::uint64_t first_waiter = ~std::uint64_t{0};  // lowest number of their senders
  std::uint64_t crossing = 0;                      // messages to other processes, and their bytes
  std::uint64_t crossing_bytes = 0;
  std::uint64_t last_counted = 0;  // message and port of the send before: mostly the same again

  /// Whether the send before was the same: then it is in order, and counted but for its blocks.
  [[nodiscard, gnu::always_inline]] bool is_again(Port port, Message message) const noexcept {
    return last_counted == word_of(port, message);
  }
  [[gnu::always_inline]] void count_copies(std::uint64_t copies, std::uint64_t copied) noexcept {
    work.copies += copies;
    work.copied += copied;
  }
  void count_combines(std::uint64_t calls, std::uint64_t combined) noexcept {
    work.combines += calls;
    work.combined += combined;
  }
  void count_unmet(NodeId node, std::uint64_t wanted, std::uint64_t arrived) noexcept {
    ++stores_without_message;
    note_unmet({0, node, wanted, arrived});
  }
  void note_unmet(const UnmetUse& use) noexcept {
    first_unmet = first_unmet ? std::min(*first_unmet, use) : use;
  }
  void count_wait(NodeId node, std::uint64_t steps) noexcept {
    if (steps == 0) return;
    ++waited;
    longest_wait = std::max(longest_wait, steps);
    first_waiter = std::min(first_waiter, index(node));
  }
  [[gnu::always_inline]] void count_another(Port port, Message message, bool control) noexcept {
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
    all += other.all;
    processors += other.processors;
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
    stores_without_message += other.stores_without_message;
    if (other.first_unmet) [[unlikely]]
      note_unmet(*other.first_unmet);
    loads += other.loads;
    work += other.work;
    waited += other.waited;
    longest_wait = std::max(longest_wait, other.longest_wait);
    first_waiter = std::min(first_waiter, other.first_waiter);
    crossing += other.crossing;
    crossing_bytes += other.crossing_bytes;
    return *this;
  }
};

/// Deliveries are handed to the host by the batch: its checks run in a loop of their own, and two
/// looks at the clock per batch tell what they cost.
class DeliveryBatch {
 public:
  static constexpr std::size_t least_row = 64;  // deep enough that the clock is lost in it

  DeliveryBatch(Host& host, DeliveryTally& tally, double& seconds)
      : host_(host), tally_(tally), seconds_(seconds) {}

  [[gnu::always_inline]] void add(const Delivery& delivery) {
    entries_[size_++] = delivery;
    if (size_ == entries_.size()) flush();
  }

  /// The block at bytes[k] + offset of origins[k] for `first` + k: a row goes to the host at once.
  [[gnu::always_inline]] void add_each(const std::byte* const* bytes, std::size_t offset,
                                       NodeId first, std::span<const std::uint32_t> origins) {
    if (origins.size() >= least_row) return hand_over(bytes, offset, first, origins);
    for (std::size_t k = 0; k < origins.size(); ++k)
      add({bytes[k] + offset, NodeId{origins[k]}, NodeId{index(first) + k}});
  }

  /// Runs of blocks go to the host at once: each_run(accept) calls accept(bytes, stride,
  /// destination, origins) for each.
  template <class EachRun>
  void add_runs(const EachRun& each_run) {
    flush();  // as for a row
    const auto start = std::chrono::steady_clock::now();
    each_run([this](const std::byte* bytes, std::size_t stride, NodeId destination,
                    std::span<const std::uint32_t> origins) {
      host_.accept_run(bytes, stride, destination, origins, tally_);
    });
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  /// Whether one of the last, all of `node` and of `bytes` bytes, lies there; or they are too many
  /// to say.
  [[nodiscard]] bool holds_of(NodeId node, const std::byte* first, const std::byte* last,
                              std::size_t bytes) const {
    constexpr std::size_t too_many = 32;
    for (std::size_t i = 1; i <= size_ && entries_[size_ - i].destination == node; ++i)
      if (i == too_many ||
          (entries_[size_ - i].bytes + bytes > first && entries_[size_ - i].bytes < last))
        return true;
    return false;
  }

  void flush();

 private:
  void hand_over(const std::byte* const* bytes, std::size_t offset, NodeId first,
                 std::span<const std::uint32_t> origins);

  Host& host_;
  DeliveryTally& tally_;
  double& seconds_;
  std::size_t size_ = 0;
  std::array<Delivery, 256> entries_;  // deep enough that the clock is lost in it
};

/// The outcome of a task; one cache line apart, as different workers write them.
struct alignas(64) TaskOutcome {
  TaskCounts counts;
  DeliveryTally deliveries;
  double verify_seconds = 0;
  double seconds = 0;  // of the pass, where the task ran several passes
  std::vector<Violation> violations;
  SendTrace trace;
  bool stops = false;  // a process is asked to stop
  std::exception_ptr failure;
};

}  // namespace lockstep::detail
