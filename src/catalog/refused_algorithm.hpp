// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lockstep/catalog/catalog.hpp"

namespace lockstep {

/// Why the request's algorithm cannot run: "torus:3x3 total-exchange: algorithm 'packing' supports
/// only star graphs; allowed here: ..", or the nearest name where there
/// is no such algorithm. `allowed`: the names of those that can.
[[nodiscard]] std::string refused_algorithm(const RunRequest& request,
                                            const std::vector<std::string_view>& allowed);

}  // namespace lockstep
