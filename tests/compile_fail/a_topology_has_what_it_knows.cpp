// SPDX-License-Identifier: Apache-2.0
/// A closed form under a misspelt name is not searched for in silence, nor is one that is not
/// named.
// expected: topology: Knows::level_sizes and std::vector<std::uint64_t> level_sizes\(\) const

#include <cstdint>
#include <vector>

#include "lockstep/lockstep.hpp"

struct Own : lockstep::Ring {
  using Ring::Ring;
  static constexpr lockstep::Knows knows = Ring::knows | lockstep::Knows::level_sizes;
#ifdef MUST_NOT_COMPILE
  std::vector<std::uint64_t> levelsizes() const { return {1, 2, 2}; }
#else
  std::vector<std::uint64_t> level_sizes() const { return {1, 2, 2}; }
#endif
};

struct Silent {
  using Memory = lockstep::NoMemory;
  static constexpr lockstep::Activity activity = lockstep::Activity::dense;
  std::vector<std::uint32_t> regions() const { return {1}; }
  void operator()(auto& here) const { (void)here.step(); }
};

int main() { (void)run(Own{5}, Silent{}, lockstep::Collective{}); }
