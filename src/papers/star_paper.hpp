// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Tables 1 to 3, the data of figures 2, 3, 4 and 6, and the figures in the text of Tseng, Chang,
/// Sheu, "Efficient all-to-all broadcast in star graph interconnection networks", as printed,
/// beside ours (closed forms; the machine's counts agree with them,
/// tests/papers/star_machine_test.cpp).
///
///     for (const PaperRow& row : star_paper::table2())
///       print(row.n, row.k, row.printed, row.ours, row.agrees);
///     for (const PaperRow& row : star_paper::all())
///       if (row.erratum != 0) print(star_paper::erratum(row.erratum).sentence);

#include <string_view>
#include <vector>

#include "papers/paper_row.hpp"

namespace lockstep::star_paper {

inline constexpr std::string_view title =
    "Tseng, Chang, Sheu: Efficient all-to-all broadcast in star graph interconnection networks";

/// Routes, representatives and substars of node 3241 in S_4, k = 2: "3,2,4; 1432; **32".
[[nodiscard]] std::vector<PaperRow> table1();
/// Least t_s/t_m for which packing pays, n = 4..12, k = 3..n-1.
[[nodiscard]] std::vector<PaperRow> table2();
/// Least t_s/t_m for which the all-gather on the mesh pays, n = 5..20.
[[nodiscard]] std::vector<PaperRow> table3();

/// ETI against n, per k: figures 2, 3, 4 (t_s/t_m = 100, 1, 0.1), n = 3..12, k = 2..n-1; figure 6,
/// n = 3..12, the three ratios. The pictures print no figures. Throws InvalidParameter for others.
[[nodiscard]] std::vector<PaperRow> figure(unsigned number);

/// The figures in the text: claims about the tables and pictures, eq. (1), footnote 1.
[[nodiscard]] std::vector<PaperRow> claims();

/// All of the above, in the order of the paper.
[[nodiscard]] std::vector<PaperRow> all();

/// The errata that rows refer to, ascending.
[[nodiscard]] const std::vector<Erratum>& errata();
/// Throws InvalidParameter unless it is one of errata().
[[nodiscard]] const Erratum& erratum(unsigned number);

}  // namespace lockstep::star_paper
