// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Slots of a processor's memory for the blocks that a schedule keeps, as few as the
/// rule of its memory allows: what was sent in a step is still read by its receiver in the next, so
/// that its slot is written again two steps later at the earliest.
///
///     const std::uint32_t slot = pool.acquire();   // written in this step
///     pool.release_sent(slot);                     // sent in this step, not needed afterwards
///     pool.begin_step();
///     pool.size();                                 // slots in all

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace lockstep {

class SlotPool {
 public:
  void begin_step() {
    // Slots that were released together are acquired again from the first on: many lie side by
    // side.
    std::ranges::sort(next_step_, std::ranges::greater());
    free_.insert(free_.end(), next_step_.begin(), next_step_.end());
    next_step_.swap(step_after_);
    step_after_.clear();
  }

  [[nodiscard]] std::uint32_t acquire() {
    if (free_.empty()) return size_++;
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  /// So many consecutive ones, which were never used.
  [[nodiscard]] std::uint32_t acquire_new(std::uint32_t count) {
    return std::exchange(size_, size_ + count);
  }
  void release_sent(std::uint32_t slot) { step_after_.push_back(slot); }
  /// Delivered in this step: the host may look at it until the step ends.
  void release_delivered(std::uint32_t slot) { next_step_.push_back(slot); }

  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }

 private:
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> next_step_;
  std::vector<std::uint32_t> step_after_;
  std::uint32_t size_ = 0;
};

}  // namespace lockstep
