// SPDX-License-Identifier: Apache-2.0
#pragma once
// size: one class, whose members all have to be inlined into the loop over processors.

/// The view that the rule of a ReceiveOnceProgram is handed, if the machine makes use of the
/// promise (machine/receive_once_machine.hpp). program/program.hpp says what each call means.

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "lockstep/core/detail/std_basics.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/machine/detail/other_processes.hpp"
#include "lockstep/machine/detail/receive_once_boxes.hpp"
#include "lockstep/machine/detail/rejected_messages.hpp"
#include "lockstep/machine/detail/task_outcome.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/host.hpp"
#include "lockstep/topology/law_check.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

namespace detail {

/// The blocks that came from other processes in the step before.
class ArrivedBlocks {
 public:
  explicit ArrivedBlocks(std::size_t stride) : stride_(stride) {}

  void clear() noexcept {
    all_.clear();
    bytes_.clear();
  }
  void add(NodeId receiver, Port port, const std::byte* block) {
    all_.push_back({key(receiver, port), bytes_.size()});
    bytes_.insert(bytes_.end(), block, block + stride_);
  }
  /// No more of them are added.
  void sort() { std::sort(all_.begin(), all_.end()); }
  /// The block that arrived at the node through the port. Precondition: one did.
  [[nodiscard]] const std::byte* of(NodeId node, Port port) const {
    return bytes_.data() +
           std::lower_bound(all_.begin(), all_.end(), Place{key(node, port), 0})->first_byte;
  }

 private:
  struct Place {
    std::uint64_t key;
    std::size_t first_byte;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  [[nodiscard]] static std::uint64_t key(NodeId node, Port port) noexcept {
    return index(node) * ReceiveOnceBoxes::max_ports + index(port);
  }

  std::size_t stride_;
  std::vector<Place> all_;
  std::vector<std::byte> bytes_;
};

/// The machine's state during one pass, as one task sees it: a local variable of its loop.
template <class Net, class Prog>
struct ReceiveOncePass {
  using Network = Net;
  using Memory = typename Prog::Memory;
  const Net& network;
  ReceiveOnceBoxes::InStep boxes;
  std::uint64_t step;
  bool last_call;
  bool laws_are_proven;  // of the network
  StepJudge judge;
  std::size_t block_bytes;
  Host& host;
  Memory* variables;
  DeliveryBatch& batch;
  std::vector<RejectedMessage>& rejected;
  SendTrace* trace;                        // null: none is kept
  NodeRange own{};                         // the nodes of this process
  std::vector<SentAway>* away = nullptr;   // null: there is no other process
  const ArrivedBlocks* arrived = nullptr;  // of other processes
  TaskCounts counts{};                     // a node that runs is sent no message: none is busy
  NodeCounts switches{};
};

/// The block of broadcasts to many processors is a byte or a word.
[[gnu::always_inline]] inline void copy_block(std::byte* to, const std::byte* from,
                                              std::size_t bytes) noexcept {
  if (bytes == 1)
    *to = *from;
  else
    copy_bytes(to, from, bytes);
}

}  // namespace detail

template <class Pass>
class ReceiveOnceView {
 public:
  /// The one message of the run, in its sender's memory; or none.
  class Arrival {
   public:
    Arrival() = default;
    Arrival(const Arrival&) = delete;  // nobody keeps one beyond its step
    Arrival& operator=(const Arrival&) = delete;
    [[nodiscard]] explicit operator bool() const noexcept { return bytes_ != nullptr; }
    [[nodiscard]] std::uint32_t blocks() const noexcept { return bytes_ != nullptr ? 1 : 0; }
    [[nodiscard]] Port port() const noexcept { return port_; }

   private:
    friend class ReceiveOnceView;
    Arrival(const std::byte* bytes, Port port, std::uint64_t step, NodeId node)
        : bytes_(bytes), port_(port), step_(step), node_(node) {}
    const std::byte* bytes_ = nullptr;
    Port port_{};
    std::uint64_t step_ = 0;  // in which the node took it
    NodeId node_{};
  };

  ReceiveOnceView(const ReceiveOnceView&) = delete;
  ReceiveOnceView& operator=(const ReceiveOnceView&) = delete;

  [[nodiscard, gnu::always_inline]] NodeId node() const noexcept { return node_; }
  [[nodiscard, gnu::always_inline]] std::uint64_t step() const noexcept { return pass_.step; }
  [[nodiscard, gnu::always_inline]] bool last_call() const noexcept { return pass_.last_call; }
  [[nodiscard, gnu::always_inline]] std::size_t degree() const {
    if constexpr (CayleyTopology<typename Pass::Network>) return pass_.network.max_degree();
    return pass_.network.degree(node_);
  }
  [[nodiscard, gnu::always_inline]] auto& memory() noexcept {
    return pass_.variables[std::is_empty_v<typename Pass::Memory> ? 0 : index(node_)];
  }

  [[nodiscard, gnu::always_inline]] Arrival take_first() {
    if (!arrived_) return {};
    arrived_ = false;
    const NodeId sender = pass_.network.neighbor(node_, through_);
    const std::byte* bytes = pass_.boxes.box(sender);
    if (pass_.away != nullptr && !pass_.own.holds(sender)) [[unlikely]]
      bytes = pass_.arrived->of(node_, through_);
    return Arrival(bytes, through_, pass_.step, node_);
  }

  /// A missing message leaves poison behind.
  [[gnu::always_inline]] void store(const Arrival& arrival, Blocks into) {
    if (!is_mine(arrival)) [[unlikely]]
      return pass_.judge.foreign_arrival(node_, arrival.port());
    if (into.count == 0) [[unlikely]] {
      if (arrival) pass_.counts.count_unmet(node_, 0, 1);
      return;
    }
    if (!may_alter(into)) [[unlikely]]
      return;
    std::byte* const own = pass_.boxes.box(node_);
    if (arrival) [[likely]] {
      ++pass_.counts.work.copies;
      return detail::copy_block(own, arrival.bytes_, pass_.block_bytes);
    }
    pass_.counts.count_unmet(node_, 1, 0);
    detail::poison_bytes(own, pass_.block_bytes);
  }

  [[gnu::always_inline]] void deliver(const Arrival& arrival, SlotNumber i, Origin origin) {
    if (lacks_host()) return;
    if (!is_mine(arrival) || (arrival && i != 0)) [[unlikely]]
      return pass_.judge.foreign_arrival(node_, arrival.port());
    if (!arrival) [[unlikely]]
      return pass_.counts.count_unmet(node_, std::uint64_t{i} + 1, 0);
    pass_.batch.add({arrival.bytes_, origin, node_});
  }
  [[gnu::always_inline]] void deliver(Region region, SlotNumber slot, Origin origin) {
    if (lacks_host() || !owns({region, slot, 1})) [[unlikely]]
      return;
    delivered_ = true;
    pass_.batch.add({pass_.boxes.box(node_), origin, node_});
  }
  [[gnu::always_inline]] void load(Region region, SlotNumber slot, NodeId destination) {
    load(region, slot, node_, destination);
  }
  [[gnu::always_inline]] void load(Region region, SlotNumber slot, Origin origin,
                                   NodeId destination) {
    if (lacks_host() || !may_alter({region, slot, 1})) [[unlikely]]
      return;
    ++pass_.counts.loads;
    pass_.host.load(pass_.boxes.box(node_), node_, origin, destination);
  }

  [[gnu::always_inline]] void send(Port port, Blocks blocks) {
    if (pass_.judge.is_after_end(node_, port)) return;
    if (!has_port(port)) [[unlikely]]
      return pass_.judge.no_such_port(node_, port);
    if (!owns(blocks) || blocks.count == 0) [[unlikely]]
      return refuse(blocks);
    if constexpr (!laws_are_proven<typename Pass::Network>)
      if (!pass_.laws_are_proven) [[unlikely]]
        check_arc(pass_.network, node_, port);
    const std::uint64_t bit = std::uint64_t{1} << index(port);
    const bool again = (sent_through_ & bit) != 0;
    sent_through_ |= bit;
    ++sends_;
    last_sent_ = port;
    const NodeId receiver = pass_.network.neighbor(node_, port);
    const Port back = pass_.network.reverse_port(node_, port);
    if (pass_.trace != nullptr) [[unlikely]]
      detail::add_event(pass_.trace, pass_.step, node_, port, receiver, back, 1, 0);
    if (again) [[unlikely]] {
      ++pass_.counts.rejected;
      return pass_.judge.lane_taken(node_, port);
    }
    if (pass_.away != nullptr && !pass_.own.holds(receiver)) [[unlikely]]
      return pass_.away->push_back({node_, port});
    const detail::Put put = pass_.boxes.put(receiver, back);
    if (put != detail::Put::accepted) [[unlikely]]
      reject({receiver, back, node_, port, put});
  }

  [[gnu::always_inline]] void stay_active() noexcept {
    if (awake_) return;
    awake_ = true;
    ++pass_.counts.awake;
    pass_.boxes.stay(node_);
  }

 private:
  template <class, class>
  friend class ReceiveOnceMachine;

  enum class Message : std::uint8_t { none, waits };

  [[gnu::always_inline]] ReceiveOnceView(Pass& pass, NodeId node, Message message) noexcept
      : pass_(pass),
        node_(node),
        arrived_(message == Message::waits),
        is_first_turn_(arrived_ || pass.step == 0) {
    if (arrived_) through_ = pass_.boxes.open(node);
  }

  /// A formula that nobody proved may say of a node that it has more ports than any.
  [[nodiscard, gnu::always_inline]] bool has_port(Port port) const {
    if constexpr (laws_are_proven<typename Pass::Network>) return index(port) < degree();
    return index(port) < std::min(degree(), pass_.network.max_degree());
  }
  /// Or no message at all.
  [[nodiscard, gnu::always_inline]] bool is_mine(const Arrival& arrival) const noexcept {
    return !arrival || (arrival.step_ == pass_.step && arrival.node_ == node_);
  }

  /// The one block of its memory, or none.
  [[nodiscard, gnu::always_inline]] static bool holds(Blocks blocks) noexcept {
    return index(blocks.region) == 0 && std::uint64_t{blocks.first} + blocks.count <= 1;
  }
  [[nodiscard, gnu::always_inline]] bool owns(Blocks blocks) const {
    if (!holds(blocks)) [[unlikely]]
      refuse(blocks);
    return holds(blocks);
  }
  [[gnu::noinline, gnu::cold]] void refuse(Blocks blocks) const {
    const bool beyond = index(blocks.region) == 0 && blocks.first == 0;
    const std::uint32_t lowest = beyond ? 1 : blocks.first;
    pass_.judge.slot(node_, Rule::memory, blocks.region, blocks.count == 0 ? 0 : lowest);
  }
  /// Nobody keeps who sent in the step before: a node writes its block when it runs for the first
  /// time, before it sends.
  [[nodiscard, gnu::always_inline]] bool may_alter(Blocks blocks) {
    if (!owns(blocks)) return false;
    if (delivered_) [[unlikely]]
      pass_.batch.flush();
    const bool may = is_first_turn_ && sends_ == 0;
    if (!may) [[unlikely]]
      pass_.judge.slot(node_, Rule::in_flight, blocks.region, 0);
    return may;
  }

  /// Formulas of billions of nodes have no switches, and say so by not counting processors.
  [[nodiscard, gnu::always_inline]] bool is_switch() const {
    if constexpr (requires { pass_.network.processor_count(); })
      return index(node_) >= pass_.network.processor_count();
    return false;
  }
  [[nodiscard, gnu::always_inline]] bool lacks_host() const {
    const bool lacks = is_switch();
    if (lacks) [[unlikely]]
      pass_.judge.no_host(node_);
    return lacks;
  }

  [[gnu::noinline, gnu::cold]] void reject(const detail::RejectedMessage& message) {
    ++pass_.counts.rejected;
    pass_.rejected.push_back(message);
  }

  Pass& pass_;
  NodeId node_;
  std::uint64_t sent_through_ = 0;  // a bit per port
  std::uint32_t sends_ = 0;
  Port last_sent_{};
  Port through_{};          // the message came
  bool arrived_ = false;    // and was not taken yet
  bool is_first_turn_;      // in the run
  bool delivered_ = false;  // the block; the host may not have looked at it yet
  bool awake_ = false;
};

}  // namespace lockstep
