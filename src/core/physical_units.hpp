// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Times and rates as users write them: a number of at least 0 and a unit.

#include <optional>
#include <string_view>

namespace lockstep {

/// "50us", "1.5ms": with ns, us, ms or s. Empty where the text is no such time.
[[nodiscard]] std::optional<double> seconds_of(std::string_view text);
/// "10GB/s", "100Gbit/s": powers of 1000, from B/s to TB/s and from kbit/s to Tbit/s. Empty where
/// the text is no such rate.
[[nodiscard]] std::optional<double> bytes_per_second_of(std::string_view text);

}  // namespace lockstep
