// SPDX-License-Identifier: Apache-2.0
/// Of a sparse program nobody runs in step 0 but those that it names.
// expected: program: a sparse program needs std::vector<NodeId> starts\(\) const, the first to run

#include <cstdint>
#include <vector>

#include "lockstep/lockstep.hpp"

struct Sparse {
  using Memory = lockstep::NoMemory;
  static constexpr lockstep::Activity activity = lockstep::Activity::sparse;
  std::vector<std::uint32_t> regions() const { return {1}; }
#ifndef MUST_NOT_COMPILE
  std::vector<lockstep::NodeId> starts() const { return {lockstep::NodeId{0}}; }
#endif
  void operator()(auto& here) const { (void)here.step(); }
};

int main() { (void)run(lockstep::Ring{5}, Sparse{}, lockstep::Collective{}); }
