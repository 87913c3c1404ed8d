// SPDX-License-Identifier: Apache-2.0
#include "papers/reproduce_tables.hpp"

#include <fmt/format.h>

#include "lockstep/algorithm/exchange_table/exchange_table.hpp"

namespace lockstep::papers {

CountedRows count_table_costs(const CountOptions& options) {
  constexpr std::size_t largest = 7;
  std::vector<CountedClaim> claims;
  for (std::size_t n = min_table_symbols; n <= largest; ++n)
    for (const TableKind kind : {TableKind::total, TableKind::odd}) {
      const std::uint64_t steps = lower_bound_columns(n, kind);
      const Operation operation =
          is_odd(kind) ? Operation::odd_distance_exchange : Operation::total_exchange;
      RunRequest request =
          request_on(options.machine, fmt::format("star:{}", n), operation, "table");
      request.block_bytes = 8;
      claims.push_back(cost_claim(std::move(request), n, 0,
                                  is_odd(kind) ? "T, odd exchange" : "T, total exchange",
                                  {steps, steps}));
    }
  return count_claims(std::move(claims), options);
}

}  // namespace lockstep::papers
