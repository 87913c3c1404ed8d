// SPDX-License-Identifier: Apache-2.0
#pragma once
// size: one class, all of whose members have to be inlined, with what a rule may not call.

/// The view that a step rule is handed: StepView, all that one processor may see and do in one
/// step. program/program.hpp says what each call means.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/arrival.hpp"
#include "lockstep/machine/channel.hpp"
#include "lockstep/machine/detail/queue_ledger.hpp"
#include "lockstep/machine/detail/rejected_messages.hpp"
#include "lockstep/machine/detail/sent_slots.hpp"
#include "lockstep/machine/detail/step_judge.hpp"
#include "lockstep/machine/detail/wormhole_channels.hpp"
#include "lockstep/machine/fault.hpp"
#include "lockstep/machine/send_event.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/host.hpp"
#include "lockstep/program/memory_moves.hpp"
#include "lockstep/program/program.hpp"

namespace lockstep {

namespace detail {
/// Matches any argument, so that a call with wrong arguments selects an unavailable overload.
struct Anything {
  template <class Any>
  Anything(const Any&);
};
}  // namespace detail

/// One processor in one step. `Pass` is the machine's state of that step (machine/detail/pass.hpp).
/// Every member is inlined, so that the view and the pass it refers to live in registers.
template <class Pass>
class StepView : public MemoryMoves<StepView<Pass>> {
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

  using Arrival = typename Pass::ArrivalType;

  [[nodiscard, gnu::always_inline]] Arrival take(Port port) {
    if (index(port) >= pass_.network.max_degree()) [[unlikely]]
      return {};
    if (!pass_.regular && index(port) >= degree()) return {};
    if (pass_.unusual() && pass_.step == 0) return {};
    if constexpr (Pass::wormhole) {
      const WormholeChannels::Arrived arrived = pass_.in.arrived(node_, port);
      if (!arrived.message) return {};
      note_taken(port);
      Arrival arrival = arrival_of(arrived.message, arrived.sender, port);
      if constexpr (RoutingProgram<typename Pass::ProgramType>)
        if (arrived.route != 0) arrival.route_ = static_cast<Route>(arrived.route - 1);
      return arrival;
    } else {
      Message message = pass_.in.pull(node_, port);
      if constexpr (Pass::same_moves && requires { pass_.in.row(port); })
        if (!message) message = pass_.in.row(port);
      if (!message) return {};
      note_taken(port);
      return arrival_of(message, pass_.network.neighbor(node_, port), port);
    }
  }

  /// Called again in a step, it looks beyond the port it came to.
  [[nodiscard, gnu::always_inline]] Arrival take_first() {
    if constexpr (Pass::receives_once)  // of several, all but the first are rejected
      if (pass_.once != nullptr && taken_ != 0) return {};
    if constexpr (requires { pass_.in.occupied_port(node_); }) {
      if (pass_.step == 0) return {};
      const std::optional<Port> occupied = pass_.in.occupied_port(node_);
      if (!occupied || index(*occupied) < next_looked_at_) return {};
      next_looked_at_ = index(*occupied) + 1U;
      return take(*occupied);
    } else {
      while (next_looked_at_ < degree())
        if (const Arrival arrival = take(port(next_looked_at_++))) return arrival;
      return {};
    }
  }

  /// A missing or ill-sized message leaves poison behind, so that stale bytes cannot pass.
  [[gnu::always_inline]] void store(const Arrival& arrival, Blocks into) {
    if (!is_mine(arrival) || !may_alter(into)) [[unlikely]]
      return;
    std::byte* const to = address(into.region, into.first);
    const std::size_t bytes = pass_.slot_bytes(into.region);
    if (pass_.times != nullptr) [[unlikely]]
      note_stored(into, arrival.port());
    if (!fits(arrival, into.region, into.count)) [[unlikely]] {
      note_unmet(into.count, arrival.blocks());
      return detail::poison_bytes(to, into.count * bytes);
    }
    pass_.counts.count_copies(1, into.count);
    if (arrival.list_ == nullptr) [[likely]]
      detail::copy_bytes(to, arrival.memory_, into.count * bytes);
    else
      detail::copy_blocks(to, nullptr, arrival.memory_, arrival.list_, into.count, bytes);
    if (arrival.corrupted_ && into.count != 0) [[unlikely]]
      corrupt(into.region, to);
  }

  /// Block i of the message goes to slot slots[i] of `region`.
  [[gnu::always_inline]] void store(const Arrival& arrival, Region region,
                                    std::span<const std::uint32_t> slots) {
    if (!is_mine(arrival) || !may_alter(region, slots)) [[unlikely]]
      return;
    const bool complete = fits(arrival, region, slots.size());
    const std::size_t bytes = pass_.slot_bytes(region);
    if (!complete) note_unmet(slots.size(), arrival.blocks());
    pass_.counts.count_copies(1, slots.size());
    pass_.counts.work.listed += slots.size();
    if (pass_.times != nullptr) [[unlikely]]
      note_stored(region, slots, arrival.port());
    if (!complete) {
      for (const std::uint32_t slot : slots) detail::poison_bytes(address(region, slot), bytes);
      return;
    }
    detail::copy_blocks(address(region, 0), slots.data(), arrival.memory_, arrival.list_,
                        slots.size(), bytes);
    if (!arrival.corrupted_ || slots.empty()) [[likely]]
      return;
    // A later block may have gone to the same slot.
    if (std::ranges::count(slots, slots.front()) == 1)
      corrupt(region, address(region, slots.front()));
  }

  /// Block i of the message with block i of `own`, by the host's operation; what store() does about
  /// a message that is missing, of another size or corrupted.
  void combine(const Arrival& arrival, Blocks blocks, Operands order = Operands::own_first) {
    combine(arrival, blocks, blocks, order);
  }
  void combine(const Arrival& arrival, Blocks own, Blocks into, Operands order = {});
  /// With slot slots[i] of `region`.
  void combine(const Arrival& arrival, Region region, std::span<const std::uint32_t> slots,
               Operands order = {});
  using MemoryMoves<StepView>::combine;
  using MemoryMoves<StepView>::copy;
  void perform(const CombineBlocks& move);
  void perform(const CopyBlocks& move);

  /// In place: the host checks the bytes where they arrived.
  [[gnu::always_inline]] void deliver(const Arrival& arrival, SlotNumber i, Origin origin) {
    if (pass_.lacks_host(node_) || !is_mine(arrival)) [[unlikely]]
      return;
    if (std::uint64_t{i} + pass_.parts > arrival.blocks()) [[unlikely]]
      return refuse_block(arrival.blocks(), i, arrival.port());
    std::size_t slot_bytes = pass_.block_bytes;
    if constexpr (Pass::reading) {
      if (arrival.control_) [[unlikely]]
        return pass_.judge.slot(node_, Rule::memory, arrival.region_, i);
      slot_bytes = arrival.slot_bytes_;
    }
    const std::byte* bytes = arrival.block(i, slot_bytes);
    if (pass_.parts != 1 && (arrival.list_ != nullptr || arrival.corrupted_)) [[unlikely]]
      bytes = joined(arrival, i, slot_bytes);
    else if (arrival.corrupted_ && i == 0) [[unlikely]]
      bytes = pass_.corrupted_blocks->copy(bytes, pass_.block_bytes, pass_.fault->corrupt_byte);
    pass_.batch->add({bytes, origin, node_});
  }

  /// `slot` is one block of the own memory, or the first of its parts.
  [[gnu::always_inline]] void deliver(Region region, SlotNumber slot, Origin origin) {
    if (pass_.lacks_host(node_) || !owns_block(region, slot)) [[unlikely]]
      return;
    delivered_ = true;
    pass_.batch->add({address(region, slot), origin, node_});
  }

  [[gnu::always_inline]] void load(Region region, SlotNumber slot, NodeId destination) {
    load(region, slot, node_, destination);
  }
  [[gnu::always_inline]] void load(Region region, SlotNumber slot, Origin origin,
                                   NodeId destination) {
    if (pass_.lacks_host(node_) || !owns_block(region, slot) ||
        !may_alter({region, slot, pass_.parts})) [[unlikely]]
      return;
    if (pass_.times != nullptr && pass_.times->are_kept()) [[unlikely]]
      for (std::uint32_t i = 0; i < pass_.parts; ++i) pass_.times->loaded(node_, region, slot + i);
    ++pass_.counts.loads;
    pass_.host->load(address(region, slot), node_, origin, destination);
  }

  /// A block in own memory; none where there is no such. Of programs that read bytes.
  [[nodiscard]] std::span<const std::byte> bytes(Region region, SlotNumber slot) const {
    constexpr bool declared = ByteReadingProgram<typename Pass::ProgramType>;
    static_assert(declared, "bytes(): the program does not list Traits::reads_bytes");
    if (!owns_block(region, slot)) return {};
    return {address(region, slot), pass_.block_bytes};
  }

  /// The label of a block in own memory, or a control word. Of programs that have them.
  [[nodiscard]] std::uint64_t word(Region region, SlotNumber slot) const {
    static_assert(Pass::reading, "word(): the program has neither labels nor control words");
    std::uint64_t word = detail::poisoned_word;
    if (has_word(region, slot)) [[likely]]
      std::memcpy(&word, address_of_word(region, slot), word_bytes);
    return word;
  }
  void set_word(Region region, SlotNumber slot, std::uint64_t word) {
    static_assert(Pass::reading, "set_word(): the program has neither labels nor control words");
    if (has_word(region, slot) && may_alter({region, slot, 1})) [[likely]]
      std::memcpy(address_of_word(region, slot), &word, word_bytes);
  }

  [[gnu::always_inline]] void send(Port port, Blocks blocks) {
    if (!PackedBlocks::fits(blocks)) [[unlikely]]
      return refuse_unpacked(port, blocks);
    send(port, PackedBlocks(blocks));
  }
  [[gnu::always_inline]] void send(Port port, PackedBlocks blocks) {
    push(port, Message::of(blocks));
  }

  /// The listed blocks of `region`, as one message.
  [[gnu::always_inline]] void send(Port port, Region region, GatherList list) {
    constexpr bool gathers = GatheringProgram<typename Pass::ProgramType>;
    static_assert(gathers, "send(): the program does not list Traits::gather_list");
    if constexpr (gathers) push(port, gathered(region, list));
  }

  /// Over all links of the route.
  void send(Route route, Blocks blocks) {
    static_assert(Pass::wormhole, "send(): the program does not list Traits::routes");
    if constexpr (Pass::wormhole) {
      if (!leads_somewhere(route)) return;
      if (!PackedBlocks::fits(blocks)) return refuse_foreign(blocks);
      push(route, Message::of(PackedBlocks(blocks)));
    }
  }
  void send(Route route, Region region, GatherList list) {
    static_assert(Pass::wormhole, "send(): the program does not list Traits::routes");
    if constexpr (Pass::wormhole)
      if (leads_somewhere(route)) push(route, gathered(region, list));
  }

  // Calls with other arguments: compilers print this one line, not a list of all overloads.
  /// @cond
  __attribute__((unavailable("call take(Port)"))) Arrival take(...);
  __attribute__((unavailable("call take_first()"))) Arrival take_first(detail::Anything);
  __attribute__((unavailable("call memory(): the processor's own")))
  typename Pass::ProgramType::Memory& memory(detail::Anything);
  __attribute__((unavailable("call stay_active()"))) void stay_active(detail::Anything);
  __attribute__((unavailable("call store(Arrival, Blocks) or (Arrival, Region, slots)"))) void
  store(const Arrival&, ...);
  __attribute__((unavailable("call store(Arrival, Blocks)"))) void store(detail::Anything, Blocks);
  __attribute__((unavailable("call combine(Arrival, Blocks); see program.hpp"))) void combine(
      const Arrival&, ...);
  __attribute__((unavailable("call combine(Arrival, Blocks); see program.hpp"))) void combine(...);
  __attribute__((unavailable("call copy(Blocks from, Blocks to)"))) void copy(...);
  __attribute__((unavailable("call deliver(Arrival, i, Origin)"))) void deliver(const Arrival&,
                                                                                ...);
  __attribute__((unavailable("call deliver(Arrival, i, Origin) or (Region, slot, Origin)"))) void
  deliver(...);
  __attribute__((unavailable("call load(Region, slot, [Origin,] NodeId)"))) void load(...);
  __attribute__((unavailable("call send(Port, Blocks) or (Port, Region, GatherList)"))) void send(
      ...);
  __attribute__((unavailable("call send(Port, Blocks) or send(Route, Blocks)"))) void send(
      detail::Anything, Blocks);
  /// @endcond

  [[gnu::always_inline]] void stay_active() noexcept {
    if (!awake_) ++pass_.counts.awake;
    awake_ = true;
    pass_.activate(node_);
  }

 private:
  template <class, class, class>
  friend class Machine;
  template <class>
  friend class GroupView;

  /// Another one for every node and step, as far as a run of a table gets.
  [[nodiscard, gnu::always_inline]] std::uint64_t turn() const noexcept {
    return (pass_.step << 32U) ^ index(node_);
  }
  [[nodiscard, gnu::always_inline]] bool is_mine(const Arrival& arrival) const {
    if (arrival.turn_ == turn()) [[likely]]
      return true;
    return refuse_foreign(static_cast<bool>(arrival), arrival.port());
  }
  /// Whether it is one after all: no message is nobody's. By value, so that arrivals have no
  /// address and live in registers.
  [[gnu::noinline, gnu::cold]] bool refuse_foreign(bool arrived, Port port) const {
    if (arrived) pass_.judge.foreign_arrival(node_, port);
    return !arrived;
  }
  /// A message may be another's by a fault.
  [[gnu::noinline, gnu::cold]] void refuse_block(std::uint32_t arrived, std::uint32_t i,
                                                 Port port) const {
    if (arrived != 0 && pass_.fault->kind == FaultKind::none)
      return pass_.judge.foreign_arrival(node_, port);
    note_unmet(std::uint64_t{i} + pass_.parts, arrived);
  }
  [[gnu::noinline, gnu::cold]] void note_unmet(std::uint64_t wanted, std::uint64_t arrived) const {
    pass_.counts.count_unmet(node_, wanted, arrived);
  }

  [[gnu::always_inline]] void note_taken(Port port) {
    lowest_taken_ = taken_ == 0 ? port : std::min(lowest_taken_, port);
    ++taken_;
    if (pass_.unusual()) pass_.judge.received(node_, port);
  }

  [[nodiscard, gnu::always_inline]] std::byte* address(Region region,
                                                       std::uint32_t slot) const noexcept {
    const auto& layout = pass_.memory[index(region)];
    return layout.bytes + layout.template offset<Pass::uneven>(node_) +
           slot * pass_.slot_bytes(region);
  }
  [[nodiscard]] std::byte* address_of_word(Region region, std::uint32_t slot) const {
    const auto& layout = pass_.memory[index(region)];
    return address(region, slot) + layout.slot_bytes - word_bytes;
  }
  [[nodiscard, gnu::always_inline]] bool fits(const Arrival& arrival, Region region,
                                              std::size_t slots) const noexcept {
    if constexpr (Pass::reading)
      if (arrival.control_ != pass_.is_control(region)) return false;
    return arrival.blocks() == slots;
  }

  [[nodiscard, gnu::always_inline]] Arrival arrival_of(Message message, NodeId sender,
                                                       Port through) const {
    if (message != pass_.decoded.message) [[unlikely]]
      pass_.decode(message);
    Arrival arrival{pass_.decoded_in(sender), pass_.decoded.list, message.blocks()};
    if (pass_.unusual()) {
      const bool replayed = pass_.is_replayed(sender, node_);
      if (replayed) arrival = {pass_.duplicate->bytes.data(), nullptr, message.blocks()};
      arrival.corrupted_ = !replayed && pass_.fault->kind == FaultKind::corrupt && pass_.step > 0 &&
                           pass_.fault->strikes(pass_.step - 1, sender);
    }
    arrival.port_ = through;
    arrival.turn_ = turn();
    if constexpr (Pass::reading) {
      arrival.block_bytes_ = pass_.block_bytes;
      arrival.slot_bytes_ = pass_.slot_bytes(message.region());
      arrival.control_ = pass_.is_control(message.region());
      arrival.region_ = message.region();
      arrival.words_ = arrival.control_ || LabelledProgram<typename Pass::ProgramType>;
      if (arrival.corrupted_ && !arrival.control_ && ByteReadingProgram<typename Pass::ProgramType>)
        arrival.corrupted_bytes_ = pass_.corrupted_blocks->copy(
            arrival.block(0, arrival.slot_bytes_), pass_.block_bytes, pass_.fault->corrupt_byte);
      if (arrival.corrupted_ && arrival.control_)
        arrival.corruption_ = std::uint64_t{1} << (8 * (pass_.fault->corrupt_byte % word_bytes));
    }
    return arrival;
  }

  // machine/detail/step_view_memory_inline.hpp
  [[nodiscard]] bool owns(Blocks blocks) const;
  [[nodiscard]] bool owns_block(Region region, std::uint32_t slot) const;
  void refuse_slot(Region region, std::uint32_t slot) const;
  [[nodiscard]] bool owns_all(Message message) const;
  [[nodiscard]] bool has_word(Region region, std::uint32_t slot) const;
  [[nodiscard]] bool may_alter(Blocks blocks);
  [[nodiscard]] bool may_alter(Region region, std::span<const std::uint32_t> slots);
  void flush_if_delivered(Blocks blocks);
  [[nodiscard]] detail::SentSlots sent_before() const;
  [[nodiscard]] bool may_be_read(detail::SlotRange range) const;
  [[nodiscard]] bool is_read(detail::SlotRange range) const;
  void refuse_foreign(Blocks blocks) const;
  [[nodiscard]] std::uint32_t lowest_foreign(Region region,
                                             std::span<const std::uint32_t> slots) const;
  void note_sent(Message message);
  void keep_sent() const;
  template <class Move>
  [[nodiscard]] bool may(const Move& move);
  static void check_counts(std::uint32_t blocks, std::uint32_t into);
  [[nodiscard]] bool owns_blocks(Blocks blocks) const;
  [[nodiscard]] const std::byte* arrived(const Arrival& arrival, std::uint32_t i,
                                         std::size_t apart) const;
  [[nodiscard]] const std::byte* joined(Arrival arrival, std::uint32_t i, std::size_t apart) const;
  void note_stored(Blocks into, Port through) const;
  void note_stored(Region region, std::span<const std::uint32_t> slots, Port through) const;
  void note_copied(Blocks own, Blocks into) const;

  // machine/detail/step_view_sends_inline.hpp
  [[nodiscard]] Message gathered(Region region, GatherList list) const;
  [[nodiscard]] bool leads_somewhere(Route route) const;
  void push(Route route, Message message);
  void push(Port port, Message message, std::span<const Port> further = {},
            std::uint32_t route = 0);
  void refuse_unpacked(Port port, Blocks blocks);
  [[nodiscard]] bool meets_earlier_send(Port port);
  template <class Visit>
  void for_ranges(Message message, Visit visit) const;
  void count_waits(NodeId node, Message message);
  void leave_queues(Port port, Message message);
  [[nodiscard]] QueueLedger::Slots numbers_of(Blocks blocks) const;
  void enter_once(Port port, NodeId receiver, Port back, Message message, bool used);
  void enter_channel(Port port, Message message);
  void trace(Port port, NodeId receiver, Port back, Message message, std::span<const Port> further);
  void hold_links(Port port, Message message, std::span<const Port> further, std::uint32_t route);
  void reject(Pushed pushed, NodeId node, Port port);

  [[gnu::always_inline]] void corrupt(Region region, std::byte* block) const noexcept {
    const bool control = pass_.is_control(region);
    if (control || pass_.block_bytes != 0)
      block[control ? pass_.fault->corrupt_byte % word_bytes : pass_.fault->corrupt_byte] ^=
          std::byte{0x01};
  }

  Pass& pass_;
  NodeId node_;
  // Counts that are added up later do not lie next to each other: as one wide load they would wait
  // for the stores before it.
  std::uint32_t sends_ = 0;
  Port last_sent_{};
  std::uint32_t taken_ = 0;
  std::uint64_t sent_through_ = 0;  // a bit per port; where channels keep one message per node
  Port lowest_taken_{};
  std::uint32_t next_looked_at_ = 0;  // the port at which take_first() goes on
  bool awake_ = false;
  detail::SentSlots sent_{};  // of this step
  bool delivered_ = false;    // own memory; the host may not have looked at it yet
};

}  // namespace lockstep

#include "lockstep/machine/detail/step_view_memory_inline.hpp"
#include "lockstep/machine/detail/step_view_sends_inline.hpp"
