// SPDX-License-Identifier: Apache-2.0
/// Whether blocks have labels is known of the program's type.
// expected: program: traits must be static constexpr Traits

#include <cstdint>
#include <vector>

#include "lockstep/lockstep.hpp"

struct Labelled {
  using Memory = lockstep::NoMemory;
  static constexpr lockstep::Activity activity = lockstep::Activity::dense;
#ifdef MUST_NOT_COMPILE
  lockstep::Traits traits = lockstep::Traits::labels;
#else
  static constexpr lockstep::Traits traits = lockstep::Traits::labels;
#endif
  std::vector<std::uint32_t> regions() const { return {1}; }
  void operator()(auto& here) const { (void)here.step(); }
};

int main() { (void)run(lockstep::Ring{5}, Labelled{}, lockstep::Collective{}); }
