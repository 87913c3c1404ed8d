// SPDX-License-Identifier: Apache-2.0
/// A program that promises to receive once looks for the message, not at a port: its box does not
/// keep one message per port.
// expected: no member named [^ ]*take

#include <cstdint>
#include <vector>

#include "lockstep/lockstep.hpp"

struct Once {
  using Memory = lockstep::NoMemory;
  static constexpr lockstep::Activity activity = lockstep::Activity::sparse;
  static constexpr lockstep::Traits traits = lockstep::Traits::receives_once;
  std::vector<lockstep::NodeId> starts() const { return {}; }
  std::vector<std::uint32_t> regions() const { return {1}; }

  template <class StepView>
  void operator()(StepView& here) const {
#ifdef MUST_NOT_COMPILE
    here.store(here.take(lockstep::Port{0}), lockstep::Blocks{});
#else
    here.store(here.take_first(), lockstep::Blocks{});
#endif
  }
};

int main() { (void)run(lockstep::Ring{5}, Once{}, lockstep::Collective{}); }
