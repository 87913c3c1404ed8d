// SPDX-License-Identifier: Apache-2.0
/// Nor is a number a node.
// expected: is unavailable: call load\(Region, slot, \[Origin,\] NodeId\)

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
    here.load(block.region, 0, 3);
#else
    here.load(block.region, 0, lockstep::NodeId{3});
#endif
    here.send(lockstep::Port{0}, block);
  }
};

int main() { (void)run(lockstep::Ring{5}, Sending{}, lockstep::Collective{}); }
