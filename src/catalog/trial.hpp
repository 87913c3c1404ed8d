// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Whether an algorithm keeps the rules of a port model that it does not declare, and what a run
/// without a closed form costs: both are known from a run without verification, of the smallest
/// blocks, because neither depends on the bytes.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "catalog/catalog_line.hpp"
#include "lockstep/catalog/catalog.hpp"

namespace lockstep::catalog {

/// Longest trial, by RunForecast::rough_seconds, that a selection makes to settle the port model of
/// one algorithm.
inline constexpr double most_trial_seconds = 0.5;

struct Trial {
  enum class Outcome : std::uint8_t {
    lawful,     ///< breaks no rule of the machine
    unlawful,   ///< breaks a rule, or promises less than the lower bound under the port model
    refused,    ///< the machine or the algorithm refuses the request
    not_tried,  ///< takes too much time or memory, or was interrupted
  };
  Outcome outcome = Outcome::not_tried;
  std::string reason{};              ///< why it was refused or not tried: "a trial takes too long"
  std::optional<Promise> counted{};  ///< what a promise would say; empty unless it is lawful
};

/// Uses all members of the choice but the forecast. The run is left out where the lower bound
/// settles the question.
[[nodiscard]] Trial trial_of(const Choice& choice, const RunRequest& request, double most_seconds,
                             const std::stop_token& stop = {});

/// The same of the algorithm that the request names, with its settings, under its port model.
[[nodiscard]] Trial trial_of(const RunRequest& request, double most_seconds,
                             const std::stop_token& stop = {});

}  // namespace lockstep::catalog
