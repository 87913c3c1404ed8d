// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How long the queues of a total exchange grew (program/largest_queue.hpp counts them).

#include <cstdint>

namespace lockstep {

/// Between two steps, what arrived in the earlier one included, what it delivered not.
struct QueueFigures {
  std::uint64_t blocks = 0;   ///< most blocks that waited in one processor, its own included
  std::uint64_t foreign = 0;  ///< most blocks of other processors that waited in one

  friend bool operator==(const QueueFigures&, const QueueFigures&) = default;
};

}  // namespace lockstep
