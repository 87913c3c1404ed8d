// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The machine's state during one pass over the processors, as one block of processors sees it.
/// Not for users: they see StepView.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "lockstep/core/detail/std_basics.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/machine/detail/channels.hpp"
#include "lockstep/machine/detail/message.hpp"
#include "lockstep/machine/detail/other_processes.hpp"
#include "lockstep/machine/detail/queue_ledger.hpp"
#include "lockstep/machine/detail/rejected_messages.hpp"
#include "lockstep/machine/detail/sent_slots.hpp"
#include "lockstep/machine/detail/task_outcome.hpp"
#include "lockstep/machine/step_view.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/topology/network.hpp"

namespace lockstep::detail {

/// How long messages wait on their way: in which step each block of each processor's memory
/// arrived, kept where a run is asked to measure it (MachineOptions::watch_waits). A block that
/// goes on in the step after its arrival has not waited; own blocks, which the host loaded, never
/// do.
class ArrivalTimes {
 public:
  /// Without regions no times are kept. `first_slots`: by region and node, the slots of the nodes
  /// before it, and of all; empty if all nodes have as many. They outlive this object.
  ArrivalTimes(std::uint64_t nodes, const std::vector<std::uint32_t>& regions,
               std::span<const std::vector<std::uint64_t>> first_slots, QueueLedger* queues);
  /// Whether waits are counted.
  [[nodiscard]] bool are_kept() const noexcept { return !steps_.empty(); }
  /// Counts every arrival and send of a switch; null if queues are not measured.
  [[nodiscard]] QueueLedger* queues() const noexcept { return queues_; }

  /// `step`: when it is stored; it was sent in the step before. For one processor, or for `count`
  /// consecutive ones, which have as many slots.
  [[gnu::always_inline]] void stored(NodeId node, Region region, std::uint32_t slot,
                                     std::uint64_t step, std::size_t count = 1) noexcept {
    set(node, region, slot, static_cast<std::uint32_t>(step), count);
  }
  [[gnu::always_inline]] void loaded(NodeId node, Region region, std::uint32_t slot,
                                     std::size_t count = 1) noexcept {
    set(node, region, slot, own, count);
  }
  /// Whether the block has waited with any of `count` consecutive processors that send it in
  /// `step`.
  [[nodiscard]] bool any_wait(NodeId first, Region region, std::uint32_t slot, std::uint64_t step,
                              std::size_t count) const noexcept {
    const std::size_t stride = regions_[index(region)];
    const std::uint32_t* const since = &steps_[index(region)][place(first, region, slot)];
    const auto now = static_cast<std::uint32_t>(step);
    std::uint32_t late = 0;
    const auto look = [&](std::size_t apart) {
      for (std::size_t k = 0; k < count; ++k)
        late |= static_cast<std::uint32_t>(since[k * apart] != own && since[k * apart] != now);
    };
    stride == 1 ? look(1) : look(stride);  // consecutive words: vector instructions
    return late != 0;
  }
  /// Steps that the block has waited when it is sent in `step`.
  [[nodiscard, gnu::always_inline]] std::uint32_t wait(NodeId node, Region region,
                                                       std::uint32_t slot,
                                                       std::uint64_t step) const noexcept {
    const std::uint32_t since = steps_[index(region)][place(node, region, slot)];
    return since == own ? 0 : static_cast<std::uint32_t>(step) - since;
  }

 private:
  static constexpr std::uint32_t own = 0;  // nothing arrives in step 0

  [[gnu::always_inline]] void set(NodeId first, Region region, std::uint32_t slot,
                                  std::uint32_t step, std::size_t count) noexcept {
    const std::size_t stride = regions_[index(region)];
    std::uint32_t* const since = &steps_[index(region)][place(first, region, slot)];
    if (stride == 1) {
      std::fill_n(since, count, step);
    } else {
      for (std::size_t k = 0; k < count; ++k) since[k * stride] = step;
    }
  }

  [[nodiscard]] std::size_t place(NodeId node, Region region, std::uint32_t slot) const noexcept {
    const std::size_t r = index(region);
    return slot + (first_slots_.empty() ? index(node) * regions_[r] : first_slots_[r][index(node)]);
  }

  QueueLedger* queues_ = nullptr;
  std::vector<std::uint32_t> regions_;  // blocks of each, per processor
  std::span<const std::vector<std::uint64_t>> first_slots_;
  std::vector<std::vector<std::uint32_t>> steps_;  // [region][node][block]
};

/// Equal regions of all nodes, next to each other.
struct RegionLayout {
  std::byte* bytes = nullptr;
  std::size_t stride = 0;                // from node to node, where all have as many slots
  std::uint32_t blocks = 0;              // of a node, at most
  std::size_t slot_bytes = 0;            // of a block and its label, or of a control word
  bool control = false;                  // words, not blocks
  const std::uint64_t* first = nullptr;  // where nodes differ: the slots before those of each

  /// The bytes before the node's own.
  template <bool uneven>
  [[nodiscard, gnu::always_inline]] std::size_t offset(NodeId node) const noexcept {
    if constexpr (uneven) return first[index(node)] * slot_bytes;
    return index(node) * stride;
  }
  template <bool uneven>
  [[nodiscard, gnu::always_inline]] std::uint64_t blocks_of(NodeId node) const noexcept {
    if constexpr (uneven) return blocks == 0 ? 0 : first[index(node) + 1] - first[index(node)];
    return blocks;
  }
};

/// One bit per node; any worker may set bits, the owner of a word drains it. A second level has one
/// bit per word, so that a step with few active nodes does not read the words of all the others.
class ActiveSet {
 public:
  explicit ActiveSet(std::uint64_t nodes)
      : bits_(words_for(nodes)), marks_(words_for(words_for(nodes))) {}

  [[nodiscard]] static constexpr std::uint64_t bytes(std::uint64_t nodes) noexcept {
    return (words_for(nodes) + words_for(words_for(nodes))) * sizeof(std::uint64_t);
  }
  /// The words of 64 nodes, and the groups of 64 words, that hold numbers below `count`.
  [[nodiscard]] static constexpr std::uint64_t words_for(std::uint64_t count) noexcept {
    return (count + 63) / 64;
  }

  /// Whether it was not there before.
  bool insert(NodeId node) noexcept {
    const std::uint64_t bit = std::uint64_t{1} << (index(node) % 64);
    std::atomic<std::uint64_t>& word = bits_[index(node) / 64];
    // relaxed: pairs with drain() in the next pass through the end of the parallel loop. A look is
    // cheaper than a locked instruction, and many nodes receive several messages in a step.
    if ((word.load(std::memory_order_relaxed) & bit) != 0) return false;
    const std::uint64_t before = word.fetch_or(bit, std::memory_order_relaxed);
    if (before == 0) mark(index(node) / 64);
    return (before & bit) == 0;
  }
  /// By one thread between passes.
  [[nodiscard]] std::uint64_t word(std::uint64_t number) const noexcept {
    return bits_[number].load(std::memory_order_relaxed);  // as insert()
  }
  /// The words of the group that are not empty and have nodes among first..last - 1, as bits. The
  /// caller drains each of them.
  [[nodiscard]] std::uint64_t take_words(std::uint64_t group, std::uint64_t first,
                                         std::uint64_t last) noexcept {
    const std::uint64_t words = marks_[group].load(std::memory_order_relaxed) &  // as insert()
                                from(group, first / 64) & ~from(group, words_for(last));
    // The group may be shared with the task next to this one, which removes its own words.
    if (words != 0) marks_[group].fetch_and(~words, std::memory_order_relaxed);
    return words;
  }
  /// Those of the word that are nodes first..last - 1; the others stay. Precondition: some are.
  [[nodiscard]] std::uint64_t drain(std::uint64_t word, std::uint64_t first,
                                    std::uint64_t last) noexcept {
    const std::uint64_t all = bits_[word].load(std::memory_order_relaxed);  // as insert()
    const std::uint64_t bits = all & from(word, first) & ~from(word, last);
    bits_[word].store(all & ~bits, std::memory_order_relaxed);  // as insert()
    if (all != bits) [[unlikely]]
      mark(word);
    return bits;
  }

 private:
  /// The bits of the word that are those of `number` or of a higher one.
  [[nodiscard]] static std::uint64_t from(std::uint64_t word, std::uint64_t number) noexcept {
    if (number <= word * 64) return ~std::uint64_t{0};
    return number >= word * 64 + 64 ? 0 : ~std::uint64_t{0} << (number % 64);
  }
  void mark(std::uint64_t word) noexcept {
    marks_[word / 64].fetch_or(std::uint64_t{1} << (word % 64), std::memory_order_relaxed);
  }

  std::vector<std::atomic<std::uint64_t>> bits_;
  std::vector<std::atomic<std::uint64_t>> marks_;  // a bit for each word of bits_ that is not empty
};

/// A local variable of the loop over processors, that nothing outside it points to: the compiler
/// keeps in registers what the loop needs. (As references into the machine, every store of a byte
/// made it read all of them again: 2.5 times slower.)
///
/// In usual passes - full duplex, no fault, trace or series, neither the first nor the last - one
/// look says that all the checks that concern the others can be left out. `in_groups`: processors
/// run in groups, which do without a fault and the first and last pass at all.
template <class Net, class Prog, class Chans, bool in_groups>
struct Pass {
  using ProgramType = Prog;
  static constexpr bool grouped = in_groups;
  static constexpr bool reading = ReadingProgram<Prog>;
  static constexpr bool uneven = UnevenProgram<Prog>;
  static constexpr bool wormhole = std::same_as<Chans, WormholeChannels>;
  /// If all nodes make the same moves, one entry states the slots that each sent in the step
  /// before.
  static constexpr bool same_moves = MakesSameMoves<Prog> && !wormhole;
  using ArrivalType = std::conditional_t<reading || RoutingProgram<Prog>, OpenArrival, Arrival>;
  /// A promise, which the machine watches where it is given one.
  static constexpr bool receives_once = ReceiveOnceProgram<Prog> && !wormhole;
  static constexpr bool one_message_per_node = std::same_as<Chans, MailboxChannels>;
  /// Whether entering a channel depends on the state of the receiver, or of the links of a route:
  /// then messages to other processes are noted, and enter the channels there. Others enter the
  /// channels here first, which keep them for the exchange.
  static constexpr bool notes_sent_away = one_message_per_node || receives_once || wormhole;
  /// Copied where that costs nothing: it lives in registers with the rest.
  using Held = std::conditional_t<std::is_trivially_copyable_v<Net> || std::same_as<Net, Network>,
                                  Net, const Net&>;
  Held network;
  const Prog* program;
  typename Chans::Receiver in;
  typename Chans::Sender out;
  StepJudge judge;
  bool is_unusual;
  bool last_call;
  bool regular;              // every node has every port
  std::uint64_t processors;  // nodes below are; none of a group is a switch
  bool track_activity;       // per-step counts of active processors
  Host* host;
  const RegionLayout* memory;  // of every number a region may have
  typename Prog::Memory* variables;
  ActiveSet* next_active;  // sparse programs only
  const Fault* fault;
  Replay* duplicate;  // filled where the fault is one
  CorruptedBlocks* corrupted_blocks;
  std::size_t block_bytes;
  std::uint32_t parts;  // blocks that a load writes and a delivery reads
  std::uint64_t step;
  DeliveryBatch* batch;
  SendTrace* trace;       // null: none is kept
  ArrivalTimes* times;    // null: waits are not watched
  KeptSlots<Prog>* sent;  // by node, or one for all; null: what is in flight is not watched
  ListedRanges* ranges_before;
  ListedRanges* ranges_now;
  OncePromise* once = nullptr;  // null: not watched
  std::vector<RejectedMessage>* rejected = nullptr;
  NodeRange own{};                        // the nodes of this process
  std::vector<SentAway>* away = nullptr;  // null: there is no other process
  TaskCounts counts{};

  /// The place of the message decoded last in its sender's memory: mostly that of the next one too.
  struct Decoded {
    Message message{};
    const std::byte* bytes = nullptr;  // of node 0
    std::size_t stride = 0;
    const std::uint32_t* list = nullptr;
  };
  Decoded decoded{};

  [[nodiscard, gnu::always_inline]] bool unusual() const noexcept { return !grouped && is_unusual; }

  [[nodiscard, gnu::always_inline]] std::size_t slot_bytes(Region region) const noexcept {
    if constexpr (reading) return memory[index(region)].slot_bytes;
    return block_bytes;
  }
  [[nodiscard, gnu::always_inline]] bool is_control(Region region) const noexcept {
    if constexpr (reading) return memory[index(region)].control;
    return false;
  }

  /// The bytes of the message decoded last, in that sender's memory.
  [[nodiscard, gnu::always_inline]] const std::byte* decoded_in(NodeId sender) const noexcept {
    if constexpr (uneven)
      return decoded.bytes + memory[index(decoded.message.region())].template offset<true>(sender);
    return decoded.bytes + index(sender) * decoded.stride;
  }
  [[gnu::always_inline]] void decode(Message message) {
    const RegionLayout& layout = memory[index(message.region())];
    decoded = {message, layout.bytes, layout.stride, nullptr};
    if (!message.gathered()) {
      decoded.bytes += message.first() * slot_bytes(message.region());
    } else if constexpr (GatheringProgram<Prog>) {
      const std::span<const std::uint32_t> slots =
          program->gather_list(static_cast<GatherList>(message.first()));
      if (slots.size() != message.blocks() || SlotBounds::of(slots).highest >= layout.blocks)
          [[unlikely]]
        refuse_changed_list(message.first());  // it was in order when it was sent
      decoded.list = slots.data();
    }
  }
  /// Whether the node is a switch: what it wanted of a host is a violation.
  [[nodiscard, gnu::always_inline]] bool lacks_host(NodeId node) const {
    const bool lacks = !grouped && index(node) >= processors;
    if (lacks) [[unlikely]]
      judge.no_host(node);
    return lacks;
  }
  void activate(NodeId node) noexcept {
    if constexpr (Prog::activity == Activity::sparse) next_active->insert(node);
  }
  /// The bytes as they are now: the sender will need their place before the replay arrives.
  void remember(NodeId sender, Port port, Message message) {
    decode(message);
    duplicate->keep(port, message, decoded_in(sender), decoded.list, slot_bytes(message.region()));
  }
  // The step first: in that of the fault the worker of the sender writes what is asked for here.

  /// Whether the message through `port` of `node` in this step is the one sent once more.
  [[nodiscard]] bool replays_through(NodeId node, Port port) const noexcept {
    return step == fault->step + 1 && duplicate->message && node == fault->sender &&
           port == duplicate->port;
  }
  /// Whether what `receiver` took from `sender` is the message sent once more in the step before.
  [[nodiscard]] bool is_replayed(NodeId sender, NodeId receiver) const noexcept {
    return step == fault->step + 2 && duplicate->message && sender == fault->sender &&
           network.neighbor(sender, duplicate->port) == receiver;
  }
};

}  // namespace lockstep::detail
