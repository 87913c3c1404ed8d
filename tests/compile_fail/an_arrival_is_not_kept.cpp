// SPDX-License-Identifier: Apache-2.0
/// The bytes of an arrival are its sender's, who may alter them in the step after: nobody keeps
/// one.
// expected: (protected|deleted|no match for|no viable)

#include <cstdint>
#include <vector>

#include "lockstep/lockstep.hpp"

struct Keeping {
  using Memory = lockstep::NoMemory;
  static constexpr lockstep::Activity activity = lockstep::Activity::dense;
  static constexpr lockstep::Traits traits = lockstep::Traits::step_count;
  std::vector<std::uint32_t> regions() const { return {1}; }
  std::uint64_t step_count() const { return 1; }

  void operator()(auto& here) const {
    const auto arrival = here.take(lockstep::Port{0});
#ifdef MUST_NOT_COMPILE
    const auto kept = arrival;
#else
    const auto& kept = arrival;
#endif
    here.store(kept, lockstep::Blocks{});
  }
};

int main() { (void)run(lockstep::Ring{5}, Keeping{}, lockstep::Collective{}); }
