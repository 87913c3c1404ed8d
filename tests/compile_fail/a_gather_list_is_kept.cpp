// SPDX-License-Identifier: Apache-2.0
/// A list that a message is made of stands somewhere: a vector that the program keeps will do, one
/// that is made when it is asked for will not.
// expected: program: Traits::gather_list and std::span<const std::uint32_t>
// gather_list\(GatherList\) const, with slots

#include <cstdint>
#include <vector>

#include "lockstep/lockstep.hpp"

struct Gathering {
  using Memory = lockstep::NoMemory;
  static constexpr lockstep::Activity activity = lockstep::Activity::dense;
  static constexpr lockstep::Traits traits = lockstep::Traits::gather_list;
  std::vector<std::uint32_t> slots{0};
  std::vector<std::uint32_t> regions() const { return {1}; }
#ifdef MUST_NOT_COMPILE
  std::vector<std::uint32_t> gather_list(lockstep::GatherList) const { return slots; }
#else
  const std::vector<std::uint32_t>& gather_list(lockstep::GatherList) const { return slots; }
#endif
  void operator()(auto& here) const {
    here.send(lockstep::Port{0}, lockstep::Region{0}, lockstep::GatherList{});
  }
};

int main() { (void)run(lockstep::Ring{5}, Gathering{}, lockstep::Collective{}); }
