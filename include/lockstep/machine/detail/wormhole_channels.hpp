// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Channels of wormhole switching: a message takes a route of links, and holds every one of them
/// for its step. Memory grows with the links, not with the routes there are.
///
///   links    a stamped word per directed link and step parity: the message that holds it. Whoever
///            finds one of this step there knows that the link is held twice.
///   outbox   a stamped descriptor, and a route, per first link: where the receiver finds them, by
///            the word of the last link.
///
/// Of several messages on one link the one of the lowest sender, and there through the lowest port,
/// stays, whichever came first: so what arrives does not depend on who was faster. A link is named
/// by its end: node and port at which it arrives.

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/channel.hpp"
#include "lockstep/machine/detail/message.hpp"
#include "lockstep/machine/violation.hpp"
#include "lockstep/program/routes.hpp"
#include "lockstep/topology/detail/arc_layout.hpp"

namespace lockstep {

class WormholeChannels {
  using Word = std::atomic<std::uint64_t>;
  static constexpr unsigned port_shift = 1;
  static constexpr unsigned sender_shift = 18;
  static constexpr unsigned stamp_shift = 50;
  static constexpr std::uint64_t stamps = 1U << 13U;

 public:
  static constexpr std::string_view name = "wormhole";
  /// Senders that fit a word.
  static constexpr std::uint64_t max_nodes = std::uint64_t{1} << (stamp_shift - sender_shift);

  /// A message and where it is from.
  struct Arrived {
    Message message{};
    NodeId sender{};
    std::uint32_t route = 0;
  };

  explicit WormholeChannels(const ArcLayout& arcs);

  [[nodiscard]] static std::uint64_t bytes(const ArcLayout& arcs) noexcept {
    return 2 * arcs.size() * (sizeof(Word) + sizeof(Outgoing));
  }

  void begin_step(std::uint64_t step);

 private:
  struct Outgoing {
    std::uint64_t stamped = 0;  // as a slot of SlotChannels
    std::uint32_t route = 0;
  };

 public:
  class Sender {
   public:
    Sender(Word* links, Outgoing* outbox, const ArcLayout& arcs, std::uint64_t stamp)
        : links_(links), outbox_(outbox), arcs_(arcs), stamp_(stamp) {}

    /// Sends the message from `sender` through `port`; full if another one leaves there already.
    [[nodiscard]] Pushed leave(NodeId sender, Port port, Message message,
                               std::uint32_t route) const noexcept {
      Outgoing& outgoing = outbox_[arcs_.index(sender, port)];
      if (outgoing.stamped >> Message::packed_bits == stamp_) return Pushed::full;
      outgoing = {(stamp_ << Message::packed_bits) | message.packed(), route};
      return Pushed::accepted;
    }

    /// Takes the link that arrives at `node` through `port`. True, and `before` is who held it,
    /// where it was held in this step.
    [[nodiscard]] bool finds_held(NodeId node, Port port, MessageName mine,
                                  MessageName& before) const noexcept {
      const std::uint64_t entry = (stamp_ << stamp_shift) | (index(mine.sender) << sender_shift) |
                                  (std::uint64_t{index(mine.port)} << port_shift) |
                                  static_cast<std::uint64_t>(mine.arrives);
      Word& link = links_[arcs_.index(node, port)];
      // relaxed: the exchange only has to be indivisible against another sender's exchange; the end
      // of the parallel loop publishes the entry to the receiver.
      const std::uint64_t found = link.exchange(entry, std::memory_order_relaxed);
      if (found >> stamp_shift != stamp_) [[likely]]
        return false;
      before = holder_of(found);
      // Whoever displaced a lower one puts it back.
      std::uint64_t now = entry;
      // relaxed: as the exchange.
      while (now >> port_shift > found >> port_shift &&
             !link.compare_exchange_weak(now, found, std::memory_order_relaxed)) {
      }
      return true;
    }

   private:
    Word* links_;
    Outgoing* outbox_;
    ArcLayout arcs_;
    std::uint64_t stamp_;
  };

  class Receiver {
   public:
    Receiver(const Word* links, const Outgoing* outbox, const ArcLayout& arcs, std::uint64_t stamp)
        : links_(links), outbox_(outbox), arcs_(arcs), stamp_(stamp) {}

    /// The message that ended at `node` through `port`, if there is one.
    [[nodiscard]] Arrived arrived(NodeId node, Port port) const noexcept {
      // relaxed: pairs with the exchange in finds_held() through the end of the parallel loop.
      const std::uint64_t entry = links_[arcs_.index(node, port)].load(std::memory_order_relaxed);
      const MessageName holder = holder_of(entry);
      if (entry >> stamp_shift != stamp_ || !holder.arrives) return {};
      const Outgoing& outgoing = outbox_[arcs_.index(holder.sender, holder.port)];
      return {Message::unpacked(outgoing.stamped), holder.sender, outgoing.route};
    }
    [[nodiscard]] Message pull(NodeId node, Port port) const noexcept {
      return arrived(node, port).message;
    }

   private:
    const Word* links_;
    const Outgoing* outbox_;
    ArcLayout arcs_;
    std::uint64_t stamp_;
  };

  [[nodiscard]] Sender sender(std::uint64_t step) noexcept {
    return {links_[step % 2].get(), outbox_[step % 2].data(), arcs_, stamp(step)};
  }
  [[nodiscard]] Receiver receiver(std::uint64_t step) noexcept {
    return {links_[step % 2].get(), outbox_[step % 2].data(), arcs_, stamp(step)};
  }

 private:
  [[nodiscard]] static constexpr std::uint64_t stamp(std::uint64_t step) noexcept {
    return step % stamps + 1;
  }
  [[nodiscard]] static constexpr MessageName holder_of(std::uint64_t entry) noexcept {
    return {NodeId{(entry >> sender_shift) % max_nodes},
            lockstep::port((entry >> port_shift) % (max_ports_of_a_node + 1)), (entry & 1U) != 0};
  }

  ArcLayout arcs_;
  std::unique_ptr<Word[]> links_[2];
  std::vector<Outgoing> outbox_[2];
};

}  // namespace lockstep
