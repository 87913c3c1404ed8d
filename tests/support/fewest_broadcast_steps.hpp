// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Broadcast by trying every way to send.

#include <cstddef>
#include <cstdint>
#include <set>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep::test {

/// The fewest steps in which one processor's message reaches all, by trying every choice of every
/// informed processor. Sets of processors are bit masks: for up to 8 of them.
template <Topology T>
class FewestSteps {
 public:
  FewestSteps(const T& network, std::uint32_t sends) : network_(network), sends_(sends) {}

  [[nodiscard]] std::uint64_t from(std::uint32_t root) {
    const std::uint32_t all = (1U << network_.node_count()) - 1;
    std::set<std::uint32_t> reached{1U << root};
    std::uint64_t steps = 0;
    for (; reached.count(all) == 0; ++steps) {
      next_.clear();
      for (const std::uint32_t informed : reached) extend(informed, informed, 0, 0);
      reached = next_;
    }
    return steps;
  }

 private:
  /// The choices of the processors from `node` on, which has sent `sent` messages.
  void extend(std::uint32_t informed, std::uint32_t result, std::uint64_t node,
              std::uint32_t sent) {
    if (node == network_.node_count()) {
      next_.insert(result);
      return;
    }
    extend(informed, result, node + 1, 0);
    if ((informed >> node & 1U) == 0 || sent == sends_) return;
    for (std::size_t p = 0; p < network_.degree(NodeId{node}); ++p) {
      const auto other = index(network_.neighbor(NodeId{node}, port(p)));
      if ((result >> other & 1U) == 0) extend(informed, result | 1U << other, node, sent + 1);
    }
  }

  const T& network_;
  std::uint32_t sends_;
  std::set<std::uint32_t> next_;
};

}  // namespace lockstep::test
