// SPDX-License-Identifier: Apache-2.0
/// A rule takes its view by reference.
// expected: program: needs void operator\(\)\(auto& here\) const, the rule of one processor

#include <cstdint>
#include <vector>

#include "lockstep/lockstep.hpp"

struct ByValue {
  using Memory = lockstep::NoMemory;
  static constexpr lockstep::Activity activity = lockstep::Activity::dense;
  std::vector<std::uint32_t> regions() const { return {1}; }

#ifdef MUST_NOT_COMPILE
  void operator()(auto here) const { (void)here.step(); }
#else
  void operator()(auto& here) const { (void)here.step(); }
#endif
};

int main() { (void)run(lockstep::Ring{5}, ByValue{}, lockstep::Collective{}); }
