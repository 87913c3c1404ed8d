// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The two ports of every node of a ring.

#include "lockstep/core/ids.hpp"

namespace lockstep::test {

inline constexpr Port right{0};  // where a message leaves for the next node
inline constexpr Port left{1};

}  // namespace lockstep::test
