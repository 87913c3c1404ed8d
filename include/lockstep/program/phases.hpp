// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Phases: runs of steps that a program gives a name, so that the record says what each of them
/// cost.
///
///     [[nodiscard]] std::vector<Phase> phases() const { return {{"columns", 0}, {"rows", 12}}; }
///
/// A phase ends where the next one begins, the last one with the run. Of several that begin at the
/// same step all but the last have no steps.

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/program/program.hpp"

namespace lockstep {

struct Phase {
  std::string name;
  std::uint64_t first_step = 0;

  friend bool operator==(const Phase&, const Phase&) = default;
};

template <class P>
concept PhasedProgram = Program<P> && requires(const P& program) {
  { program.phases() } -> std::convertible_to<std::vector<Phase>>;  // may be none
};

/// Throws InvalidParameter where the first phase does not begin at step 0, one begins before the
/// phase before it, or behind all steps, or has no name.
void check_phases(const std::vector<Phase>& phases, std::optional<std::uint64_t> step_count);

/// None where the program names none. Throws as above.
template <Program P>
[[nodiscard]] std::vector<Phase> phases_of(const P& program) {
  std::vector<Phase> phases;
  std::optional<std::uint64_t> step_count;
  if constexpr (PhasedProgram<P>) phases = program.phases();
  if constexpr (CountedProgram<P>) step_count = static_cast<std::uint64_t>(program.step_count());
  check_phases(phases, step_count);
  return phases;
}

}  // namespace lockstep
