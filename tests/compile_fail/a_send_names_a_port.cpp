// SPDX-License-Identifier: Apache-2.0
/// A number is no port: a wrong call is told in one line, not by a list of all overloads.
// expected: is unavailable: call send\(Port, Blocks\)

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
    here.send(0, block);
#else
    here.send(lockstep::Port{1}, block);
#endif
    here.send(lockstep::Port{0}, block);
  }
};

int main() { (void)run(lockstep::Ring{5}, Sending{}, lockstep::Collective{}); }
