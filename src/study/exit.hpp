// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The exit codes of the program, which are also what a run of a series comes to, and the problems
/// that lead to them.

#include <new>
#include <string>
#include <string_view>

#include "lockstep/core/errors.hpp"
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

/// The refusal or the lack of resources that ended some work.
struct Problem {
  Exit exit = Exit::ok;  ///< ok: there was none
  std::string text{};
};
/// Does the work. `no_memory`: the text where the operating system has no memory for it.
template <class Work>
[[nodiscard]] Problem problem_of(
    const Work& work,
    std::string_view no_memory = "the operating system refused memory that was predicted to fit") {
  try {
    work();
    return {};
  } catch (const InvalidParameter& problem) {
    return {Exit::bad_request, problem.what()};
  } catch (const ResourceExhausted& problem) {
    return {Exit::no_resources, problem.what()};
  } catch (const std::bad_alloc&) {
    return {Exit::no_resources, std::string(no_memory)};
  }
}

}  // namespace lockstep::study
