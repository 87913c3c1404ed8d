// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Views of a processor and of a group that do nothing but listen to what a rule asks of them.

#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/memory_moves.hpp"
#include "support/golden.hpp"

namespace lockstep::test {

/// Everything a rule asks of its view, as a digest.
class ListeningView : public MemoryMoves<ListeningView> {
 public:
  ListeningView(NodeId node, std::uint64_t step) : node_(node), step_(step) {}

  [[nodiscard]] NodeId node() const { return node_; }
  [[nodiscard]] std::uint64_t step() const { return step_; }
  [[nodiscard]] std::uint64_t heard() const { return heard_.value(); }

  std::uint32_t take(Port port) { return hear(1, index(port)), std::uint32_t{index(port)} + 100U; }
  void store(std::uint32_t arrival, Blocks into) { hear(2, arrival), hear(into); }
  void store(std::uint32_t arrival, Region region, std::span<const std::uint32_t> slots) {
    hear(3, arrival), hear(3, index(region));
    for (const std::uint32_t slot : slots) hear(3, slot);
  }
  void combine(std::uint32_t arrival, Blocks into, Operands order) {
    hear(10, arrival), hear(into), hear(10, index(order));
  }
  void combine(std::uint32_t arrival, Region region, std::span<const std::uint32_t> slots,
               Operands order) {
    hear(11, arrival), hear(11, index(region)), hear(11, index(order));
    for (const std::uint32_t slot : slots) hear(11, slot);
  }
  using MemoryMoves::combine;
  template <class Move>
  void perform(const Move& move) {
    for (const Blocks& blocks : move.reads()) hear(blocks);
    for (const Blocks& blocks : move.alters()) hear(blocks);
  }
  void deliver(std::uint32_t arrival, std::uint32_t i, NodeId source) {
    hear(4, arrival), hear(4, i), hear(4, index(source));
  }
  void deliver(Region region, std::uint32_t slot, NodeId source) {
    hear(5, index(region)), hear(5, slot), hear(5, index(source));
  }
  void load(Region region, std::uint32_t slot, NodeId destination) {
    hear(6, index(region)), hear(6, slot), hear(6, index(destination));
  }
  void send(Port port, Blocks blocks) { send(port, PackedBlocks(blocks)); }
  void send(Port port, PackedBlocks blocks) {
    hear(7, index(port)), hear(7, blocks.word()), hear(7, blocks.word() >> 32U);
  }
  void send(Port port, Region region, GatherList list) {
    hear(8, index(port)), hear(8, index(region)), hear(8, index(list));
  }

 private:
  void hear(std::uint64_t what, std::uint64_t value) {
    heard_.byte(what);
    heard_.little_endian_32(value);
  }
  void hear(Blocks blocks) {
    hear(9, index(blocks.region)), hear(9, blocks.first), hear(9, blocks.count);
  }

  NodeId node_;
  std::uint64_t step_;
  Fnv1a heard_;
};

/// A group that asks of each of its processors' views what it is asked itself.
class ListeningGroup : public MemoryMoves<ListeningGroup> {
 public:
  static constexpr std::size_t max_size = 512;

  ListeningGroup(std::uint64_t step, NodeId first, std::size_t size) : step_(step) {
    for (std::size_t k = 0; k < size; ++k) views_.emplace_back(NodeId{index(first) + k}, step);
  }

  [[nodiscard]] NodeId first() const { return views_.front().node(); }
  [[nodiscard]] std::size_t size() const { return views_.size(); }
  [[nodiscard]] std::uint64_t step() const { return step_; }
  [[nodiscard]] const std::vector<ListeningView>& views() const { return views_; }

  void take_and_store(Port port, Blocks into) {
    for (ListeningView& view : views_) view.store(view.take(port), into);
  }
  void take_and_store(Port port, Region region, std::span<const std::uint32_t> slots) {
    for (ListeningView& view : views_) view.store(view.take(port), region, slots);
  }
  void take_and_combine(Port port, Blocks into, Operands order) {
    for (ListeningView& view : views_) view.combine(view.take(port), into, order);
  }
  void take_and_combine(Port port, Region region, std::span<const std::uint32_t> slots,
                        Operands order) {
    for (ListeningView& view : views_) view.combine(view.take(port), region, slots, order);
  }
  template <class Move>
  void perform(const Move& move) {
    for (ListeningView& view : views_) view.perform(move);
  }
  template <class SourcesOf>
  void take_and_deliver(Port port, std::uint32_t blocks, SourcesOf sources_of) {
    std::vector<std::uint32_t> arrivals;
    for (ListeningView& view : views_) arrivals.push_back(view.take(port));
    for_all_blocks(blocks, sources_of, [&](std::size_t k, std::uint32_t i, NodeId source) {
      views_[k].deliver(arrivals[k], i, source);
    });
  }
  template <class SourcesOf>
  void deliver(Blocks own, SourcesOf sources_of) {
    for_all_blocks(own.count, sources_of, [&](std::size_t k, std::uint32_t i, NodeId source) {
      views_[k].deliver(own.region, own.first + i, source);
    });
  }
  template <class DestinationsOf>
  void load(Blocks into, DestinationsOf destinations_of) {
    for_all_blocks(into.count, destinations_of, [&](std::size_t k, std::uint32_t i, NodeId to) {
      views_[k].load(into.region, into.first + i, to);
    });
  }
  template <class... Arguments>
  void send(Port port, const Arguments&... arguments) {
    for (ListeningView& view : views_) view.send(port, arguments...);
  }

 private:
  template <class AddressesOf, class Use>
  void for_all_blocks(std::uint32_t blocks, AddressesOf addresses_of, Use use) {
    for (std::uint32_t i = 0; i < blocks; ++i) {
      const std::uint32_t* const addresses = addresses_of(i);
      for (std::size_t k = 0; k < size(); ++k) use(k, i, NodeId{addresses[k]});
    }
  }

  std::uint64_t step_;
  std::vector<ListeningView> views_;
};

}  // namespace lockstep::test
