// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Maximum flows of whole numbers, by Boost.Graph.
///
///     FlowNetwork flow(4);
///     const std::size_t arc = flow.add_arc(0, 1, 2);   // ..
///     flow.maximum(0, 3);
///     flow.through(arc);

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep {

class FlowNetwork {
 public:
  explicit FlowNetwork(std::size_t nodes) : nodes_(nodes) {}

  /// Its number.
  std::size_t add_arc(std::size_t from, std::size_t to, std::int64_t capacity) {
    arcs_.push_back({from, to, capacity, 0});
    return arcs_.size() - 1;
  }
  /// The largest flow there is; each call begins anew.
  std::int64_t maximum(std::size_t from, std::size_t to);
  /// The flow of an arc in the maximum found last.
  [[nodiscard]] std::int64_t through(std::size_t arc) const { return arcs_[arc].flow; }

 private:
  struct Arc {
    std::size_t from;
    std::size_t to;
    std::int64_t capacity;
    std::int64_t flow;
  };

  std::size_t nodes_;
  std::vector<Arc> arcs_;
};

}  // namespace lockstep
