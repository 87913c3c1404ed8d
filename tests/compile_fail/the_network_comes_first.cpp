// SPDX-License-Identifier: Apache-2.0
/// A program is no network, and a network is no program: one of them is told.
// expected: network: not a topology; see lockstep/topology/topology.hpp

#include <cstdint>
#include <vector>

#include "lockstep/lockstep.hpp"

struct Silent {
  using Memory = lockstep::NoMemory;
  static constexpr lockstep::Activity activity = lockstep::Activity::dense;
  std::vector<std::uint32_t> regions() const { return {1}; }
  void operator()(auto& here) const { (void)here.step(); }
};

int main() {
#ifdef MUST_NOT_COMPILE
  (void)run(Silent{}, lockstep::Ring{5}, lockstep::Collective{});
#else
  (void)run(lockstep::Ring{5}, Silent{}, lockstep::Collective{});
#endif
}
