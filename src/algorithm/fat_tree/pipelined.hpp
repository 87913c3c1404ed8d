// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The parameter of algorithms in phases on a fat tree: whether these overlap.

#include <array>
#include <string_view>

#include "lockstep/program/settings.hpp"

namespace lockstep {

inline constexpr std::array<std::string_view, 2> pipelined_words{"yes", "no"};

inline constexpr Parameter pipelined_parameter{
    .name = "pipelined",
    .kind = Parameter::Kind::word,
    .placeholder = "yes|no",
    .meaning = "Overlap consecutive phases: yes or no (default: yes)",
    .noun = "pipelining",
    .phrase = ", pipelined {}",
    .words = pipelined_words,
    .fallback = "yes"};

[[nodiscard]] inline bool is_pipelined(const Settings& settings) {
  return settings.text(pipelined_parameter.name, pipelined_parameter.fallback) == "yes";
}

}  // namespace lockstep
