// SPDX-License-Identifier: Apache-2.0
#include "cli/reproduce_star.hpp"

#include <fmt/format.h>

#include "lockstep/algorithm/star_promises.hpp"
#include "lockstep/cost/star_costs.hpp"

namespace lockstep::cli {

CountedRows count_star_costs(const RunRequest& machine, const RunSeries::Options& options) {
  constexpr std::size_t largest = 6;
  std::vector<CountedClaim> claims;
  for (std::size_t n = 2; n <= largest; ++n)
    for (std::size_t k = 1; k < n; ++k) {
      RunRequest request = star_request(machine, n, Operation::total_exchange, "packing");
      request.parameters.k = {k};
      claims.push_back(
          {std::move(request), n, k, fmt::format("T({},{})", n, k), star_costs::packing(n, k)});
    }
  for (std::size_t n = 3; n <= largest; ++n) {
    claims.push_back({star_request(machine, n, Operation::all_gather, "mesh"), n, 0,
                      "all-gather by mesh", star_promises::mesh_all_gather(n)});
    claims.push_back({star_request(machine, n, Operation::all_gather, "hamiltonian-ring"), n, 0,
                      "all-gather by hamiltonian-ring", star_promises::ring_all_gather(n)});
  }
  return count_claims(claims, options);
}

}  // namespace lockstep::cli
