// SPDX-License-Identifier: Apache-2.0
#include "papers/reproduce_star.hpp"

#include <fmt/format.h>

#include "lockstep/algorithm/star_promises.hpp"
#include "papers/star_costs.hpp"

namespace lockstep::papers {

namespace {

[[nodiscard]] RunRequest star_request(const RunRequest& machine, std::size_t n, Operation operation,
                                      const char* algorithm) {
  return request_on(machine, fmt::format("star:{}", n), operation, algorithm);
}

}  // namespace

CountedRows count_star_costs(const CountOptions& options) {
  constexpr std::size_t largest = 6;
  std::vector<CountedClaim> claims;
  for (std::size_t n = 2; n <= largest; ++n)
    for (std::size_t k = 1; k < n; ++k) {
      RunRequest request = star_request(options.machine, n, Operation::total_exchange, "packing");
      request.settings["k"] = Numbers{k};
      claims.push_back(cost_claim(std::move(request), n, k, fmt::format("T({},{})", n, k),
                                  star_costs::packing(n, k)));
    }
  for (std::size_t n = 3; n <= largest; ++n) {
    claims.push_back(cost_claim(star_request(options.machine, n, Operation::all_gather, "mesh"), n,
                                0, "all-gather by mesh", star_promises::mesh_all_gather(n)));
    claims.push_back(
        cost_claim(star_request(options.machine, n, Operation::all_gather, "hamiltonian-ring"), n,
                   0, "all-gather by hamiltonian-ring", star_promises::ring_all_gather(n)));
  }
  return count_claims(std::move(claims), options);
}

}  // namespace lockstep::papers
