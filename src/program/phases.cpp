// SPDX-License-Identifier: Apache-2.0
#include "lockstep/program/phases.hpp"

#include "core/invalid.hpp"

namespace lockstep {

void check_phases(const std::vector<Phase>& phases, std::optional<std::uint64_t> step_count) {
  std::uint64_t least = 0;
  for (const Phase& phase : phases) {
    const bool first = &phase == &phases.front();
    const std::uint64_t most = first ? 0 : step_count.value_or(phase.first_step);
    if (phase.name.empty())
      throw invalid("phases: the phase at step {} has no name", phase.first_step);
    if (phase.first_step < least || phase.first_step > most)
      throw invalid("phases: '{}' begins at step {}; allowed: {}..{}", phase.name, phase.first_step,
                    least, first || step_count ? std::to_string(most) : "");
    least = phase.first_step;
  }
}

}  // namespace lockstep
