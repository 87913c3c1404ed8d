// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The values of a parameter that a sweep runs through.
///
///     values_of(k, "3;4,3,2", request)      // 3; 4,3,2
///     values_of(k, "all", request)          // 1; 2; ..: every number that the algorithm takes
///     values_of(discipline, "all", request) // every word

#include <string>
#include <vector>

#include "lockstep/catalog/catalog.hpp"

namespace lockstep::study {

/// Between the values of a list: ';' where a value may hold commas.
[[nodiscard]] char separator_of(const Parameter& parameter) noexcept;
/// Whether a list may be "all".
[[nodiscard]] bool has_all(const Parameter& parameter) noexcept;

/// `request` names topology, operation and algorithm. Throws InvalidParameter.
[[nodiscard]] std::vector<Setting> values_of(const Parameter& parameter, const std::string& text,
                                             const RunRequest& request);

}  // namespace lockstep::study
