// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The base blocks that are built in, as files (algorithm/exchange_table/table_file.hpp).

#include <cstddef>
#include <string_view>

#include "lockstep/algorithm/exchange_table/exchange_table.hpp"

namespace lockstep {

/// Empty where there is none. `kind`: base_total or base_odd.
[[nodiscard]] std::string_view base_block_text(std::size_t symbols, TableKind kind) noexcept;

}  // namespace lockstep
