// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/task_outcome.hpp"

#include <chrono>

namespace lockstep::detail {

void DeliveryBatch::flush() {
  if (size_ == 0) return;
  const auto start = std::chrono::steady_clock::now();
  host_.accept(std::span<const Delivery>(entries_.data(), size_), tally_);
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  size_ = 0;
}

}  // namespace lockstep::detail
