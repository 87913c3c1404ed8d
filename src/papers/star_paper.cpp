// SPDX-License-Identifier: Apache-2.0
#include "papers/star_paper.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "lockstep/algorithm/star_promises.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/fraction.hpp"
#include "lockstep/cost/model.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "lockstep/topology/star_routing.hpp"
#include "papers/printed_decimal.hpp"
#include "papers/star_costs.hpp"
#include "papers/star_paper_ratios.hpp"

namespace lockstep::star_paper {
namespace {

std::string topology_of(std::size_t n) { return "star:" + std::to_string(n); }

/// A figure that the paper prints with fewer digits: cut off they are the same, or they are not;
/// where rounding would give other digits, `cut_off` is the erratum that says so.
PaperRow printed_row(std::string where, std::size_t n, const Fraction& ours, const char* printed,
                     unsigned cut_off) {
  const PrintedDecimal decimal = parse_printed(printed);
  PaperRow row;
  row.where = std::move(where);
  row.topology = topology_of(n);
  row.n = n;
  row.quantity = "least t_s/t_m";
  row.printed = printed;
  row.ours = written_like(printed, ours, 2);
  row.exact = ours.text();
  row.value = ours.value();
  row.agrees = ours.digits(decimal.places) == decimal.digits;
  if (!row.agrees || ours.rounded_digits(decimal.places) != decimal.digits) row.erratum = cut_off;
  return row;
}

/// Table 1 as printed, for X_1, ..., X_12.
struct PrintedRoute {
  const char* target;
  const char* dimensions;
  const char* representative;
  const char* substar;
};
constexpr std::array<PrintedRoute, 12> printed_routes{{{"**12", "3,2,4", "1432", "**32"},
                                                       {"**13", "3,4", "1234", "**34"},
                                                       {"**14", "3", "4231", "**31"},
                                                       {"**21", "4,2,3", "4123", "**23"},
                                                       {"**23", "2,3,4", "1324", "**24"},
                                                       {"**24", "2,3", "4321", "**21"},
                                                       {"**31", "4", "1243", "**43"},
                                                       {"**32", "2,4", "1342", "**42"},
                                                       {"**34", "none", "3241", "**41"},
                                                       {"**41", "4,3", "4213", "**13"},
                                                       {"**42", "2,4,3", "4312", "**12"},
                                                       {"**43", "3,4,3", "3214", "**14"}}};

std::string dimensions_text(const std::vector<Port>& ports) {
  std::string text;
  for (const Port p : ports)
    text += (text.empty() ? "" : ",") + std::to_string(StarGraph::to_paper_dimension(p));
  return text.empty() ? "none" : text;
}

/// Table 2 as printed: a row per k = 3..11, for n = k+1..12.
const std::vector<std::vector<const char*>>& printed_ratios() {
  static const std::vector<std::vector<const char*>> rows{
      {"0.190", "0.150", "0.124", "0.106", "0.092", "0.082", "0.074", "0.067", "0.062"},
      {"0.288", "0.239", "0.205", "0.179", "0.160", "0.144", "0.131", "0.120"},
      {"0.367", "0.315", "0.276", "0.246", "0.222", "0.202", "0.186"},
      {"0.435", "0.382", "0.340", "0.307", "0.280", "0.257"},
      {"0.491", "0.438", "0.395", "0.360", "0.331"},
      {"0.538", "0.485", "0.442", "0.406"},
      {"0.577", "0.526", "0.483"},
      {"0.610", "0.560"},
      {"0.638"}};
  return rows;
}

/// Table 3 as printed.
struct PrintedThreshold {
  std::size_t n;
  const char* ratio;
};
constexpr std::array<PrintedThreshold, 11> printed_thresholds{{{5, ".27"},
                                                               {6, ".043"},
                                                               {7, "7.0e-3"},
                                                               {8, "9.9e-4"},
                                                               {9, "1.2e-4"},
                                                               {10, "1.3e-5"},
                                                               {12, "1.2e-7"},
                                                               {14, "8.0e-10"},
                                                               {16, "3.8e-12"},
                                                               {18, "1.4e-14"},
                                                               {20, "4.1e-17"}}};

PaperRow improvement_row(unsigned number, std::size_t n, std::size_t k, const Ratio& ratio,
                         double improvement) {
  PaperRow row;
  row.where = "Figure " + std::to_string(number);
  row.topology = topology_of(n);
  row.n = n;
  row.k = k;
  row.ratio = ratio.text;
  row.quantity = "ETI";
  row.ours = fixed(improvement, 4);
  row.value = improvement;
  return row;
}

std::vector<PaperRow> personalized(unsigned number, const Ratio& ratio) {
  constexpr unsigned losses = 19;
  std::vector<PaperRow> rows;
  for (std::size_t k = 2; k < largest_drawn; ++k) {
    for (std::size_t n = std::max(smallest_drawn, k + 1); n <= largest_drawn; ++n) {
      const double eti = execution_time_improved(star_costs::packing(n, k),
                                                 star_costs::packing(n, 1), ratio.host());
      rows.push_back(improvement_row(number, n, k, ratio, eti));
      if (eti < 0) rows.back().erratum = losses;
    }
  }
  return rows;
}

std::vector<PaperRow> nonpersonalized() {
  constexpr unsigned small_networks = 29;
  std::vector<PaperRow> rows;
  for (const Ratio& ratio : ratios) {
    for (std::size_t n = smallest_drawn; n <= largest_drawn; ++n) {
      const double eti = execution_time_improved(star_promises::mesh_all_gather(n),
                                                 star_promises::ring_all_gather(n), ratio.host());
      rows.push_back(improvement_row(6, n, 0, ratio, eti));
      if (eti < 0) rows.back().erratum = small_networks;
    }
  }
  return rows;
}

}  // namespace

std::vector<PaperRow> table1() {
  const Permutation z = permutation_from_label("3241");
  constexpr std::size_t k = 2;
  std::vector<PaperRow> rows;
  const std::vector<StarRoute> routes = star_routes(z.size(), k);
  for (std::size_t i = 0; i < printed_routes.size(); ++i) {
    const PrintedRoute& printed = printed_routes[i];
    const std::string y = to_paper_label(compose(z, routes[i].end));
    PaperRow row;
    row.where = "Table 1";
    row.topology = topology_of(z.size());
    row.n = z.size();
    row.k = k;
    row.quantity = std::string{"dimensions; y; Y for X = "} + printed.target;
    row.printed =
        std::string{printed.dimensions} + "; " + printed.representative + "; " + printed.substar;
    row.ours =
        dimensions_text(routes[i].ports) + "; " + y + "; " + std::string(k, '*') + y.substr(k);
    row.agrees = row.ours == row.printed;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<PaperRow> table2() {
  constexpr unsigned cut_off = 15;
  std::vector<PaperRow> rows;
  for (std::size_t k = 3; k < 3 + printed_ratios().size(); ++k) {
    const auto& printed = printed_ratios()[k - 3];
    for (std::size_t i = 0; i < printed.size(); ++i) {
      const std::size_t n = k + 1 + i;
      const Fraction ours = star_costs::least_ratio_for_packing(n, k).value();
      rows.push_back(printed_row("Table 2", n, ours, printed[i], cut_off));
      rows.back().k = k;
    }
  }
  return rows;
}

std::vector<PaperRow> table3() {
  constexpr unsigned cut_off = 27;
  std::vector<PaperRow> rows;
  rows.reserve(printed_thresholds.size());
  for (const PrintedThreshold& printed : printed_thresholds)
    rows.push_back(printed_row("Table 3", printed.n,
                               star_costs::least_ratio_for_mesh(printed.n).value(), printed.ratio,
                               cut_off));
  return rows;
}

std::vector<PaperRow> figure(unsigned number) {
  switch (number) {
    case 2:
    case 3:
    case 4:
      return personalized(number, ratios[number - 2]);
    case 6:
      return nonpersonalized();
    default:
      throw InvalidParameter("figure " + std::to_string(number) +
                             " of the star paper: allowed 2, 3, 4, 6");
  }
}

std::vector<PaperRow> all() {
  std::vector<PaperRow> rows;
  for (const auto& part :
       {table1(), table2(), figure(2), figure(3), figure(4), table3(), figure(6), claims()})
    rows.insert(rows.end(), part.begin(), part.end());
  return rows;
}

}  // namespace lockstep::star_paper
