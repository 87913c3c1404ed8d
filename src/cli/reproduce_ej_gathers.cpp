// SPDX-License-Identifier: Apache-2.0
#include "cli/reproduce_ej_gathers.hpp"

#include <fmt/format.h>

#include <utility>

#include "lockstep/cost/ej_costs.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/eisenstein_jacobi_tree.hpp"
#include "report/quantities.hpp"

namespace lockstep::cli {
namespace {

using ej_costs::LeastSteps;
using report::count_text;

constexpr std::size_t most_dimensions = 2;

[[nodiscard]] ej_costs::OneDimension one_dimension() {
  return ej_costs::one_dimension(EisensteinJacobiTree(EisensteinJacobi(3, 4)));
}

[[nodiscard]] std::string network(std::size_t n) { return n == 1 ? "ej:3+4" : "ej:3+4^2"; }

/// "18 t_s + 234 t_m, 504 messages to each"
[[nodiscard]] std::string text_of(std::uint64_t startups, std::uint64_t message_times,
                                  std::uint64_t received) {
  return fmt::format("{} t_s + {} t_m, {} messages to each", count_text(startups),
                     count_text(message_times), count_text(received));
}

[[nodiscard]] std::string counted_text(const RunResult& result) {
  const RunRecord& record = result.record;
  return text_of(record.startups, record.message_times,
                 result.verdict.tally.verified / record.processors);
}

[[nodiscard]] CountedClaim claim_of(RunRequest request, std::size_t n, std::string quantity,
                                    std::string closed_form) {
  const auto figures = [quantity, closed_form](const RunResult& result) {
    return std::vector<CountedFigure>{{quantity, counted_text(result), closed_form}};
  };
  request.block_bytes = 8;
  return {.request = std::move(request),
          .n = n,
          .k = 0,
          .quantity = std::move(quantity),
          .figures = figures,
          .closed_form = closed_form};
}

}  // namespace

std::vector<CountedClaim> ej_total_exchange_claims(const RunRequest& machine) {
  std::vector<CountedClaim> claims;
  for (std::size_t n = 1; n <= most_dimensions; ++n) {
    const LeastSteps least = ej_costs::least_total_exchange_steps(one_dimension(), n);
    const std::uint64_t received = ej_costs::least_all_gather_steps(one_dimension(), n).single_port;
    for (const auto& [name, steps] : {std::pair{"node-invariant", least.single_port},
                                      std::pair{"edge-colouring", least.full_duplex},
                                      std::pair{"edge-colouring-half-duplex", least.half_duplex}})
      claims.push_back(claim_of(request_on(machine, network(n), Operation::total_exchange, name), n,
                                fmt::format("total exchange by {}", name),
                                text_of(steps, steps, received)));
  }
  return claims;
}

}  // namespace lockstep::cli
