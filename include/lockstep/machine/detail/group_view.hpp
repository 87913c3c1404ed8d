// SPDX-License-Identifier: Apache-2.0
#pragma once
// size: one class, whose members all have to be inlined into the loop over processors.

/// GroupView, the view of a rule for many processors: the same step of consecutive processors that
/// make the same moves, each with its own messages and memory. It acts as StepView does, action by
/// action instead of processor by processor: the descriptor of a message, the port and the size of
/// a block are read once per action, and a short loop over the processors remains. (S_8, one 8-byte
/// block per step, one worker: 9 ns a hop through StepView, 2.5 here.) A message that is missing or
/// differs from the others is treated as StepView treats it.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "lockstep/core/detail/constant_size.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/machine/detail/task_outcome.hpp"
#include "lockstep/machine/step_view.hpp"

namespace lockstep {

namespace detail {

/// The arcs through one port of all nodes, as a small value that fits registers.
template <class Net>
struct ArcsThrough {
  const Net& network;
  Port port;
  [[nodiscard]] NodeId neighbor(NodeId u) const { return network.neighbor(u, port); }
  [[nodiscard]] Port reverse_port(NodeId u) const { return network.reverse_port(u, port); }
  [[nodiscard]] static std::optional<Port> common_reverse_port() { return std::nullopt; }
};
template <class Net>
[[nodiscard]] auto arcs_through(const Net& network, Port port) {
  if constexpr (requires { network.arcs_through(port); })
    return network.arcs_through(port);
  else
    return ArcsThrough<Net>{network, port};
}

}  // namespace detail

/// For passes in groups (machine/detail/pass.hpp) over networks in which every node has every port,
/// and no more than max_ports.
template <class Pass>
class GroupView : public MemoryMoves<GroupView<Pass>> {
  static_assert(Pass::grouped);

 public:
  /// As many as keep what one action touches in the nearest cache.
  static constexpr std::size_t max_size = 512;
  static constexpr std::size_t max_ports = 64;  // a bit for each

  [[gnu::always_inline]] GroupView(Pass& pass, NodeId first, std::size_t size) noexcept
      : pass_(pass), first_(first), size_(size) {
    used_before_ = pass.judge.used_before(first, size);
    if (pass.trace != nullptr) traced_before_ = pass.trace->size();
  }
  GroupView(const GroupView&) = delete;
  GroupView& operator=(const GroupView&) = delete;

  [[nodiscard, gnu::always_inline]] NodeId first() const noexcept { return first_; }
  [[nodiscard, gnu::always_inline]] std::size_t size() const noexcept { return size_; }
  [[nodiscard, gnu::always_inline]] std::uint64_t step() const noexcept { return pass_.step; }

  /// store(take(port), into).
  [[gnu::always_inline]] void take_and_store(Port port, Blocks into) {
    digest_.alter(into);
    const std::size_t bytes = into.count * pass_.block_bytes;
    if (store_row(port, into, bytes)) return;
    if (bytes == 8) return store_each<8>(port, into);
    if (bytes == 64) return store_each<64>(port, into);
    store_each<0>(port, into);
  }

  /// store(take(port), region, slots).
  [[gnu::always_inline]] void take_and_store(Port port, Region region,
                                             std::span<const std::uint32_t> slots) {
    digest_.alter(region, slots);
    take_one_by_one(port, [&](StepView<Pass>& here, const Arrival& arrival) {
      here.store(arrival, region, slots);
    });
  }

  /// combine(take(port), into, order).
  [[gnu::noinline]] void take_and_combine(Port port, Blocks into, Operands order) {
    digest_.alter(into);
    if (watches_waits()) note_stored(into);
    const Place to = place(into.region, into.first, into.count);
    const TakenAlike alike = take_each(
        port, into.count,
        [&](std::size_t k, const std::byte* from) {
          std::byte* const own = to.bytes + k * to.stride;
          detail::combine(*pass_.host, own, own, from, pass_.block_bytes, into.count, order);
        },
        [&](std::size_t k, const std::byte* from, const std::uint32_t* list) {
          for (std::uint32_t i = 0; i < into.count; ++i) {
            std::byte* const own = to.bytes + k * to.stride + i * pass_.block_bytes;
            detail::combine(*pass_.host, own, own, from + list[i] * pass_.block_bytes,
                            pass_.block_bytes, 1, order);
          }
        },
        [&](StepView<Pass>& here, const Arrival& arrival) { here.combine(arrival, into, order); });
    pass_.counts.count_combines(alike.processors * (alike.listed ? into.count : 1),
                                alike.processors * into.count);
  }
  /// combine(take(port), region, slots, order).
  [[gnu::noinline]] void take_and_combine(Port port, Region region,
                                          std::span<const std::uint32_t> slots, Operands order) {
    digest_.alter(region, slots);
    take_one_by_one(port, [&](StepView<Pass>& here, const Arrival& arrival) {
      here.combine(arrival, region, slots, order);
    });
  }
  template <class Move>
  [[gnu::noinline]] void perform(const Move& move) {
    for (const Blocks& blocks : move.alters()) digest_.alter(blocks);
    for (std::size_t k = 0; k < size_; ++k) StepView<Pass>(pass_, node(k)).perform(move);
  }

  /// deliver(take(port), i, source) for i < blocks; sources_of(i)[k]: where processor first() + k
  /// has it from.
  template <class SourcesOf>
  [[gnu::always_inline]] void take_and_deliver(Port port, std::uint32_t blocks,
                                               SourcesOf sources_of) {
    static constexpr std::byte delivered{};  // stands for bytes that are with the host already
    std::array<const std::byte*, max_size> bytes;
    bool others = false;
    const auto forward = [&](StepView<Pass>& here, const Arrival& arrival) {
      // Other than its neighbours' messages: a copy of what StepView would do, block by block.
      others = true;
      bytes[index(here.node()) - index(first_)] = &delivered;
      for (std::uint32_t i = 0; i < blocks; ++i)
        here.deliver(arrival, i, NodeId{sources_of(i)[index(here.node()) - index(first_)]});
    };
    const std::uint32_t* listed = nullptr;
    if (pass_.parts != 1) return take_one_by_one(port, forward);
    take_each(
        port, blocks, [&](std::size_t k, const std::byte* from) { bytes[k] = from; },
        [&](std::size_t k, const std::byte* from, const std::uint32_t* list) {
          bytes[k] = from;
          listed = list;
        },
        forward);
    for (std::uint32_t i = 0; i < blocks; ++i) {
      const std::uint32_t* const sources = sources_of(i);
      const std::size_t offset = (listed == nullptr ? i : listed[i]) * pass_.block_bytes;
      if (!others) {
        deliver_row(bytes.data(), offset, std::span(sources, size_));
        continue;
      }
      for (std::size_t k = 0; k < size_; ++k)
        if (bytes[k] != &delivered) [[likely]]
          pass_.batch->add({bytes[k] + offset, NodeId{sources[k]}, node(k)});
    }
  }

  /// deliver(region, slot, source) for the blocks' slots.
  template <class SourcesOf>
  [[gnu::always_inline]] void deliver(Blocks own, SourcesOf sources_of) {
    digest_.deliver(own);
    pass_.counts.work.rows += own.count;
    if (own.count >= least_run) return deliver_many(own, sources_of);
    const Place from = place(own.region, own.first, detail::with_parts(own, pass_.parts).count);
    std::array<const std::byte*, max_size> bytes;
    for (std::size_t k = 0; k < size_; ++k) bytes[k] = from.bytes + k * from.stride;
    for (std::uint32_t i = 0; i < own.count; ++i)
      deliver_row(bytes.data(), i * pass_.block_bytes, std::span(sources_of(i), size_));
  }

  /// load(region, slot, destinations_of(i)[k]) for the i-th of the blocks' slots, by processor
  /// first() + k.
  template <class DestinationsOf>
  [[gnu::always_inline]] void load(Blocks into, DestinationsOf destinations_of) {
    digest_.alter(into);
    const Blocks written = detail::with_parts(into, pass_.parts);
    if (watches_waits()) note_loaded(written);
    pass_.counts.loads += into.count * size_;
    pass_.counts.work.rows += into.count;
    const Place to = place(into.region, into.first, written.count);
    for (std::uint32_t i = 0; i < into.count; ++i)
      pass_.host->load_each(to.bytes + i * pass_.block_bytes, to.stride, first_,
                            std::span(destinations_of(i), size_));
  }

  [[gnu::always_inline]] void send(Port port, Blocks blocks) {
    digest_.send(blocks);
    push(port, Message::of(PackedBlocks(blocks)));
  }
  [[gnu::always_inline]] void send(Port port, Region region, GatherList list) {
    digest_.send(region, list);
    const std::span<const std::uint32_t> slots = pass_.program->gather_list(list);
    push(port, Message::of(region, list, static_cast<std::uint32_t>(slots.size())));
  }

 private:
  template <class, class, class>
  friend class Machine;

  /// A slot of the own memory: of processor first() + k it lies k strides further.
  struct Place {
    std::byte* bytes;
    std::size_t stride;
  };
  [[nodiscard, gnu::always_inline]] Place place(Region region, std::uint32_t slot,
                                                std::uint32_t count = 1) const {
    const auto& layout = pass_.memory[index(region)];
    if (std::uint64_t{slot} + count > layout.blocks) [[unlikely]]
      detail::refuse_moves();  // of others: groups run where the moves of all are lawful
    return {layout.bytes + index(first_) * layout.stride + slot * pass_.block_bytes, layout.stride};
  }
  [[nodiscard, gnu::always_inline]] NodeId node(std::size_t k) const noexcept {
    return NodeId{index(first_) + k};
  }

  [[gnu::always_inline]] void deliver_row(const std::byte* const* bytes, std::size_t offset,
                                          std::span<const std::uint32_t> origins) {
    if (origins.size() >= detail::DeliveryBatch::least_row)
      pass_.counts.work.delivered_rows += origins.size();
    pass_.batch->add_each(bytes, offset, first_, origins);
  }

  /// The memories of processors that keep many blocks lie pages apart, so that a block of one
  /// processor after the other would be a miss of the cache for every block. Runs of consecutive
  /// blocks of one processor are not.
  static constexpr std::uint32_t least_run = 16;
  template <class SourcesOf>
  [[gnu::noinline]] void deliver_many(Blocks own, const SourcesOf& sources_of) {
    constexpr std::uint32_t longest_run = 64;
    constexpr std::size_t row = max_size + 16;  // no power of two: rows of one column share no set
    std::array<std::uint32_t, longest_run * row> sources;
    pass_.counts.work.delivered_runs += own.count * size_;
    const Place from = place(own.region, own.first, detail::with_parts(own, pass_.parts).count);
    for (std::uint32_t i = 0; i < own.count; i += longest_run) {
      const std::uint32_t count = std::min(longest_run, own.count - i);
      for (std::uint32_t j = 0; j < count; ++j)
        std::copy_n(sources_of(i + j), size_, sources.data() + j * row);
      const std::byte* const bytes = from.bytes + i * pass_.block_bytes;
      pass_.batch->add_runs([&](const auto& accept) {
        std::array<std::uint32_t, longest_run> origins;
        for (std::size_t k = 0; k < size_; ++k) {
          for (std::uint32_t j = 0; j < count; ++j) origins[j] = sources[j * row + k];
          accept(bytes + k * from.stride, pass_.block_bytes, node(k),
                 std::span(origins.data(), count));
        }
      });
    }
  }

  template <std::size_t fixed_bytes>  // 0: known at run time
  [[gnu::always_inline]] void store_each(Port port, Blocks into) {
    const std::size_t bytes = fixed_bytes != 0 ? fixed_bytes : into.count * pass_.block_bytes;
    if (watches_waits()) note_stored(into);
    const Place to = place(into.region, into.first, into.count);
    const TakenAlike alike = take_each(
        port, into.count,
        [=](std::size_t k, const std::byte* from) {
          detail::copy_bytes(to.bytes + k * to.stride, from, bytes);
        },
        [=, apart = pass_.block_bytes](std::size_t k, const std::byte* from,
                                       const std::uint32_t* list) {
          detail::copy_blocks(to.bytes + k * to.stride, nullptr, from, list, into.count, apart);
        },
        [into](StepView<Pass>& here, const Arrival& arrival) { here.store(arrival, into); });
    pass_.counts.count_copies(alike.processors, alike.processors * into.count);
  }

  /// Processors whose messages were taken together, and whether these had a gather list.
  struct TakenAlike {
    std::size_t processors;
    bool listed;
  };
  /// A message that many processors received, and where it lies in the memory of node 0.
  struct Usual {
    Message message = Message::unpacked(~std::uint64_t{0});  // none is like that
    const std::byte* bytes = nullptr;
    std::size_t stride = 0;
    const std::uint32_t* list = nullptr;
  };
  [[nodiscard, gnu::noinline]] Usual usual_of(Message message) {
    pass_.decode(message);
    return {message, pass_.decoded.bytes, pass_.decoded.stride, pass_.decoded.list};
  }

  /// Stores the row that all received through the port, if it has as many consecutive blocks, by
  /// copies of constant size. Whether it is stored.
  [[gnu::noinline]] bool store_row(Port port, Blocks into, std::size_t bytes) {
    const Message message = row_of(port);
    if (!is_usual(message, port, into.count)) return false;
    if (watches_waits()) note_stored(into);
    const Place to = place(into.region, into.first, into.count);
    const Usual from = usual_of(message);
    detail::with_constant_size(bytes,
                               [&]<std::size_t size>() { copy_row<size>(port, to, from, bytes); });
    note_taken(port);
    ++pass_.counts.work.rows;
    pass_.counts.count_copies(size_, size_ * into.count);
    return true;
  }
  template <std::size_t constant>  // 0: known at run time
  void copy_row(Port port, Place to, const Usual& from, std::size_t bytes) const {
    const auto arcs = detail::arcs_through(pass_.network, port);
    const NodeId first = first_;
    const std::size_t size = size_;
    if constexpr (constant == 0) {
      for (std::size_t k = 0; k < size; ++k)
        detail::copy_bytes(
            to.bytes + k * to.stride,
            from.bytes + index(arcs.neighbor(NodeId{index(first) + k})) * from.stride, bytes);
      return;
    }
    // Blocks that fill their regions lie next to each other: no multiplication by a stride.
    if (to.stride == constant && from.stride == constant) {
      for (std::size_t k = 0; k < size; ++k)
        std::memcpy(to.bytes + k * constant,
                    from.bytes + index(arcs.neighbor(NodeId{index(first) + k})) * constant,
                    constant);
    } else {
      for (std::size_t k = 0; k < size; ++k)
        std::memcpy(to.bytes + k * to.stride,
                    from.bytes + index(arcs.neighbor(NodeId{index(first) + k})) * from.stride,
                    constant);
    }
  }

  /// The message that every processor received through the port, if groups sent it as a row.
  [[nodiscard, gnu::always_inline]] Message row_of(Port port) const noexcept {
    if constexpr (requires { pass_.in.row(port); })
      if (index(port) < pass_.network.max_degree()) return pass_.in.row(port);
    return {};
  }
  /// Consecutive blocks, as many as expected, through links that nobody used the other way in the
  /// step before.
  [[nodiscard]] bool is_usual(Message message, Port port, std::uint32_t blocks) const noexcept {
    return message && !message.gathered() && message.blocks() == blocks &&
           (used_before_ & bit(port)) == 0;
  }
  void note_taken(Port port) noexcept {
    ++takes_;
    took_through_ |= bit(port);
  }

  /// usual(k, bytes): the message of first() + k has `blocks` consecutive blocks, at `bytes`.
  /// listed(k, bytes, list): it has that many blocks of a gather list, the same list for all k.
  /// other(view, arrival): another message, or none. What the loop needs is local: bytes may alias
  /// all that is not.
  template <class UseUsual, class UseListed, class UseOther>
  [[gnu::always_inline]] TakenAlike take_each(Port port, std::uint32_t blocks, UseUsual use_usual,
                                              UseListed use_listed, UseOther use_other) {
    const bool exists = index(port) < pass_.network.max_degree();
    const auto in = pass_.in;
    in.assume_rectangle();
    const auto arcs = detail::arcs_through(pass_.network, port);
    const NodeId first = first_;
    const std::size_t size = exists ? size_ : 0;
    // Through a link that some used the other way in the step before, messages come one by one.
    const bool judged = exists && (used_before_ & bit(port)) != 0;
    ++pass_.counts.work.rows;
    others_ = 0;
    if (const Message row = row_of(port)) {
      take_each_of(row, port, blocks, use_usual, use_listed, use_other);
      note_taken(port);
      return {size - others_, row.gathered()};
    }
    Usual usual;
    bool listed = false;
    for (std::size_t k = 0; k < size; ++k) {
      const NodeId here{index(first) + k};
      const Message message = in.pull(here, port);
      if (message != usual.message) [[unlikely]] {
        if (!message || message.gathered() || message.blocks() != blocks || judged) {
          listed = k == 0 && take_each_listed(port, message, blocks, judged, use_listed, use_other);
          if (listed) break;
          take_other(k, port, message, use_other);
          continue;
        }
        usual = usual_of(message);
      }
      use_usual(k, usual.bytes + index(arcs.neighbor(here)) * usual.stride);
    }
    for (std::size_t k = size; k < size_; ++k) take_other(k, port, {}, use_other);
    if (exists)
      note_taken(port);
    else
      ++takes_;
    return {size_ - others_, listed};
  }

  /// As take_each(), of the message that all received.
  template <class UseUsual, class UseListed, class UseOther>
  [[gnu::always_inline]] void take_each_of(Message row, Port port, std::uint32_t blocks,
                                           UseUsual use_usual, UseListed use_listed,
                                           UseOther use_other) {
    const auto arcs = detail::arcs_through(pass_.network, port);
    const NodeId first = first_;
    const std::size_t size = size_;
    if (is_usual(row, port, blocks)) {
      const Usual usual = usual_of(row);
      for (std::size_t k = 0; k < size; ++k)
        use_usual(k, usual.bytes + index(arcs.neighbor(NodeId{index(first) + k})) * usual.stride);
    } else if (row.gathered() && row.blocks() == blocks && (used_before_ & bit(port)) == 0) {
      const Usual usual = usual_of(row);
      for (std::size_t k = 0; k < size; ++k)
        use_listed(k, usual.bytes + index(arcs.neighbor(NodeId{index(first) + k})) * usual.stride,
                   usual.list);
    } else {
      for (std::size_t k = 0; k < size; ++k) take_other(k, port, row, use_other);
    }
  }

  /// If `message`, which the first processor received, has `blocks` blocks of a gather list: takes
  /// those of all processors of the group. Returns whether it does.
  template <class UseListed, class UseOther>
  [[gnu::noinline]] bool take_each_listed(Port port, Message message, std::uint32_t blocks,
                                          bool judged, const UseListed& use_listed,
                                          const UseOther& use_other) {
    if (!message.gathered() || message.blocks() != blocks || judged) return false;
    const auto in = pass_.in;
    const auto arcs = detail::arcs_through(pass_.network, port);
    const Usual usual = usual_of(message);
    for (std::size_t k = 0; k < size_; ++k) {
      if (k != 0) message = in.pull(node(k), port);
      if (message == usual.message) [[likely]]
        use_listed(k, usual.bytes + index(arcs.neighbor(node(k))) * usual.stride, usual.list);
      else
        take_other(k, port, message, use_other);
    }
    return true;
  }

  template <class UseOther>
  [[gnu::always_inline]] void take_one_by_one(Port port, UseOther use_other) {
    const auto never = [](auto...) {};  // no message has no blocks
    take_each(port, 0, never, never, use_other);
  }

  template <class UseOther>
  [[gnu::noinline]] void take_other(std::size_t k, Port port, Message message, UseOther use_other) {
    StepView<Pass> here(pass_, node(k));
    ++others_;
    if (message) {
      pass_.judge.received(here.node(), port);
      return use_other(here, here.arrival_of(message, pass_.network.neighbor(node(k), port), port));
    }
    if (!incomplete_) missing_.fill({0, 0});
    incomplete_ = true;
    ++missing_[k].count;
    if (index(port) < max_ports && (took_through_ & bit(port)) == 0) missing_[k].ports |= bit(port);
    use_other(here, Arrival{});
  }

  [[gnu::always_inline]] void push(Port port, Message message) {
    StepView<Pass> view(pass_, first_);
    if (index(port) >= pass_.network.max_degree()) [[unlikely]] {
      for (std::size_t k = 0; k < size_; ++k) pass_.judge.no_such_port(node(k), port);
      return;
    }
    if (!view.owns_all(message)) [[unlikely]]
      detail::refuse_moves();
    pass_.counts.count_another(port, message, false);
    pass_.counts.blocks += size_ * message.blocks();
    ++pass_.counts.work.rows;
    if (message.gathered()) pass_.counts.work.listed += size_ * message.blocks();
    if (watches_waits() && any_wait(message))
      for (std::size_t k = 0; k < size_; ++k) view.count_waits(node(k), message);
    ++sends_;
    last_sent_ = port;
    const bool used = (sent_through_ & bit(port)) != 0;
    sent_through_ |= bit(port);
    if (pass_.trace != nullptr) trace_each(port, message.blocks());
    const auto arcs = detail::arcs_through(pass_.network, port);
    if (used) {
      for (std::size_t k = 0; k < size_; ++k) reject(Pushed::full, node(k), port);
      return;
    }
    const std::optional<Port> back = arcs.common_reverse_port();
    if constexpr (requires { pass_.out.push_row(port, message); })
      if (back && pass_.out.push_row(*back, message)) return;
    if (back)
      push_each(
          port, arcs, [common = *back](NodeId) { return common; }, message);
    else
      push_each(
          port, arcs, [arcs](NodeId u) { return arcs.reverse_port(u); }, message);
  }
  template <class Arcs, class BackOf>
  [[gnu::always_inline]] void push_each(Port port, Arcs arcs, BackOf back_of, Message message) {
    auto out = pass_.out;
    out.assume_rectangle();
    const NodeId first = first_;
    const std::size_t size = size_;
    for (std::size_t k = 0; k < size; ++k) {
      const NodeId here{index(first) + k};
      const Pushed pushed = out.push(arcs.neighbor(here), back_of(here), message);
      if (pushed != Pushed::accepted) [[unlikely]]
        reject(pushed, here, port);
    }
  }
  [[gnu::noinline]] void reject(Pushed pushed, NodeId sender, Port port) {
    StepView<Pass>(pass_, sender).reject(pushed, sender, port);
  }

  void trace_each(Port port, std::uint32_t blocks) {
    for (std::size_t k = 0; k < size_; ++k) {
      const NodeId to = pass_.network.neighbor(node(k), port);
      const Port back = pass_.network.reverse_port(node(k), port);
      pass_.trace->push_back({pass_.step, node(k), port, to, back, blocks, 0, {}});
    }
  }
  /// From by action to by processor.
  void sort_trace() {
    std::ranges::stable_sort(std::span(*pass_.trace).subspan(traced_before_), {},
                             &SendEvent::sender);
  }

  /// Queues are of switches, which are not in groups.
  [[nodiscard]] bool watches_waits() const noexcept {
    return pass_.times != nullptr && pass_.times->are_kept();
  }
  void note_stored(Blocks into) {
    for (std::uint32_t i = 0; i < into.count; ++i)
      pass_.times->stored(first_, into.region, into.first + i, pass_.step, size_);
  }
  void note_loaded(Blocks into) {
    for (std::uint32_t i = 0; i < into.count; ++i)
      pass_.times->loaded(first_, into.region, into.first + i, size_);
  }
  /// Nothing about a gather list is known in advance.
  [[nodiscard]] bool any_wait(Message message) const {
    bool any = message.gathered();
    for (std::uint32_t i = 0; !any && i < message.blocks(); ++i)
      any = pass_.times->any_wait(first_, message.region(), message.first() + i, pass_.step, size_);
    return any;
  }

  [[nodiscard]] static constexpr std::uint64_t bit(Port port) noexcept {
    return std::uint64_t{1} << index(port);
  }

  // The number of arrivals that processor first() + k took.
  [[nodiscard, gnu::always_inline]] std::uint32_t taken(std::size_t k) const noexcept {
    return incomplete_ ? takes_ - missing_[k].count : takes_;
  }
  [[nodiscard, gnu::always_inline]] Port lowest_taken(std::size_t k) const noexcept {
    const std::uint64_t ports = incomplete_ ? took_through_ & ~missing_[k].ports : took_through_;
    return port(static_cast<std::size_t>(std::countr_zero(ports)));
  }

  struct Missing {        // filled when the first is missing
    std::uint64_t ports;  // through which nothing was ever taken
    std::uint32_t count;
  };

  Pass& pass_;
  NodeId first_;
  std::size_t size_;
  std::uint32_t sends_ = 0;
  std::uint32_t takes_ = 0;  // whether or not there was a message
  Port last_sent_{};
  std::uint64_t sent_through_ = 0;
  std::uint64_t took_through_ = 0;
  std::uint64_t used_before_ = 0;  // half duplex: ports that some sent through a step ago
  detail::MovesDigest digest_;
  std::size_t traced_before_ = 0;  // entries that others left in the trace
  std::size_t others_ = 0;         // whose messages were taken one by one, by the last action
  bool incomplete_ = false;        // a message was missing somewhere:
  std::array<Missing, max_size> missing_;
};

}  // namespace lockstep
