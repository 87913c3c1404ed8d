// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/task_outcome.hpp"

#include <chrono>

namespace lockstep::detail {

namespace {

template <class Work>
void add_time_of(double& seconds, const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

void DeliveryBatch::flush() {
  if (size_ == 0) return;
  add_time_of(seconds_,
              [&] { host_.accept(std::span<const Delivery>(entries_.data(), size_), tally_); });
  size_ = 0;
}

void DeliveryBatch::hand_over(const std::byte* const* bytes, std::size_t offset, NodeId first,
                              std::span<const std::uint32_t> origins) {
  flush();  // a destination receives its blocks in the order of the program
  add_time_of(seconds_, [&] { host_.accept_each(bytes, offset, first, origins, tally_); });
}

}  // namespace lockstep::detail
