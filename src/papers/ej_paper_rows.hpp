// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the rows of the Eisenstein-Jacobi paper are made of.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "papers/ej_costs.hpp"
#include "papers/paper_row.hpp"

namespace lockstep::ej_paper {

/// "ej:3+4^3", "ej:3+4" for n = 1.
[[nodiscard]] std::string topology_of(std::uint64_t a, std::uint64_t b, std::size_t n);

/// One dimension of EJ_alpha^(n).
[[nodiscard]] ej_costs::OneDimension one_of(std::uint64_t a, std::uint64_t b);
/// Of 3+4rho, the network of most tables.
[[nodiscard]] ej_costs::OneDimension one_of_the_paper();

/// A row on EJ_(3+4rho)^(n); n = 0: on more than one network, or on none.
[[nodiscard]] PaperRow row_of(std::string where, std::size_t n, std::string quantity);

/// The receivers of every step as sec. 5 has them: the S terms of eq. (7), (8) after so many
/// expansions. `depth` is the paper's M.
[[nodiscard]] std::vector<std::uint64_t> receivers_by_expansion(std::size_t n, std::size_t depth);

/// What the text states, by what it is about.
[[nodiscard]] std::vector<PaperRow> network_claims();
[[nodiscard]] std::vector<PaperRow> broadcast_claims();
[[nodiscard]] std::vector<PaperRow> all_to_all_claims();

}  // namespace lockstep::ej_paper
