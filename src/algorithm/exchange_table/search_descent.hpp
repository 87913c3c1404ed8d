// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>

#include "algorithm/exchange_table/search_problem.hpp"

namespace lockstep::table_search {

/// One descent with noise of its own (rules: algorithm/exchange_table/table_search.hpp): the block,
/// if it arrived. `stopped` is asked now and then; `full_columns` rises to the most columns that
/// were full at the left.
[[nodiscard]] std::optional<ExchangeTable> descend(const Problem& problem, std::mt19937_64& random,
                                                   const std::function<bool()>& stopped,
                                                   std::uint64_t& full_columns);

}  // namespace lockstep::table_search
