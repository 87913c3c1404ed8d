// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The papers' numbering of permutations, the slow obvious way: the position in the list of all
/// permutations sorted as words.

#include <cstddef>
#include <cstdint>

#include "lockstep/core/permutation.hpp"

namespace lockstep::test {

inline std::uint64_t lexicographic_rank(Permutation x) {
  std::uint64_t rank = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::uint64_t smaller_behind = 0;
    for (std::size_t j = i + 1; j < x.size(); ++j) smaller_behind += x[j] < x[i] ? 1U : 0U;
    rank += smaller_behind * factorial(x.size() - 1 - i);
  }
  return rank;
}

}  // namespace lockstep::test
