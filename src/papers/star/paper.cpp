// SPDX-License-Identifier: Apache-2.0

/// Tables 1 to 3, the data of figures 2, 3, 4 and 6 of Y.-C. Tseng, W.-L. Chang, J.-P. Sheu,
/// "Efficient all-to-all broadcast in star graph interconnection networks", as printed, beside ours
/// (closed forms, papers/star/costs.hpp), and the runs that count them.

#include <fmt/format.h>

#include <algorithm>

#include "lockstep/algorithm/star_promises.hpp"
#include "lockstep/core/permutation.hpp"
#include "lockstep/cost/model.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "lockstep/topology/star_routing.hpp"
#include "papers/printed_decimal.hpp"
#include "papers/star/costs.hpp"
#include "papers/star/star.hpp"

namespace lockstep::papers {
namespace star {
namespace {

/// A figure that the paper prints with fewer digits: cut off they are the same, or they are not;
/// where rounding would give other digits, `cut_off` is the erratum that says so.
PaperRow threshold(std::size_t n, std::size_t k, const std::optional<Fraction>& least,
                   const char* printed, unsigned cut_off) {
  const Fraction& ours = least.value();
  const PrintedDecimal decimal = parse_printed(printed);
  const bool same = ours.digits(decimal.places) == decimal.digits;
  const bool rounded = ours.rounded_digits(decimal.places) == decimal.digits;
  return {.n = n,
          .k = k,
          .quantity = "least t_s/t_m",
          .printed = printed,
          .ours = written_like(printed, ours, 2),
          .exact = ours.text(),
          .same = same,
          .erratum = same && rounded ? 0 : cut_off};
}

/// Table 1 as printed, for X_1, ..., X_12: routes, representatives and substars.
constexpr std::array<std::array<const char*, 2>, 12> routes{{{"**12", "3,2,4; 1432; **32"},
                                                             {"**13", "3,4; 1234; **34"},
                                                             {"**14", "3; 4231; **31"},
                                                             {"**21", "4,2,3; 4123; **23"},
                                                             {"**23", "2,3,4; 1324; **24"},
                                                             {"**24", "2,3; 4321; **21"},
                                                             {"**31", "4; 1243; **43"},
                                                             {"**32", "2,4; 1342; **42"},
                                                             {"**34", "none; 3241; **41"},
                                                             {"**41", "4,3; 4213; **13"},
                                                             {"**42", "2,4,3; 4312; **12"},
                                                             {"**43", "3,4,3; 3214; **14"}}};

/// Table 2 as printed: a row per k = 3..11, for n = k+1..12.
constexpr std::array<std::array<const char*, 9>, 9> thresholds_of_packing{
    {{"0.190", "0.150", "0.124", "0.106", "0.092", "0.082", "0.074", "0.067", "0.062"},
     {"0.288", "0.239", "0.205", "0.179", "0.160", "0.144", "0.131", "0.120"},
     {"0.367", "0.315", "0.276", "0.246", "0.222", "0.202", "0.186"},
     {"0.435", "0.382", "0.340", "0.307", "0.280", "0.257"},
     {"0.491", "0.438", "0.395", "0.360", "0.331"},
     {"0.538", "0.485", "0.442", "0.406"},
     {"0.577", "0.526", "0.483"},
     {"0.610", "0.560"},
     {"0.638"}}};

/// Table 3 as printed.
struct PrintedThreshold {
  std::size_t n;
  const char* ratio;
};
constexpr std::array<PrintedThreshold, 11> thresholds_of_mesh{{{5, ".27"},
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

PaperRows table1() {
  const Permutation z = permutation_from_label("3241");
  constexpr std::size_t k = 2;
  const std::vector<StarRoute> ours = star_routes(z.size(), k);
  PaperRows rows;
  for (std::size_t i = 0; i < routes.size(); ++i) {
    std::string dimensions;
    for (const Port p : ours[i].ports)
      dimensions +=
          (dimensions.empty() ? "" : ",") + std::to_string(StarGraph::to_paper_dimension(p));
    const std::string y = to_paper_label(compose(z, ours[i].end));
    rows.push_back(claim(
        "", z.size(), fmt::format("dimensions; y; Y for X = {}", routes[i][0]), routes[i][1],
        fmt::format("{}; {}; **{}", dimensions.empty() ? "none" : dimensions, y, y.substr(k))));
    rows.back().k = k;
  }
  return rows;
}

PaperRows table2() {
  constexpr unsigned cut_off = 15;
  PaperRows rows;
  for (std::size_t k = 3; k < largest_drawn; ++k)
    for (std::size_t n = k + 1; n <= largest_drawn; ++n)
      rows.push_back(threshold(n, k, star_costs::least_ratio_for_packing(n, k),
                               thresholds_of_packing[k - 3][n - k - 1], cut_off));
  return rows;
}

PaperRows table3() {
  constexpr unsigned cut_off = 27;
  PaperRows rows;
  for (const auto& [n, ratio] : thresholds_of_mesh)
    rows.push_back(threshold(n, 0, star_costs::least_ratio_for_mesh(n), ratio, cut_off));
  return rows;
}

/// A point of a picture; `loss` is the erratum on points below zero.
PaperRow improvement(std::size_t n, std::size_t k, const Ratio& ratio, double eti, unsigned loss) {
  return {.n = n,
          .k = k,
          .ratio = std::string(ratio.text),
          .quantity = "ETI",
          .ours = fixed(eti, 4),
          .erratum = eti < 0 ? loss : 0};
}

/// Figures 2, 3 and 4: n = 3..12, k = 2..n-1.
template <std::size_t Which>
PaperRows packing_figure() {
  PaperRows rows;
  for (std::size_t k = 2; k < largest_drawn; ++k)
    for (std::size_t n = k + 1; n <= largest_drawn; ++n)
      rows.push_back(
          improvement(n, k, ratios[Which], packing_improvement(n, k, ratios[Which]), 19));
  return rows;
}

PaperRows figure6() {
  PaperRows rows;
  for (const Ratio& ratio : ratios)
    for (std::size_t n = smallest_drawn; n <= largest_drawn; ++n)
      rows.push_back(improvement(n, 0, ratio, mesh_improvement(n, ratio), 29));
  return rows;
}

constexpr std::array parts{Part{"Table 1", table1},
                           Part{"Table 2", table2},
                           Part{"Figure 2", packing_figure<0>},
                           Part{"Figure 3", packing_figure<1>},
                           Part{"Figure 4", packing_figure<2>},
                           Part{"Table 3", table3},
                           Part{"Figure 6", figure6},
                           Part{"claims", claims}};

constexpr std::array errata{
    Erratum{1,
            "Eq. (1) prints l(n,1) for l(k,1) in the coefficient of t_m; the inequality before eq. "
            "(2) has it right, and moving the messages counts the right one."},
    Erratum{3,
            "Footnote 1: the mean distance is l(k,1) = k + 2/k + H_k - 4 with H_k = 1 + 1/2 + ... "
            "+ 1/k, without the factor (k!-1)/k!; only this reproduces table 2."},
    Erratum{15, "Table 2 is cut off after three decimals, not rounded."},
    Erratum{17,
            "The improvement lies between 0.2 and 0.8 only where start-ups are dear: at t_s/t_m = "
            "0.1 packing saves at most 4.4 %, the all-gather at most 8.3 %, and packing nowhere "
            "reaches 0.8."},
    Erratum{18, "The best k at t_s/t_m = 100 is 4 for n = 11 and 12: 24 messages in a packet."},
    Erratum{19,
            "A loss: at t_s/t_m = 0.1 and n <= 12 every k >= 4 is one, and k = 3 is for n <= 7."},
    Erratum{27, "Table 3 is cut off after two digits, not rounded."},
    Erratum{28, "Roughly right: the ETI grows with n towards (1 - 1/n) r/(1 + r) at t_s/t_m = r."},
    Erratum{29,
            "No improvement for n = 3 and 4 at any t_s/t_m, and for n = 5 at most 5/18; eq. (5) "
            "needs n >= 5."}};

std::string network(std::size_t n) { return fmt::format("star:{}", n); }

/// T(n, k) for n = 2..6, every k, and both all-gather algorithms for n = 3..6.
std::vector<PaperRun> runs() {
  constexpr std::size_t largest = 6;
  std::vector<PaperRun> all;
  const auto add = [&](Operation operation, const char* algorithm, std::size_t n, std::size_t k,
                       std::string quantity, const Cost& cost) {
    all.push_back({.topology = network(n),
                   .operation = operation,
                   .algorithm = algorithm,
                   .n = n,
                   .k = k,
                   .quantity = std::move(quantity),
                   .closed_form = cost_text(cost)});
  };
  for (std::size_t n = 2; n <= largest; ++n)
    for (std::size_t k = 1; k < n; ++k)
      add(Operation::total_exchange, "packing", n, k, fmt::format("T({},{})", n, k),
          star_costs::packing(n, k));
  for (std::size_t n = 3; n <= largest; ++n) {
    add(Operation::all_gather, "mesh", n, 0, "all-gather by mesh",
        star_promises::mesh_all_gather(n));
    add(Operation::all_gather, "hamiltonian-ring", n, 0, "all-gather by hamiltonian-ring",
        star_promises::ring_all_gather(n));
  }
  return all;
}

/// The costs of the paper have no control words: t_w is explicit, so that it depends on no block.
[[nodiscard]] double improvement(const Cost& ours, const Cost& baseline, const Ratio& ratio) {
  const CostParameters host{.t_s = ratio.exact().value(), .t_m = 1, .t_w = 0};
  return execution_time_improved(ours, baseline, host, 1);
}

}  // namespace

double packing_improvement(std::size_t n, std::size_t k, const Ratio& ratio) {
  return improvement(star_costs::packing(n, k), star_costs::packing(n, 1), ratio);
}

double mesh_improvement(std::size_t n, const Ratio& ratio) {
  return improvement(star_promises::mesh_all_gather(n), star_promises::ring_all_gather(n), ratio);
}

}  // namespace star

extern const Paper star_paper;
const Paper star_paper{
    .name = "star",
    .title =
        "Tseng, Chang, Sheu: Efficient all-to-all broadcast in star graph interconnection networks",
    .network = star::network,
    .parts = star::parts,
    .errata = star::errata,
    .runs = star::runs};

}  // namespace lockstep::papers
