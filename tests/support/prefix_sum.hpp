// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/program/program.hpp"

/// Prefix sums on a hypercube, by control words: processor u ends with the sum of the values of
/// processors 0..u. In step k neighbours in dimension k exchange the sums of their subcubes.
struct PrefixSum {
  struct Memory {  // of one processor
    std::uint64_t prefix = 0;
    std::uint64_t subcube = 0;
  };
  static constexpr auto activity = lockstep::Activity::dense;
  static constexpr lockstep::Traits traits =
      lockstep::Traits::step_count | lockstep::Traits::control_regions;
  std::uint64_t dimensions;
  const std::uint64_t* values;  // processor by processor
  std::uint64_t* prefixes;      // the same: written by each processor for itself

  std::uint64_t step_count() const { return dimensions; }
  std::vector<std::uint32_t> regions() const { return {1, 1}; }  // to send in even and odd steps
  std::vector<lockstep::Region> control_regions() const {
    return {lockstep::Region{0}, lockstep::Region{1}};
  }

  void operator()(auto& here) const {
    const std::uint64_t own = index(here.node());
    Memory& memory = here.memory();
    if (here.step() == 0) {
      memory = {values[own], values[own]};
    } else {
      const std::uint64_t k = here.step() - 1;
      const std::uint64_t other = here.take(lockstep::port(k)).word(0);
      memory.subcube += other;
      if (((own >> k) & 1U) != 0) memory.prefix += other;  // the neighbour's numbers are lower
    }
    prefixes[own] = memory.prefix;
    if (here.last_call()) return;
    const auto out = static_cast<lockstep::Region>(here.step() % 2);
    here.set_word(out, 0, memory.subcube);
    here.send(lockstep::port(here.step()), lockstep::Blocks{out, 0, 1});
  }
};
