// SPDX-License-Identifier: Apache-2.0
/// A processor knows its ports, not who is behind them.
// expected: no member named [^ ]*neighbor

#include <cstdint>
#include <vector>

#include "lockstep/lockstep.hpp"

struct Sending {
  using Memory = lockstep::NoMemory;
  static constexpr lockstep::Activity activity = lockstep::Activity::dense;
  std::vector<std::uint32_t> regions() const { return {1}; }

  void operator()(auto& here) const {
    const lockstep::Blocks block{lockstep::Region{0}, 0, 1};
#ifdef MUST_NOT_COMPILE
    (void)here.neighbor(lockstep::Port{0});
#else
    (void)here.degree();
#endif
    here.send(lockstep::Port{0}, block);
  }
};

int main() { (void)run(lockstep::Ring{5}, Sending{}, lockstep::Collective{}); }
