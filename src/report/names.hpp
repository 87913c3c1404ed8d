// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "lockstep/machine/channels.hpp"
#include "lockstep/machine/executor.hpp"
#include "lockstep/verify/judgement.hpp"

namespace lockstep::report {

// As users type them and reports show them.

[[nodiscard]] constexpr std::string_view channel_name(ChannelKind kind) noexcept {
  constexpr std::array<std::string_view, 5> names{"auto", SpscChannels::name, SlotChannels::name,
                                                  MailboxChannels::name, WormholeChannels::name};
  return names.at(static_cast<std::size_t>(kind));
}

[[nodiscard]] constexpr std::string_view executor_name(ExecutorKind kind) noexcept {
  constexpr std::array<std::string_view, 3> names{"tbb", "thread", "serial"};
  return names.at(static_cast<std::size_t>(kind));
}

/// In a word, as rows of all commands have it.
[[nodiscard]] constexpr std::string_view status_of(Outcome outcome) noexcept {
  if (outcome == Outcome::complete) return "ok";
  if (outcome == Outcome::rule_broken) return "rule-broken";
  return outcome == Outcome::interrupted ? "interrupted" : "not-delivered";
}

}  // namespace lockstep::report
