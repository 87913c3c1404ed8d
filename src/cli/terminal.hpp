// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How wide what we write to may be.

#include <cstddef>

namespace lockstep::cli {

/// Of a terminal its columns (COLUMNS of the environment, what it says itself, else 80); of
/// anything else any_width (report/table.hpp).
[[nodiscard]] std::size_t page_of(int file) noexcept;

}  // namespace lockstep::cli
