// SPDX-License-Identifier: Apache-2.0
#include "lockstep/program/claims.hpp"

#include <fmt/format.h>

#include <array>

#include "lockstep/core/ids.hpp"

namespace lockstep {
namespace {

[[nodiscard]] std::string fewest(std::string_view quantity, Among among) {
  constexpr std::array<std::string_view, 4> sets{"", "all schedules",
                                                 "schedules that do not divide blocks",
                                                 "schedules of one block per message"};
  return fmt::format("fewest {} among {}", quantity, sets[index(among)]);
}

}  // namespace

std::string Claims::text() const {
  std::string text;
  if (any() && startups == message_times) {
    text = fewest("start-ups and message times", startups);
  } else {
    if (startups != Among::none) text = fewest("start-ups", startups);
    if (message_times != Among::none)
      text += (text.empty() ? "" : "; ") + fewest("message times", message_times);
  }
  return where.empty() ? text : fmt::format("{}: {}", where, text);
}

}  // namespace lockstep
