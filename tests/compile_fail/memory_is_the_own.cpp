// SPDX-License-Identifier: Apache-2.0
/// memory() asks for no address: there is no way to name another processor's.
// expected: is unavailable: call memory\(\): the processor's own

#include <cstdint>
#include <vector>

#include "lockstep/lockstep.hpp"

struct Asking {
  using Memory = std::uint64_t;
  static constexpr lockstep::Activity activity = lockstep::Activity::dense;
  static constexpr lockstep::Traits traits = lockstep::Traits::step_count;
  std::vector<std::uint32_t> regions() const { return {1}; }
  std::uint64_t step_count() const { return 1; }

  void operator()(auto& here) const {
#ifdef MUST_NOT_COMPILE
    here.memory(lockstep::NodeId{3}) = 7;
#else
    here.memory() = 7;
#endif
  }
};

int main() { (void)run(lockstep::Ring{5}, Asking{}, lockstep::Collective{}); }
