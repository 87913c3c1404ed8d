// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Reading what stands behind the colon of a topology's name. All of these throw InvalidParameter
/// that says what was given; make_topology adds what the family allows.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/core/detail/cycles.hpp"

namespace lockstep::catalog {

[[nodiscard]] std::uint64_t number_argument(std::string_view argument);

/// One number or more, separated: "3x4".
[[nodiscard]] std::vector<std::uint64_t> number_arguments(std::string_view argument,
                                                          char separator);

/// "4^3": three times 4, of 1 to 62 levels. `name`: of the topology.
[[nodiscard]] std::vector<std::uint64_t> level_arguments(const std::string& name,
                                                         const std::string& shape);

/// "(1 2)(3 4);(1 2 3 4 5)", or "file:PATH" with a generator per line; # starts a remark, empty
/// lines do not count.
[[nodiscard]] std::vector<PointImages> generator_arguments(const std::string& argument);

/// The factors of "A,B,..)", what stands behind "product(". A comma before a letter begins the next
/// factor, unless parentheses are open; blanks before a factor do not count. Throws where the
/// parentheses do not match.
[[nodiscard]] std::vector<std::string> factor_arguments(const std::string& argument);

}  // namespace lockstep::catalog
