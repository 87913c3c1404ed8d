// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The bare loop: what a node-invariant schedule costs without channels, port model, record and
/// message descriptors. It makes the same copies through the same neighbour table, the same payload
/// and the same checks into the same ledger, with one parallel loop per step. The machine is
/// measured against it, both in one run.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/collective/payload.hpp"
#include "lockstep/core/detail/huge_buffer.hpp"
#include "lockstep/machine/executor.hpp"
#include "lockstep/machine/step_view.hpp"
#include "lockstep/program/grouped_schedule_program.hpp"
#include "lockstep/topology/detail/permutation_translations.hpp"
#include "lockstep/topology/network.hpp"
#include "lockstep/verify/delivery.hpp"

namespace lockstep::bench {

class BareLoop {
 public:
  BareLoop(const StarGraph& star, const Network& network, const Schedule& schedule,
           ProvingHost& host, std::size_t block_bytes)
      : network_(network),
        schedule_(schedule),
        translations_(star, schedule.elements()),
        host_(host),
        payload_({.block_bytes = block_bytes}),
        block_bytes_(block_bytes) {
    for (const std::uint32_t blocks : schedule.regions())
      regions_.emplace_back(network.node_count() * blocks * block_bytes);
  }

  /// All blocks delivered and verified.
  [[nodiscard]] std::uint64_t run(Executor& executor) {
    const std::size_t tasks = executor.worker_count();
    std::vector<Tally> tallies(tasks);
    executor.run([&] {
      for (std::uint64_t step = 0; step <= schedule_.step_count(); ++step) {
        executor.for_each(tasks, [&](std::size_t task) {
          const std::uint64_t nodes = network_.node_count();
          for (const Action& action : schedule_.actions(step))
            perform(action, nodes * task / tasks, nodes * (task + 1) / tasks, tallies[task].counts);
        });
        if (step < schedule_.step_count()) sent_ = schedule_.actions(step).back();
      }
    });
    std::uint64_t verified = 0;
    for (const Tally& tally : tallies) verified += tally.counts.verified;
    return verified;
  }

 private:
  struct alignas(64) Tally {
    DeliveryTally counts;
  };
  static constexpr std::uint64_t part = 512;

  [[nodiscard]] std::size_t stride(const Blocks& blocks) const {
    return schedule_.regions()[static_cast<std::size_t>(blocks.region)] * block_bytes_;
  }
  [[nodiscard]] std::byte* bytes(const Blocks& blocks) const {
    return regions_[static_cast<std::size_t>(blocks.region)].data() + blocks.first * block_bytes_;
  }

  void perform(const Action& action, std::uint64_t first, std::uint64_t last,
               DeliveryTally& tally) {
    switch (action.kind) {
      case Action::Kind::take_store:
        return store(action.blocks, first, last);
      case Action::Kind::take_deliver:
        return deliver(action, sent_.blocks, true, first, last, tally);
      case Action::Kind::deliver:
        return deliver(action, action.blocks, false, first, last, tally);
      case Action::Kind::load:
        return load(action, first, last);
      default:
        return;  // what is sent is read by the next step's reception
    }
  }

  void store(const Blocks& into, std::uint64_t first, std::uint64_t last) const {
    std::byte* const to = bytes(into);
    const std::byte* const from = bytes(sent_.blocks);
    const std::size_t length = into.count * block_bytes_;
    const std::size_t to_stride = stride(into);
    const std::size_t from_stride = stride(sent_.blocks);
    for (std::uint64_t u = first; u < last; ++u)
      detail::copy_bytes(to + u * to_stride,
                         from + index(network_.neighbor(NodeId{u}, sent_.port)) * from_stride,
                         length);
  }

  void deliver(const Action& action, const Blocks& where, bool from_neighbor, std::uint64_t first,
               std::uint64_t last, DeliveryTally& tally) {
    const std::byte* const from = bytes(where);
    const std::size_t from_stride = stride(where);
    std::array<std::uint32_t, part> sources;
    std::array<Delivery, part> batch;
    for (std::uint64_t begin = first; begin < last; begin += part) {
      const std::size_t count = std::min(part, last - begin);
      translations_.apply(NodeId{begin}, action.elements.first, std::span(sources.data(), count));
      for (std::size_t i = 0; i < count; ++i) {
        const NodeId me{begin + i};
        const NodeId holder = from_neighbor ? network_.neighbor(me, sent_.port) : me;
        batch[i] = {from + index(holder) * from_stride, NodeId{sources[i]}, me};
      }
      host_.accept(std::span<const Delivery>(batch.data(), count), tally);
    }
  }

  void load(const Action& action, std::uint64_t first, std::uint64_t last) const {
    std::byte* const to = bytes(action.blocks);
    const std::size_t to_stride = stride(action.blocks);
    for (std::uint64_t u = first; u < last; ++u) {
      const NodeId via = translations_.apply(NodeId{u}, action.element_or_list);
      for (std::uint32_t i = 0; i < action.blocks.count; ++i)
        payload_.fill(to + u * to_stride + i * block_bytes_, NodeId{u},
                      translations_.apply(via, action.elements.first + i));
    }
  }

  const Network& network_;
  const Schedule& schedule_;
  Translations<StarGraph> translations_;
  ProvingHost& host_;
  Payload payload_;  // the same as the host's, without a call
  std::size_t block_bytes_;
  std::vector<HugeBuffer> regions_;
  Action sent_{Action::Kind::send, {}, {}, {}, 0};
};

}  // namespace lockstep::bench
