// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All kinds of channels.

// IWYU pragma: begin_exports
#include "lockstep/machine/channel.hpp"
#include "lockstep/machine/mailbox_channels.hpp"
#include "lockstep/machine/slot_channels.hpp"
#include "lockstep/machine/spsc_channels.hpp"
#include "lockstep/machine/wormhole_channels.hpp"
// IWYU pragma: end_exports
