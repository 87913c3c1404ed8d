// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The one check of a parameter's value: parse_setting() makes it for command lines, prepare() for
/// every setting of a request.

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
