// SPDX-License-Identifier: Apache-2.0
/// A program cannot reach another processor's memory: its view has no such operation, and what the
/// view is made of is its own.
// expected: (is private within this context|is a private member)

#include <cstdint>
#include <vector>

#include "lockstep/lockstep.hpp"

struct Prying {
  using Memory = std::uint64_t;
  static constexpr lockstep::Activity activity = lockstep::Activity::dense;
  static constexpr lockstep::Traits traits = lockstep::Traits::step_count;
  std::vector<std::uint32_t> regions() const { return {1}; }
  std::uint64_t step_count() const { return 1; }

  void operator()(auto& here) const {
#ifdef MUST_NOT_COMPILE
    here.pass_.variables[index(here.node()) + 1] = 7;
#else
    here.memory() = 7;
#endif
  }
};

int main() { (void)run(lockstep::Ring{5}, Prying{}, lockstep::Collective{}); }
