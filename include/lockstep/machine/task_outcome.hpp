// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the tasks of a pass hand to the host and leave behind for the record. Not for users.

#include <array>
#include <chrono>
#include <cstddef>
#include <exception>
#include <span>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/arrival.hpp"
#include "lockstep/machine/run_record.hpp"
#include "lockstep/machine/send_event.hpp"
#include "lockstep/machine/task_counts.hpp"
#include "lockstep/program/host.hpp"

namespace lockstep::detail {

/// Deliveries are handed to the host by the batch: its checks run in a loop of their own, and two
/// looks at the clock per batch tell what they cost.
class DeliveryBatch {
 public:
  DeliveryBatch(Host& host, DeliveryTally& tally, double& seconds)
      : host_(host), tally_(tally), seconds_(seconds) {}

  [[gnu::always_inline]] void add(const Delivery& delivery) {
    entries_[size_++] = delivery;
    if (size_ == entries_.size()) flush();
  }

  /// Whether one of the last, all of `node`, lies there; or they are too many to say.
  [[nodiscard]] bool holds_of(NodeId node, const std::byte* first, const std::byte* last) const {
    constexpr std::size_t too_many = 32;
    for (std::size_t i = 1; i <= size_ && entries_[size_ - i].destination == node; ++i)
      if (i == too_many || (entries_[size_ - i].bytes >= first && entries_[size_ - i].bytes < last))
        return true;
    return false;
  }

  [[gnu::noinline]] void flush() {
    if (size_ == 0) return;
    const auto start = std::chrono::steady_clock::now();
    host_.accept(std::span<const Delivery>(entries_.data(), size_), tally_);
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    size_ = 0;
  }

 private:
  Host& host_;
  DeliveryTally& tally_;
  double& seconds_;
  std::size_t size_ = 0;
  std::array<Delivery, 256> entries_;  // deep enough that the clock is lost in it
};

/// What a task leaves behind; one cache line apart, as different workers write them.
struct alignas(64) TaskOutcome {
  TaskCounts counts;
  DeliveryTally deliveries;
  double verify_seconds = 0;
  std::vector<Violation> violations;
  SendTrace trace;
  std::exception_ptr failure;
};

}  // namespace lockstep::detail
