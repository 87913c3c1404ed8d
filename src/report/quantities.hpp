// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Numbers as a reader wants them: thousands separated, units of a fitting size.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lockstep/core/fraction.hpp"
#include "lockstep/machine/detail/channels.hpp"
#include "lockstep/machine/executor.hpp"
#include "lockstep/machine/spsc_channels.hpp"
#include "lockstep/verify/judgement.hpp"

namespace lockstep::report {

/// 25396560 -> "25,396,560"
[[nodiscard]] std::string count_text(std::uint64_t count);
/// 5602/2 -> "2,801", 5602/10 -> "2,801/5"; counts of parts of blocks, in blocks
[[nodiscard]] std::string count_text(const Fraction& count);
/// 1187348.5 -> "1,187,348.5"; whole numbers without a point
[[nodiscard]] std::string number_text(double number);
/// 13002342 -> "12.4 MiB"; up to 1023 "17 bytes"
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);
/// 0.0421 -> "42.1 ms", 5025 -> "1 h 23 min"
[[nodiscard]] std::string seconds_text(double seconds);
/// "2 workers", "4 processes of 2 workers"
[[nodiscard]] std::string workers_text(std::size_t workers, std::size_t processes);
/// 62140000 -> "62.1 M"; for rates, per second
[[nodiscard]] std::string rate_text(double per_second);

// As users type them and reports show them.
[[nodiscard]] constexpr std::string_view channel_name(ChannelKind kind) noexcept {
  constexpr std::array<std::string_view, 6> names{"auto",
                                                  SpscChannels::name,
                                                  SlotChannels::name,
                                                  MailboxChannels::name,
                                                  WormholeChannels::name,
                                                  SlotChannels::row_name};
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
