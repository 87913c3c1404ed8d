// SPDX-License-Identifier: Apache-2.0

/// What the text of the star paper claims of its tables and pictures, eq. (1), footnote 1.

#include <fmt/format.h>

#include <algorithm>

#include "lockstep/algorithm/star_promises.hpp"
#include "lockstep/core/permutation.hpp"
#include "papers/printed_decimal.hpp"
#include "papers/star/costs.hpp"
#include "papers/star/star.hpp"

namespace lockstep::papers::star {
namespace {

/// The least and the most over the sizes drawn.
template <class OfSize>
auto range_over(std::size_t first, OfSize of_size) {
  std::vector<decltype(of_size(first))> values;
  for (std::size_t n = first; n <= largest_drawn; ++n) values.push_back(of_size(n));
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return std::pair{*least, *most};
}

void add(PaperRows& rows, const Ratio& ratio, PaperRow row, bool same) {
  row.ratio = ratio.text;
  row.same = same;
  rows.push_back(std::move(row));
}

/// Eq. (1) and footnote 1 with numbers in them: n = 5, k = 3 and k = 3; the largest of table 2.
void add_formulas(PaperRows& rows) {
  const Cost outer = star_promises::packing_level(5, 5, 3);
  rows.push_back(claim("Eq. (1)", 0, "coefficient of t_m, n = 5, k = 3",
                       to_string(outer.message_times + star_costs::packing(5, 1).message_times),
                       to_string(star_costs::packing(5, 3).message_times), 1));
  // (3 + 2/3 + H - 4) (3! - 1)/3! with H = 1 + 1/2! + 1/3!
  rows.push_back(claim("Footnote 1", 0, "l(3,1), mean distance in S_3", "10/9",
                       star_costs::mean_distance(3, 1).text(), 3));
  Fraction largest;
  for (std::size_t n = 4; n <= largest_drawn; ++n)
    for (std::size_t k = 3; k < n; ++k)
      largest = std::max(largest, star_costs::least_ratio_for_packing(n, k).value());
  rows.push_back(claim("Section III.2", 0, "least t_s/t_m for packing: the largest of table 2",
                       "<0.64", written_like("0.63", largest, 2)));
  rows.back().same = largest < Fraction(64, 100);
}

void add_best_factors(PaperRows& rows, const Ratio& ratio) {
  const auto [least, most] = range_over(
      smallest_drawn, [&](std::size_t n) { return star_costs::best_k(n, ratio.exact()); });
  add(rows, ratio,
      claim("Section III.2", 0, "best k, n = 3..12", "2..4", fmt::format("{}..{}", least, most)),
      least >= 2 && most <= 4);
  const std::uint64_t blocks = factorial(most);
  const bool few = blocks < 20;
  add(rows, ratio,
      claim("Section I", 0, "messages in a packet, best k, n = 3..12", "<20",
            fmt::format("up to {}", blocks), few ? 0 : 18),
      few);
}

void add_improvements(PaperRows& rows, const Ratio& ratio) {
  const auto [least, most] = range_over(smallest_drawn, [&](std::size_t n) {
    return packing_improvement(n, star_costs::best_k(n, ratio.exact()), ratio);
  });
  const bool inside = least >= 0.2 && most <= 0.8;
  add(rows, ratio,
      claim("Section III.2", 0, "ETI of packing, best k, n = 3..12", "0.2..0.8",
            fmt::format("{:.4f}..{:.4f}", least, most), inside ? 0 : 17),
      inside);
  const double of_both = std::max(most, range_over(smallest_drawn, [&](std::size_t n) {
                                          return mesh_improvement(n, ratio);
                                        }).second);
  add(rows, ratio,
      claim("Abstract", 0, "ETI of both algorithms, n = 3..12", "10%~80%",
            "at most " + fixed(of_both, 4), of_both >= 0.1 ? 0 : 17),
      of_both >= 0.1);
}

void add_all_gather(PaperRows& rows, const Ratio& ratio, const char* printed) {
  const auto [least, most] =
      range_over(6, [&](std::size_t n) { return mesh_improvement(n, ratio); });
  add(rows, ratio,
      claim("Section IV.2", 0, "ETI of the all-gather, n = 6..12", printed,
            fmt::format("{:.4f}..{:.4f}", least, most), 28),
      true);
  std::string losses;
  for (std::size_t n = smallest_drawn; n <= largest_drawn; ++n)
    if (mesh_improvement(n, ratio) <= 0)
      losses += fmt::format("{}{}", losses.empty() ? "" : ", ", n);
  add(rows, ratio,
      claim("Section IV.2", 0, "n without improvement by the all-gather", "very small n", losses,
            29),
      true);
}

}  // namespace

PaperRows claims() {
  PaperRows rows;
  add_formulas(rows);
  for (const Ratio& ratio : ratios) add_best_factors(rows, ratio);
  for (const Ratio& ratio : ratios) add_improvements(rows, ratio);
  constexpr std::array printed{"0.8", "0.4", "0.1"};
  for (std::size_t i = 0; i < ratios.size(); ++i) add_all_gather(rows, ratios[i], printed[i]);
  return rows;
}

}  // namespace lockstep::papers::star
