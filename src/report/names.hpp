// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "lockstep/machine/channels.hpp"

namespace lockstep::report {

[[nodiscard]] constexpr std::string_view channel_name(ChannelKind kind) noexcept {
  switch (kind) {
    case ChannelKind::automatic:
      return "auto";
    case ChannelKind::spsc:
      return SpscChannels::name;
    case ChannelKind::slot:
      return SlotChannels::name;
    case ChannelKind::mailbox:
      return MailboxChannels::name;
  }
  return "";
}

}  // namespace lockstep::report
