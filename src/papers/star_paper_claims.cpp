// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/algorithm/star_promises.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/permutation.hpp"
#include "lockstep/cost/model.hpp"
#include "papers/printed_decimal.hpp"
#include "papers/star_costs.hpp"
#include "papers/star_paper.hpp"
#include "papers/star_paper_ratios.hpp"

namespace lockstep::star_paper {
namespace {

PaperRow claim(std::string where, std::string quantity, std::string printed, std::string ours,
               bool agrees, unsigned erratum) {
  PaperRow row;
  row.where = std::move(where);
  row.quantity = std::move(quantity);
  row.printed = std::move(printed);
  row.ours = std::move(ours);
  row.agrees = agrees;
  row.erratum = erratum;
  return row;
}

/// From the least to the most over the sizes drawn.
struct Range {
  double least;
  double most;

  [[nodiscard]] std::string text() const { return fixed(least, 4) + ".." + fixed(most, 4); }
};

template <class OfSize>
Range range_over(std::size_t first, OfSize of_size) {
  Range range{of_size(first), of_size(first)};
  for (std::size_t n = first + 1; n <= largest_drawn; ++n) {
    range.least = std::min(range.least, of_size(n));
    range.most = std::max(range.most, of_size(n));
  }
  return range;
}

double best_improvement(std::size_t n, const Ratio& ratio) {
  return execution_time_improved(star_costs::packing(n, star_costs::best_k(n, ratio.exact())),
                                 star_costs::packing(n, 1), ratio.host());
}

double mesh_improvement(std::size_t n, const Ratio& ratio) {
  return execution_time_improved(star_promises::mesh_all_gather(n),
                                 star_promises::ring_all_gather(n), ratio.host());
}

/// Eq. (1) and footnote 1 with numbers in them: n = 5, k = 3 and k = 3.
void add_formulas(std::vector<PaperRow>& rows) {
  const Promise outer = star_promises::packing_level(5, 5, 3);
  rows.push_back(
      claim("Eq. (1)", "coefficient of t_m, n = 5, k = 3",
            std::to_string(outer.message_times + star_costs::packing(5, 1).message_times),
            std::to_string(star_costs::packing(5, 3).message_times), false, 1));
  // (3 + 2/3 + H - 4) (3! - 1)/3! with H = 1 + 1/2! + 1/3!
  rows.push_back(claim("Footnote 1", "l(3,1), mean distance in S_3", "10/9",
                       star_costs::mean_distance(3, 1).text(), false, 3));
}

void add_thresholds(std::vector<PaperRow>& rows) {
  Fraction largest;
  for (const PaperRow& row : table2())
    largest = std::max(largest, star_costs::least_ratio_for_packing(row.n, row.k).value());
  rows.push_back(claim("Section III.2", "least t_s/t_m for packing: the largest of table 2",
                       "<0.64", written_like("0.63", largest, 2), largest < Fraction(64, 100), 0));
}

void add_best_factors(std::vector<PaperRow>& rows, const Ratio& ratio) {
  std::size_t least = largest_drawn;
  std::size_t most = 0;
  for (std::size_t n = smallest_drawn; n <= largest_drawn; ++n) {
    const std::size_t k = star_costs::best_k(n, ratio.exact());
    least = std::min(least, k);
    most = std::max(most, k);
  }
  rows.push_back(claim("Section III.2", "best k, n = 3..12", "2..4",
                       std::to_string(least) + ".." + std::to_string(most), least >= 2 && most <= 4,
                       0));
  rows.back().ratio = ratio.text;
  const std::uint64_t blocks = factorial(most);
  rows.push_back(claim("Section I", "messages in a packet, best k, n = 3..12", "<20",
                       "up to " + std::to_string(blocks), blocks < 20, blocks < 20 ? 0 : 18));
  rows.back().ratio = ratio.text;
}

void add_improvements(std::vector<PaperRow>& rows, const Ratio& ratio) {
  const auto packing =
      range_over(smallest_drawn, [&](std::size_t n) { return best_improvement(n, ratio); });
  const bool inside = packing.least >= 0.2 && packing.most <= 0.8;
  rows.push_back(claim("Section III.2", "ETI of packing, best k, n = 3..12", "0.2..0.8",
                       packing.text(), inside, inside ? 0 : 17));
  rows.back().ratio = ratio.text;
  const double most = std::max(packing.most, range_over(smallest_drawn, [&](std::size_t n) {
                                               return mesh_improvement(n, ratio);
                                             }).most);
  rows.push_back(claim("Abstract", "ETI of both algorithms, n = 3..12", "10%~80%",
                       "at most " + fixed(most, 4), most >= 0.1, most >= 0.1 ? 0 : 17));
  rows.back().ratio = ratio.text;
}

void add_all_gather(std::vector<PaperRow>& rows, const Ratio& ratio, const char* printed) {
  const auto mesh = range_over(6, [&](std::size_t n) { return mesh_improvement(n, ratio); });
  rows.push_back(
      claim("Section IV.2", "ETI of the all-gather, n = 6..12", printed, mesh.text(), true, 28));
  rows.back().ratio = ratio.text;
  std::string losses;
  for (std::size_t n = smallest_drawn; n <= largest_drawn; ++n)
    if (mesh_improvement(n, ratio) <= 0) losses += (losses.empty() ? "" : ", ") + std::to_string(n);
  rows.push_back(claim("Section IV.2", "n without improvement by the all-gather", "very small n",
                       losses, true, 29));
  rows.back().ratio = ratio.text;
}

}  // namespace

std::vector<PaperRow> claims() {
  std::vector<PaperRow> rows;
  add_formulas(rows);
  add_thresholds(rows);
  for (const Ratio& ratio : ratios) add_best_factors(rows, ratio);
  for (const Ratio& ratio : ratios) add_improvements(rows, ratio);
  constexpr std::array printed{"0.8", "0.4", "0.1"};
  for (std::size_t i = 0; i < ratios.size(); ++i) add_all_gather(rows, ratios[i], printed[i]);
  return rows;
}

const std::vector<Erratum>& errata() {
  static const std::vector<Erratum> list{
      {1,
       "Eq. (1) prints l(n,1) for l(k,1) in the coefficient of t_m; the inequality before eq. (2) "
       "has "
       "it right, and moving the messages counts the right one."},
      {3,
       "Footnote 1: the mean distance is l(k,1) = k + 2/k + H_k - 4 with H_k = 1 + 1/2 + ... + "
       "1/k, "
       "without the factor (k!-1)/k!; only this reproduces table 2."},
      {15, "Table 2 is cut off after three decimals, not rounded."},
      {17,
       "The improvement lies between 0.2 and 0.8 only where start-ups are dear: at t_s/t_m = 0.1 "
       "packing saves at most 4.4 %, the all-gather at most 8.3 %, and packing nowhere reaches "
       "0.8."},
      {18, "The best k at t_s/t_m = 100 is 4 for n = 11 and 12: 24 messages in a packet."},
      {19, "A loss: at t_s/t_m = 0.1 and n <= 12 every k >= 4 is one, and k = 3 is for n <= 7."},
      {27, "Table 3 is cut off after two digits, not rounded."},
      {28, "Roughly right: the ETI grows with n towards (1 - 1/n) r/(1 + r) at t_s/t_m = r."},
      {29,
       "No improvement for n = 3 and 4 at any t_s/t_m, and for n = 5 at most 5/18; eq. (5) needs "
       "n >= 5."}};
  return list;
}

const Erratum& erratum(unsigned number) {
  const auto found = std::find_if(errata().begin(), errata().end(),
                                  [&](const Erratum& e) { return e.number == number; });
  if (found == errata().end())
    throw InvalidParameter("erratum " + std::to_string(number) + " of the star paper: not listed");
  return *found;
}

}  // namespace lockstep::star_paper
