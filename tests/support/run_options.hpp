// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How most tests run a program of their own.

#include "lockstep/catalog/run.hpp"

namespace lockstep::test {

[[nodiscard]] inline RunOptions all_port() {
  return {.model = port_models::all_port, .workers = 2};
}

}  // namespace lockstep::test
