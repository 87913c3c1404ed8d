// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The exit codes of the program, which are also what a run of a series comes to.

#include "lockstep/verify/judgement.hpp"

namespace lockstep::study {

enum class Exit : int {
  ok = 0,
  not_delivered = 1,  ///< something was not delivered, or differs from a promise
  bad_request = 2,
  rule_broken = 3,
  no_resources = 4,
  internal_error = 70,
  interrupted = 130
};

[[nodiscard]] constexpr int code(Exit exit) noexcept { return static_cast<int>(exit); }

[[nodiscard]] constexpr Exit exit_of(Outcome outcome) noexcept {
  if (outcome == Outcome::rule_broken) return Exit::rule_broken;
  if (outcome == Outcome::interrupted) return Exit::interrupted;
  return outcome == Outcome::complete ? Exit::ok : Exit::not_delivered;
}

}  // namespace lockstep::study
