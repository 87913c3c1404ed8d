// SPDX-License-Identifier: Apache-2.0
#include "papers/reproduce_ej_gathers.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "lockstep/core/fraction.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/eisenstein_jacobi_tree.hpp"
#include "papers/ej_costs.hpp"
#include "report/quantities.hpp"

namespace lockstep::papers {
namespace {

using ej_costs::AllGather;
using ej_costs::LeastSteps;
using report::count_text;

constexpr std::size_t most_dimensions = 2;

[[nodiscard]] ej_costs::OneDimension one_dimension() {
  return ej_costs::one_dimension(EisensteinJacobiTree(EisensteinJacobi(3, 4)));
}

[[nodiscard]] std::string network(std::size_t n) { return n == 1 ? "ej:3+4" : "ej:3+4^2"; }

/// "18 t_s + 234 t_m, 504 messages to each"; message times may be counted in parts of blocks.
[[nodiscard]] std::string text_of(std::uint64_t startups, const Fraction& message_times,
                                  std::uint64_t received) {
  return fmt::format("{} t_s + {} t_m, {} messages to each", count_text(startups),
                     count_text(message_times), count_text(received));
}

[[nodiscard]] std::string counted_text(const RunResult& result) {
  const RunRecord& record = result.record;
  return text_of(record.startups, Fraction(record.message_times, result.estimate.parts_per_block()),
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

/// Of a block in `parts` parts.
[[nodiscard]] std::string gather_text(const Promise& cost, std::uint64_t parts,
                                      std::uint64_t received) {
  return text_of(cost.startups, Fraction(cost.message_times, parts), received);
}

/// The closed forms of papers/ej_costs.hpp.
void add_closed_gathers(std::vector<CountedClaim>& claims, const RunRequest& machine,
                        std::size_t n) {
  struct Line {
    const char* name;
    AllGather algorithm;
  };
  constexpr std::array<Line, 4> lines{{{"three-phase", AllGather::three_phase},
                                       {"three-phase-complete", AllGather::three_phase_complete},
                                       {"two-substep", AllGather::two_substep},
                                       {"rotated", AllGather::rotated_parts}}};
  const ej_costs::OneDimension one = one_dimension();
  for (const Line& line : lines) {
    Promise cost = ej_costs::all_gather(one, n, line.algorithm);
    std::uint64_t parts = 1;
    if (line.algorithm == AllGather::rotated_parts) {
      // For b = a + 1 all ports of a step are loaded alike: its two halves cost the same.
      cost = {2 * cost.startups, 2 * cost.message_times};
      parts = n;
    }
    const std::uint64_t received = ej_costs::messages_received(one, n, line.algorithm);
    claims.push_back(claim_of(request_on(machine, network(n), Operation::all_gather, line.name), n,
                              fmt::format("all-gather by {}", line.name),
                              gather_text(cost, parts, received)));
    if (line.algorithm == AllGather::three_phase && n > 1)
      claims.back().expected = Exit::not_delivered;
  }
}

}  // namespace

std::vector<CountedClaim> ej_all_gather_claims(const RunRequest& machine) {
  std::vector<CountedClaim> claims;
  for (std::size_t n = 1; n <= most_dimensions; ++n) {
    add_closed_gathers(claims, machine, n);
    const LeastSteps least = ej_costs::least_all_gather_steps(one_dimension(), n);
    for (const auto& [name, steps] : {std::pair{"greedy", least.full_duplex},
                                      std::pair{"greedy-half-duplex", least.half_duplex}})
      claims.push_back(claim_of(request_on(machine, network(n), Operation::all_gather, name), n,
                                fmt::format("all-gather by {}", name),
                                text_of(steps, Fraction(steps, 1), least.single_port)));
  }
  return claims;
}

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
                                text_of(steps, Fraction(steps, 1), received)));
  }
  return claims;
}

}  // namespace lockstep::papers
