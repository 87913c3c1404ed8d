// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

#include "lockstep/machine/channels.hpp"
#include "lockstep/machine/executor.hpp"
#include "lockstep/machine/run_record.hpp"

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

/// Of a link that two messages took: which; empty for other rules.
[[nodiscard]] inline std::string takers_of(const Violation& v) {
  if (v.rule != Rule::link_held) return {};
  return fmt::format(", taken from node {}, port {}, and from node {}, port {}",
                     index(v.one.sender), index(v.one.port), index(v.other.sender),
                     index(v.other.port));
}

}  // namespace lockstep::report
