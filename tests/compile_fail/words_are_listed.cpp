// SPDX-License-Identifier: Apache-2.0
/// A program without labels and control words has no words to set.
// expected: set_word\(\): the program has neither labels nor control words

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
    here.set_word(block.region, 0, 7);
#else
    here.copy(block, block);
#endif
    here.send(lockstep::Port{0}, block);
  }
};

int main() { (void)run(lockstep::Ring{5}, Sending{}, lockstep::Collective{}); }
