// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Hooks of a program are pure (program/program.hpp). Builds with heavy checks call every hook
/// twice before the run and compare the answers.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/program.hpp"

namespace lockstep {

/// Throws InvalidParameter that names the first hook whose two answers differ.
template <Program P>
void check_hooks_are_pure(const P& program, std::uint64_t nodes) {
  const auto check = [](const std::string& hook, const auto& ask) {
    if (ask() != ask())
      throw InvalidParameter("program: " + hook +
                             " gave two different answers; hooks must be pure");
  };
  check("regions()", [&] { return std::vector<std::uint32_t>(program.regions()); });
  if constexpr (CountedProgram<P>) check("step_count()", [&] { return program.step_count(); });
  if constexpr (ControlProgram<P>)
    check("control_regions()", [&] { return std::vector<Region>(program.control_regions()); });
  if constexpr (StartingProgram<P>)
    check("starts()", [&] { return std::vector<NodeId>(program.starts()); });
  if constexpr (CalendarProgram<P>) {
    constexpr std::uint64_t most_steps = 1000;
    check("last_start()", [&] { return program.last_start(); });
    const std::uint64_t last = std::min<std::uint64_t>(program.last_start(), most_steps);
    for (std::uint64_t step = 0; step <= last; ++step)
      check("starts_in(" + std::to_string(step) + ")", [&] {
        const auto starts = program.starts_in(step);
        return std::vector<std::uint32_t>(starts.begin(), starts.end());
      });
  }
  if constexpr (UnevenProgram<P>) {
    const std::size_t regions = program.regions().size();
    for (std::uint64_t u = 0; u < nodes; ++u)
      for (std::size_t r = 0; r < regions; ++r)
        check("blocks_of(" + std::to_string(u) + ", " + std::to_string(r) + ")",
              [&] { return program.blocks_of(NodeId{u}, static_cast<Region>(r)); });
  }
}

}  // namespace lockstep
