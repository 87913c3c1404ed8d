// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the tasks of a pass hand to the host and leave behind for the record. Not for users.

#include <array>
#include <chrono>
#include <cstddef>
#include <exception>
#include <mutex>
#include <span>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/arrival.hpp"
#include "lockstep/machine/run_record.hpp"
#include "lockstep/machine/send_event.hpp"
#include "lockstep/program/host.hpp"

namespace lockstep::detail {

/// Deliveries are handed to the host by the batch: its checks run in a loop of their own, and two
/// looks at the clock per batch tell what they cost.
template <class H>
class DeliveryBatch {
 public:
  DeliveryBatch(H& host, typename H::Tally& tally, double& seconds)
      : host_(host), tally_(tally), seconds_(seconds) {}

  [[gnu::always_inline]] void add(const Delivery& delivery) {
    entries_[size_++] = delivery;
    if (size_ == entries_.size()) flush();
  }

  [[gnu::noinline]] void flush() {
    if (size_ == 0) return;
    const auto start = std::chrono::steady_clock::now();
    host_.accept(std::span<const Delivery>(entries_.data(), size_), tally_);
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    size_ = 0;
  }

 private:
  H& host_;
  typename H::Tally& tally_;
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
};

/// Of all tasks, which are in the order of their nodes; `trace` receives theirs, if there is one.
template <class Outcome>
[[nodiscard]] TaskOutcome gathered(const std::vector<Outcome>& parts, SendTrace* trace) {
  TaskOutcome total;
  for (const TaskOutcome& part : parts) {
    total.counts += part.counts;
    total.deliveries += part.deliveries;
    total.verify_seconds += part.verify_seconds;
    total.violations.insert(total.violations.end(), part.violations.begin(), part.violations.end());
    if (trace != nullptr) trace->insert(trace->end(), part.trace.begin(), part.trace.end());
  }
  return total;
}

/// Of the exceptions that programs threw in a pass the first by node number, whatever the schedule.
class FirstFailure {
 public:
  /// Within a catch clause; by any worker.
  void keep(NodeId node) {
    const std::scoped_lock lock(mutex_);
    if (failure_ && node_ <= node) return;
    failure_ = std::current_exception();
    node_ = node;
  }
  // By one thread, after the pass.
  [[nodiscard]] explicit operator bool() const noexcept { return failure_ != nullptr; }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;  // taken only when a program throws
  std::exception_ptr failure_;
  NodeId node_{};
};

}  // namespace lockstep::detail
