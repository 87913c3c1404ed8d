// SPDX-License-Identifier: Apache-2.0
/// A closed form under a misspelt name is not searched for in silence, nor is one that is not
/// named.
// expected: topology: Knows::level_sizes and std::vector<std::uint64_t> level_sizes\(\) const

#include <cstdint>
#include <vector>

#include "lockstep/topology/detail/closed_forms.hpp"
#include "lockstep/topology/ring.hpp"

struct Own : lockstep::Ring {
  using Ring::Ring;
  static constexpr lockstep::Knows knows = Ring::knows | lockstep::Knows::level_sizes;
#ifdef MUST_NOT_COMPILE
  std::vector<std::uint64_t> levelsizes() const { return {1, 2, 2}; }
#else
  std::vector<std::uint64_t> level_sizes() const { return {1, 2, 2}; }
#endif
};

int main() { return lockstep::known_level_sizes(Own{5}, lockstep::NodeId{0}).size() == 3 ? 0 : 1; }
