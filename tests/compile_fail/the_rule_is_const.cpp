// SPDX-License-Identifier: Apache-2.0
/// A program is read-only while it runs: its rule is const, and machines say so where they are
/// given its type.
// expected: program: needs void operator\(\)\(auto& here\) const, the rule of one processor

#include <cstdint>
#include <vector>

#include "lockstep/lockstep.hpp"

struct Counting {
  using Memory = lockstep::NoMemory;
  static constexpr lockstep::Activity activity = lockstep::Activity::dense;
  std::vector<std::uint32_t> regions() const { return {1}; }

#ifdef MUST_NOT_COMPILE
  void operator()(auto& here) { (void)here.step(); }
#else
  void operator()(auto& here) const { (void)here.step(); }
#endif
};

int main() { (void)run(lockstep::Ring{5}, Counting{}, lockstep::Collective{}); }
