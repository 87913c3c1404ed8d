// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Tables 1 to 3, the data of figures 15 to 22 and what the text claims of Z. Hussain, "An improved
/// one-to-all broadcasting in higher dimensional Eisenstein-Jacobi networks", 2018, as printed,
/// beside ours (closed forms, papers/ej_costs.hpp; the machine's counts agree with them).
///
///     for (const PaperRow& row : ej_paper::table(3)) print(row.n, row.printed, row.ours);
///     for (const PaperRow& row : ej_paper::figure(22)) plot(row.curve, row.step, row.value);
///
/// Steps count from 1. The paper's previous algorithm is `iterative` here, its proposed one
/// `improved`.

#include <string_view>
#include <vector>

#include "papers/paper_row.hpp"

namespace lockstep::ej_paper {

inline constexpr std::string_view title =
    "Hussain: An improved one-to-all broadcasting in higher dimensional Eisenstein-Jacobi networks";

/// 1: the iterative, 2: the improved algorithm on EJ_(3+4rho)^(3), free, sending, receiving and
/// active nodes per step; 3: senders of all steps, n = 1..6. Throws InvalidParameter for others.
[[nodiscard]] std::vector<PaperRow> table(unsigned number);

/// Series over the steps, a curve per algorithm: 15 senders, 16 receivers, 17 free, 18 active nodes
/// of EJ_(3+4rho)^(3); 19 senders, 20 receivers, 21 active nodes, averages over five networks; 22
/// senders, EJ_(3+4rho)^(n), n = 4..6. The pictures print no figures. Throws InvalidParameter for
/// others.
[[nodiscard]] std::vector<PaperRow> figure(unsigned number);

/// What the text states: of the network, the algorithms and their equations, the comparison, the
/// all-to-all broadcast.
[[nodiscard]] std::vector<PaperRow> claims();

/// Ours alone: all-gathers and total exchanges of EJ_(3+4rho)^(n).
[[nodiscard]] std::vector<PaperRow> beyond();

/// All of the above, in the order of the paper.
[[nodiscard]] std::vector<PaperRow> all();

/// The errata that rows refer to, ascending.
[[nodiscard]] const std::vector<Erratum>& errata();

}  // namespace lockstep::ej_paper
