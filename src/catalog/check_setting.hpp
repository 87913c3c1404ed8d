// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The checks of settings: of a value, which parse_setting() makes for command lines and prepare()
/// for every setting of a request; and of whether any algorithm takes the setting.

#include <span>
#include <string_view>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/program/settings.hpp"

namespace lockstep {

/// Throws InvalidParameter unless the value is of the parameter's kind and in its range.
void check_setting(const Parameter& parameter, const Setting& given, const AnyTopology& topology);

/// Throws InvalidParameter for a setting of the request that none of the algorithms takes.
void check_settings_apply(std::span<const AlgorithmInfo> algorithms, const RunRequest& request);

/// The one of that name; null where there is none.
[[nodiscard]] const Parameter* parameter_of(std::span<const Parameter> parameters,
                                            std::string_view name);

}  // namespace lockstep
