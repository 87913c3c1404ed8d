// SPDX-License-Identifier: Apache-2.0
#pragma once

/// OncePromise: who was reached, where a program promises that a processor receives one message in
/// the whole run and runs on channels that could carry more. The machine of one box per node keeps
/// the same bits in its boxes (machine/single_reception_boxes.hpp); a promise that is broken comes
/// to the same record on both. Not for users.

#include <cstdint>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/rejected_messages.hpp"

namespace lockstep::detail {

class OncePromise {
 public:
  explicit OncePromise(std::uint64_t nodes)
      : before_((nodes + 63) / 64), reached_(before_.size()) {}

  [[nodiscard]] static std::uint64_t bytes(std::uint64_t nodes) noexcept {
    return (nodes + 63) / 64 * 2 * sizeof(std::uint64_t);
  }

  /// By one thread, before a pass in which these nodes run: running(word) of 64 of them.
  template <class Running>
  void begin_step(Running running) {
    for (std::uint64_t word = 0; word < reached_.size(); ++word) {
      before_[word] = reached_[word];
      reached_[word] |= running(word);
    }
  }
  /// Whether the node ran in an earlier step.
  [[nodiscard]] bool ran_before(NodeId node) const noexcept { return has(before_, node); }
  /// Or runs in this one.
  [[nodiscard]] bool is_reached(NodeId node) const noexcept { return has(reached_, node); }

 private:
  [[nodiscard]] static bool has(const std::vector<std::uint64_t>& bits, NodeId node) noexcept {
    return ((bits[index(node) / 64] >> (index(node) % 64)) & 1U) != 0;
  }

  std::vector<std::uint64_t> before_;
  std::vector<std::uint64_t> reached_;
};

}  // namespace lockstep::detail
