// SPDX-License-Identifier: Apache-2.0
#include "papers/ej_paper.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/fraction.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/eisenstein_jacobi_tree.hpp"
#include "papers/ej_paper_rows.hpp"
#include "papers/printed_decimal.hpp"
#include "report/quantities.hpp"

namespace lockstep::ej_paper {
namespace {

using ej_costs::Broadcast;
using ej_costs::BroadcastStep;

constexpr unsigned wrong_step_count = 23;
constexpr unsigned one_network_dominates = 29;

struct Algorithm {
  Broadcast kind;
  const char* name;
};
constexpr std::array<Algorithm, 2> algorithms{
    {{Broadcast::iterative, "iterative"}, {Broadcast::improved, "improved"}}};

struct Quantity {
  const char* name;
  std::uint64_t BroadcastStep::*count;
};
constexpr Quantity senders{"senders", &BroadcastStep::senders};
constexpr Quantity receivers{"receivers", &BroadcastStep::receivers};
constexpr Quantity free_nodes{"free", &BroadcastStep::free};
constexpr Quantity active{"active", &BroadcastStep::active};
constexpr std::array<Quantity, 4> columns{free_nodes, senders, receivers, active};

using PrintedStep = std::array<const char*, 4>;  ///< free, sending, receiving, active

constexpr std::array<PrintedStep, 9> table1{{{"50,646", "1", "6", "7"},
                                             {"50,635", "6", "12", "18"},
                                             {"50,623", "12", "18", "30"},
                                             {"50,394", "37", "222", "259"},
                                             {"49,987", "222", "444", "666"},
                                             {"49,543", "444", "666", "1,110"},
                                             {"41,070", "1,369", "8,214", "9,583"},
                                             {"26,011", "8,214", "16,428", "24,642"},
                                             {"9,583", "16,428", "24,642", "41,070"}}};

constexpr std::array<PrintedStep, 9> table2{{{"50,634", "1", "18", "19"},
                                             {"50,491", "18", "144", "162"},
                                             {"49,807", "144", "702", "846"},
                                             {"47,593", "684", "2,376", "3,060"},
                                             {"42,661", "2,160", "5,832", "7,992"},
                                             {"35,425", "4,752", "10,476", "15,228"},
                                             {"29,809", "7,236", "13,608", "20,844"},
                                             {"31,861", "7,128", "11,664", "18,792"},
                                             {"40,933", "3,888", "5,832", "9,720"}}};

struct PrintedColumn {
  const char* previous;
  const char* proposed;
  const char* difference;
  const char* ratio;
};
constexpr std::array<PrintedColumn, 6> table3{
    {{"19", "19", "0", "1"},
     {"722", "703", "19", "1.027027027"},
     {"26,733", "26,011", "722", "1.027757487"},
     {"989,140", "962,407", "26,733", "1.027777229"},
     {"36,598,199", "35,609,059", "989,140", "1.027777763"},
     {"1,354,133,382", "1,317,535,183", "36,598,199", "1.027777777"}}};

[[nodiscard]] PaperRow count_row(std::string where, std::size_t n, std::string quantity,
                                 std::string printed, std::uint64_t ours) {
  PaperRow row = row_of(std::move(where), n, std::move(quantity));
  row.printed = std::move(printed);
  row.ours = report::count_text(ours);
  row.value = static_cast<double>(ours);
  row.agrees = row.printed.empty() || row.printed == row.ours;
  return row;
}

/// Tables 1 and 2: a row per figure, then the totals.
[[nodiscard]] std::vector<PaperRow> steps_table(const std::string& where, Broadcast algorithm,
                                                const std::array<PrintedStep, 9>& printed,
                                                std::array<const char*, 2> totals) {
  constexpr std::size_t n = 3;
  const auto steps = ej_costs::broadcast_steps(one_of_the_paper(), n, algorithm);
  BroadcastStep total;
  std::vector<PaperRow> rows;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      rows.push_back(count_row(where, n, columns.at(column).name, printed.at(i).at(column),
                               steps[i].*columns.at(column).count));
      rows.back().step = i + 1;
    }
    total.senders += steps[i].senders;
    total.receivers += steps[i].receivers;
  }
  rows.push_back(count_row(where, n, "senders in all", totals[0], total.senders));
  rows.push_back(count_row(where, n, "receivers in all", totals[1], total.receivers));
  return rows;
}

[[nodiscard]] PaperRow ratio_row(std::size_t n, const char* printed, const Fraction& ours) {
  constexpr unsigned places = 9;
  PaperRow row = row_of("Table 3", n, "iterative / improved");
  row.printed = printed;
  row.value = ours.value();
  row.exact = ours.text();
  if (ours == Fraction{1, 1}) {
    row.ours = row.exact = "1";
    row.agrees = row.printed == row.ours;
    return row;
  }
  row.ours = written_like(printed, ours, 2);
  row.agrees = ours.rounded_digits(places) == parse_printed(printed).digits;
  return row;
}

[[nodiscard]] std::vector<PaperRow> senders_table() {
  std::vector<PaperRow> rows;
  for (std::size_t n = 1; n <= table3.size(); ++n) {
    const PrintedColumn& printed = table3.at(n - 1);
    const auto before = ej_costs::broadcast_senders(one_of_the_paper(), n, Broadcast::iterative);
    const auto now = ej_costs::broadcast_senders(one_of_the_paper(), n, Broadcast::improved);
    rows.push_back(count_row("Table 3", n, "iterative: senders in all", printed.previous, before));
    rows.push_back(count_row("Table 3", n, "improved: senders in all", printed.proposed, now));
    rows.push_back(count_row("Table 3", n, "difference", printed.difference, before - now));
    rows.push_back(ratio_row(n, printed.ratio, Fraction{before, now}));
  }
  return rows;
}

[[nodiscard]] std::string figure_name(unsigned number) { return fmt::format("Figure {}", number); }

/// A curve per algorithm; `with_n`: of several n.
void add_curves(std::vector<PaperRow>& rows, unsigned number, std::size_t n,
                const Quantity& quantity, std::string_view suffix) {
  for (const Algorithm& algorithm : algorithms) {
    const auto steps = ej_costs::broadcast_steps(one_of_the_paper(), n, algorithm.kind);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      rows.push_back(
          count_row(figure_name(number), n, quantity.name, "", steps[i].*quantity.count));
      rows.back().step = i + 1;
      rows.back().curve = fmt::format("{}{}", algorithm.name, suffix);
    }
  }
}

/// Those of figures 19 to 21: twelve steps each.
struct Network {
  std::uint64_t a;
  std::uint64_t b;
  std::size_t n;
};
constexpr std::array<Network, 5> networks{{{1, 2, 12}, {2, 3, 6}, {3, 4, 4}, {4, 5, 3}, {6, 7, 2}}};

[[nodiscard]] std::vector<PaperRow> averages(unsigned number, const Quantity& quantity) {
  std::vector<PaperRow> rows;
  for (const Algorithm& algorithm : algorithms) {
    std::vector<std::uint64_t> sums;
    for (const Network& network : networks) {
      const auto steps =
          ej_costs::broadcast_steps(one_of(network.a, network.b), network.n, algorithm.kind);
      sums.resize(steps.size());
      for (std::size_t i = 0; i < steps.size(); ++i) sums[i] += steps[i].*quantity.count;
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      PaperRow row = row_of(figure_name(number), 0, fmt::format("average {}", quantity.name));
      const std::uint64_t tenths = 10 * (sums[i] % networks.size()) / networks.size();
      row.ours = fmt::format("{}.{}", report::count_text(sums[i] / networks.size()), tenths);
      row.value = Fraction{sums[i], networks.size()}.value();
      row.erratum = one_network_dominates;
      row.step = i + 1;
      row.curve = algorithm.name;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace

std::string topology_of(std::uint64_t a, std::uint64_t b, std::size_t n) {
  return n == 1 ? fmt::format("ej:{}+{}", a, b) : fmt::format("ej:{}+{}^{}", a, b, n);
}

ej_costs::OneDimension one_of(std::uint64_t a, std::uint64_t b) {
  return ej_costs::one_dimension(EisensteinJacobiTree(EisensteinJacobi(a, b)));
}

ej_costs::OneDimension one_of_the_paper() { return one_of(3, 4); }

PaperRow row_of(std::string where, std::size_t n, std::string quantity) {
  PaperRow row;
  row.where = std::move(where);
  if (n != 0) row.topology = topology_of(3, 4, n);
  row.n = n;
  row.quantity = std::move(quantity);
  return row;
}

std::vector<PaperRow> table(unsigned number) {
  switch (number) {
    case 1: {
      std::vector<PaperRow> rows =
          steps_table("Table 1", Broadcast::iterative, table1, {"26,733", "50,652"});
      const auto steps = ej_costs::broadcast_steps(one_of_the_paper(), 3, Broadcast::iterative);
      rows.push_back(count_row("Table 1", 3, "steps in all", "12", steps.size()));
      rows.back().erratum = wrong_step_count;
      return rows;
    }
    case 2:
      return steps_table("Table 2", Broadcast::improved, table2, {"26,011", "50,652"});
    case 3:
      return senders_table();
    default:
      throw InvalidParameter(
          fmt::format("table {} of the Eisenstein-Jacobi paper: allowed 1, 2, 3", number));
  }
}

std::vector<PaperRow> figure(unsigned number) {
  constexpr unsigned first = 15;
  constexpr unsigned first_average = 19;
  constexpr unsigned last = 22;
  constexpr std::array drawn{senders, receivers, free_nodes, active};
  constexpr std::array averaged{senders, receivers, active};
  if (number < first || number > last)
    throw InvalidParameter(fmt::format("figure {} of the Eisenstein-Jacobi paper: allowed {}..{}",
                                       number, first, last));
  std::vector<PaperRow> rows;
  if (number < first_average)
    add_curves(rows, number, 3, drawn.at(number - first), "");
  else if (number < last)
    rows = averages(number, averaged.at(number - first_average));
  else
    for (std::size_t n = 4; n <= 6; ++n)
      add_curves(rows, number, n, senders, fmt::format(", n = {}", n));
  return rows;
}

std::vector<PaperRow> all() {
  std::vector<PaperRow> rows;
  const auto add = [&rows](const std::vector<PaperRow>& part) {
    rows.insert(rows.end(), part.begin(), part.end());
  };
  add(table(1));
  add(table(2));
  for (unsigned number = 15; number <= 22; ++number) add(figure(number));
  add(table(3));
  add(claims());
  add(beyond());
  return rows;
}

}  // namespace lockstep::ej_paper
