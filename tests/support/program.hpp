// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The program `lockstep` of this build, for tests that run it.

#include <string>

namespace lockstep::test {

[[nodiscard]] std::string program_path();

}  // namespace lockstep::test
