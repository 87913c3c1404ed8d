// SPDX-License-Identifier: Apache-2.0
/// A member of a type that does not fit is not ignored: any whole number will do for step_count().
// expected: program: Traits::step_count and std::uint64_t step_count\(\) const, or neither

#include <cstdint>
#include <vector>

#include "lockstep/lockstep.hpp"

struct Counted {
  using Memory = lockstep::NoMemory;
  static constexpr lockstep::Activity activity = lockstep::Activity::dense;
  static constexpr lockstep::Traits traits = lockstep::Traits::step_count;
  std::vector<std::uint32_t> regions() const { return {1}; }
#ifdef MUST_NOT_COMPILE
  double step_count() const { return 3; }
#else
  int step_count() const { return 3; }
#endif
  void operator()(auto& here) const { (void)here.step(); }
};

int main() { (void)run(lockstep::Ring{5}, Counted{}, lockstep::Collective{}); }
