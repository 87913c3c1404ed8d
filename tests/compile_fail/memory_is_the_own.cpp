// SPDX-License-Identifier: Apache-2.0
/// memory() asks for no address: there is no way to name another processor's.
// expected: (no matching function for call|too many arguments|no matching member)

#include <cstdint>
#include <vector>

#include "lockstep/machine/machine.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/verify/delivery.hpp"

struct Asking {
  using Memory = std::uint64_t;
  static constexpr lockstep::Activity activity = lockstep::Activity::dense;
  static constexpr lockstep::Traits traits = lockstep::Traits::step_count;
  std::vector<std::uint32_t> regions() const { return {1}; }
  std::uint64_t step_count() const { return 1; }

  void operator()(auto& here) const {
#ifdef MUST_NOT_COMPILE
    here.memory(lockstep::NodeId{3}) = 7;
#else
    here.memory() = 7;
#endif
  }
};

template class lockstep::Machine<lockstep::Ring, Asking, lockstep::SlotChannels>;
