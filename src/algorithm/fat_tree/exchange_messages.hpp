// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The messages of a total exchange in a fat tree by the level at which they turn, spread over the
/// leaves: of e of them in a row, where e divides the leaves below a child, no branch gets more
/// than its share.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lockstep/topology/switch_tree.hpp"

namespace lockstep {

/// Those that turn at one level: the same for each of its nodes and each of the node's children.
class FatTreeLevelMessages {
 public:
  FatTreeLevelMessages(const SwitchTree& tree, std::size_t level);

  /// Messages that leave a child, (k - 1) K^2, where a child has K leaves.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] std::uint64_t leaves_of_child() const noexcept { return reversed_.size(); }

  /// By which child of the node, counted from the sender's, which leaf of either.
  struct Message {
    std::uint64_t children_on = 0;
    std::uint64_t source = 0;
    std::uint64_t destination = 0;
  };
  /// Slot q of the list: spread over the leaves by the reversal of their digits.
  [[nodiscard]] Message message(std::uint64_t q) const {
    const std::uint64_t leaves = leaves_of_child();
    const std::uint64_t u = q % leaves;
    const std::uint64_t shift = q / leaves % leaves;
    return {1 + q / leaves / leaves, reversed_[u], reversed_[(u + shift) % leaves]};
  }

  /// visit(q, source, destination) for each message of slot q, all nodes of the level and their
  /// children.
  template <class Visit>
  void for_all_of(std::uint64_t q, Visit visit) const {
    const auto [children_on, source, destination] = message(q);
    const std::uint64_t leaves = leaves_of_child();
    for (std::uint64_t first = 0; first < all_leaves_; first += arity_ * leaves)
      for (std::uint64_t a = 0; a < arity_; ++a)
        visit(q, first + a * leaves + source,
              first + (a + children_on) % arity_ * leaves + destination);
  }

 private:
  std::uint64_t all_leaves_;
  std::uint64_t arity_;
  std::uint64_t count_;
  std::vector<std::uint64_t> reversed_;  ///< of leaf u of a child: its digits, the highest lowest
};

}  // namespace lockstep
