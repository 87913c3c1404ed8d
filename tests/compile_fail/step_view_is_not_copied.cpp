// SPDX-License-Identifier: Apache-2.0
/// A program cannot keep its view: a copy would let it act as a processor in another step.
// expected: (use of deleted function|call to deleted constructor)

#include <cstdint>
#include <vector>

#include "lockstep/lockstep.hpp"

struct Keeping {
  using Memory = lockstep::NoMemory;
  static constexpr lockstep::Activity activity = lockstep::Activity::dense;
  static constexpr lockstep::Traits traits = lockstep::Traits::step_count;
  std::vector<std::uint32_t> regions() const { return {1}; }
  std::uint64_t step_count() const { return 1; }

  template <class StepView>
  void operator()(StepView& here) const {
#ifdef MUST_NOT_COMPILE
    StepView kept(here);
    kept.stay_active();
#else
    StepView& used = here;
    used.stay_active();
#endif
  }
};

int main() { (void)run(lockstep::Ring{5}, Keeping{}, lockstep::Collective{}); }
