// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How long messages wait on their way: in which step each block of each processor's memory
/// arrived, kept where a run is asked to measure it (MachineOptions::watch_waits). A block that
/// goes on in the step after its arrival has not waited; own blocks, which the host loaded, never
/// do.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/message.hpp"
#include "lockstep/machine/queue_ledger.hpp"
#include "lockstep/program/blocks.hpp"

namespace lockstep::detail {

class ArrivalTimes {
 public:
  /// Without regions no times are kept.
  ArrivalTimes(std::uint64_t nodes, const std::vector<std::uint32_t>& regions, QueueLedger* queues)
      : queues_(queues), regions_(regions) {
    for (const std::uint32_t blocks : regions) steps_.emplace_back(nodes * blocks);
  }
  /// Whether waits are counted.
  [[nodiscard]] bool are_kept() const noexcept { return !steps_.empty(); }
  /// That is told of every arrival and send of a switch; null: nobody is.
  [[nodiscard]] QueueLedger* queues() const noexcept { return queues_; }

  [[nodiscard]] static std::uint64_t bytes(std::uint64_t nodes, std::uint64_t blocks) noexcept {
    return nodes * blocks * sizeof(std::uint32_t);
  }

  /// `step`: when it is stored; it was sent in the step before. For one processor, or for `count`
  /// consecutive ones.
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
    const std::uint32_t* const since = &steps_[index(region)][index(first) * stride + slot];
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
    const std::uint32_t since = steps_[index(region)][index(node) * regions_[index(region)] + slot];
    return since == own ? 0 : static_cast<std::uint32_t>(step) - since;
  }

 private:
  static constexpr std::uint32_t own = 0;  // nothing arrives in step 0

  [[gnu::always_inline]] void set(NodeId first, Region region, std::uint32_t slot,
                                  std::uint32_t step, std::size_t count) noexcept {
    const std::size_t stride = regions_[index(region)];
    std::uint32_t* const since = &steps_[index(region)][index(first) * stride + slot];
    if (stride == 1) {
      std::fill_n(since, count, step);
    } else {
      for (std::size_t k = 0; k < count; ++k) since[k * stride] = step;
    }
  }

  QueueLedger* queues_ = nullptr;
  std::vector<std::uint32_t> regions_;             // blocks of each, per processor
  std::vector<std::vector<std::uint32_t>> steps_;  // [region][node][block]
};

}  // namespace lockstep::detail
