// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Makes the InvalidParameter of a request that cannot be honoured, from a format string and its
/// arguments.
///
///     throw invalid("{}: reach {}; allowed: 1..{}", name, reach, most);

#include <fmt/format.h>

#include <utility>

#include "lockstep/core/errors.hpp"

namespace lockstep {

template <class... Arguments>
[[nodiscard]] InvalidParameter invalid(fmt::format_string<Arguments...> sentence,
                                       Arguments&&... arguments) {
  return InvalidParameter(fmt::format(sentence, std::forward<Arguments>(arguments)...));
}

}  // namespace lockstep
