// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Which child of a tree is served when, where a processor sends one message in a step: the order
/// of every single-port broadcast over a tree. A Child has a member `remaining`: the steps until
/// all below it have the block, counted from when it has it.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace lockstep {

/// The one that needs most first; those that need the same stay in their order.
template <class Child>
void sort_by_remaining(std::vector<Child>& children) {
  std::ranges::stable_sort(children, std::ranges::greater(), &Child::remaining);
}

/// Until all below the parent have the block: T(v) = max of i + T(child i). Precondition: in the
/// order in which they are served, one per step.
template <class Child>
[[nodiscard]] std::uint64_t steps_to_serve(const std::vector<Child>& children) {
  std::uint64_t steps = 0;
  for (std::size_t i = 0; i < children.size(); ++i)
    steps = std::max<std::uint64_t>(steps, i + 1 + children[i].remaining);
  return steps;
}

}  // namespace lockstep
