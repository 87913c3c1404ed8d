// SPDX-License-Identifier: Apache-2.0

/// Tables 1 to 3 and the data of figures 15 to 22 of Z. Hussain, "An improved one-to-all
/// broadcasting in higher dimensional Eisenstein-Jacobi networks", 2018, as printed, beside ours
/// (closed forms, papers/ej/costs.hpp; the machine's counts agree with them). Steps count from 1.

#include <fmt/format.h>

#include "lockstep/core/fraction.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/eisenstein_jacobi_tree.hpp"
#include "papers/ej/ej.hpp"
#include "papers/printed_decimal.hpp"
#include "report/quantities.hpp"

namespace lockstep::papers {
namespace ej {
namespace {

using ej_costs::Broadcast;
using ej_costs::BroadcastStep;
using report::count_text;

struct Quantity {
  const char* name;
  std::uint64_t BroadcastStep::*count;
};
constexpr Quantity senders_of_step{"senders", &BroadcastStep::senders};
constexpr Quantity receivers_of_step{"receivers", &BroadcastStep::receivers};
constexpr Quantity free_in_step{"free", &BroadcastStep::free};
constexpr Quantity active_in_step{"active", &BroadcastStep::active};
constexpr std::array<Quantity, 4> columns{free_in_step, senders_of_step, receivers_of_step,
                                          active_in_step};

using PrintedStep = std::array<const char*, columns.size()>;
using PrintedSteps = std::array<PrintedStep, 9>;

constexpr PrintedSteps steps_of_table1{{{"50,646", "1", "6", "7"},
                                        {"50,635", "6", "12", "18"},
                                        {"50,623", "12", "18", "30"},
                                        {"50,394", "37", "222", "259"},
                                        {"49,987", "222", "444", "666"},
                                        {"49,543", "444", "666", "1,110"},
                                        {"41,070", "1,369", "8,214", "9,583"},
                                        {"26,011", "8,214", "16,428", "24,642"},
                                        {"9,583", "16,428", "24,642", "41,070"}}};

constexpr PrintedSteps steps_of_table2{{{"50,634", "1", "18", "19"},
                                        {"50,491", "18", "144", "162"},
                                        {"49,807", "144", "702", "846"},
                                        {"47,593", "684", "2,376", "3,060"},
                                        {"42,661", "2,160", "5,832", "7,992"},
                                        {"35,425", "4,752", "10,476", "15,228"},
                                        {"29,809", "7,236", "13,608", "20,844"},
                                        {"31,861", "7,128", "11,664", "18,792"},
                                        {"40,933", "3,888", "5,832", "9,720"}}};

/// Previous, proposed, difference, ratio; n = 1..6.
constexpr std::array<std::array<const char*, 4>, 6> columns_of_table3{
    {{"19", "19", "0", "1"},
     {"722", "703", "19", "1.027027027"},
     {"26,733", "26,011", "722", "1.027757487"},
     {"989,140", "962,407", "26,733", "1.027777229"},
     {"36,598,199", "35,609,059", "989,140", "1.027777763"},
     {"1,354,133,382", "1,317,535,183", "36,598,199", "1.027777777"}}};

/// Free, sending, receiving and active nodes of a step, a row each, then the totals; n = 3.
[[nodiscard]] PaperRows steps_table(Broadcast algorithm, const PrintedSteps& printed,
                                    const char* all_senders, const char* all_receivers) {
  constexpr std::size_t n = 3;
  const std::vector<BroadcastStep> steps = of_the_paper(n).steps(algorithm);
  BroadcastStep total;
  PaperRows rows;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      rows.push_back(claim("", n, columns[column].name, printed.at(i)[column],
                           count_text(steps[i].*columns[column].count)));
      rows.back().step = i + 1;
    }
    total.senders += steps[i].senders;
    total.receivers += steps[i].receivers;
  }
  rows.push_back(claim("", n, "senders in all", all_senders, count_text(total.senders)));
  rows.push_back(claim("", n, "receivers in all", all_receivers, count_text(total.receivers)));
  return rows;
}

PaperRows table1() {
  PaperRows rows = steps_table(Broadcast::iterative, steps_of_table1, "26,733", "50,652");
  const std::size_t steps = of_the_paper(3).steps(Broadcast::iterative).size();
  rows.push_back(claim("", 3, "steps in all", "12", count_text(steps), 23));
  return rows;
}

PaperRows table2() { return steps_table(Broadcast::improved, steps_of_table2, "26,011", "50,652"); }

PaperRows table3() {
  PaperRows rows;
  for (std::size_t n = 1; n <= columns_of_table3.size(); ++n) {
    const auto& [previous, proposed, difference, ratio] = columns_of_table3[n - 1];
    const std::uint64_t before = of_the_paper(n).senders(Broadcast::iterative);
    const std::uint64_t now = of_the_paper(n).senders(Broadcast::improved);
    rows.push_back(claim("", n, "iterative: senders in all", previous, count_text(before)));
    rows.push_back(claim("", n, "improved: senders in all", proposed, count_text(now)));
    rows.push_back(claim("", n, "difference", difference, count_text(before - now)));
    const Fraction ours{before, now};
    const bool one = before == now;
    rows.push_back(
        claim("", n, "iterative / improved", ratio, one ? "1" : written_like(ratio, ours, 2)));
    rows.back().exact = one ? "1" : ours.text();
    if (!one) rows.back().same = ours.rounded_digits(9) == parse_printed(ratio).digits;
  }
  return rows;
}

/// A curve over the steps per algorithm.
[[nodiscard]] PaperRows curves(std::size_t n, const Quantity& quantity, std::string_view more) {
  PaperRows rows;
  for (const Algorithm& algorithm : algorithms) {
    const std::vector<BroadcastStep> steps = of_the_paper(n).steps(algorithm.kind);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      rows.push_back({.n = n,
                      .quantity = quantity.name,
                      .ours = count_text(steps[i].*quantity.count),
                      .step = i + 1,
                      .curve = fmt::format("{}{}", algorithm.name, more)});
    }
  }
  return rows;
}

/// Figures 19 to 21, over networks that take twelve steps each.
[[nodiscard]] PaperRows averages(const Quantity& quantity) {
  constexpr std::array<Network, 5> networks{
      {{1, 2, 12}, {2, 3, 6}, {3, 4, 4}, {4, 5, 3}, {6, 7, 2}}};
  PaperRows rows;
  for (const Algorithm& algorithm : algorithms) {
    std::array<std::uint64_t, 12> sums{};
    for (const Network& network : networks) {
      const std::vector<BroadcastStep> steps = network.steps(algorithm.kind);
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += steps.at(i).*quantity.count;
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      rows.push_back({.quantity = fmt::format("average {}", quantity.name),
                      .ours = fmt::format("{}.{}", count_text(sums[i] / networks.size()),
                                          10 * (sums[i] % networks.size()) / networks.size()),
                      .erratum = 29,
                      .step = i + 1,
                      .curve = algorithm.name});
    }
  }
  return rows;
}

PaperRows figure22() {
  PaperRows rows;
  for (std::size_t n = 4; n <= 6; ++n)
    append(rows, curves(n, senders_of_step, fmt::format(", n = {}", n)));
  return rows;
}

constexpr std::array parts_of_paper{
    Part{"Table 1", table1},
    Part{"Table 2", table2},
    Part{"Figure 15", [] { return curves(3, senders_of_step, ""); }},
    Part{"Figure 16", [] { return curves(3, receivers_of_step, ""); }},
    Part{"Figure 17", [] { return curves(3, free_in_step, ""); }},
    Part{"Figure 18", [] { return curves(3, active_in_step, ""); }},
    Part{"Figure 19", [] { return averages(senders_of_step); }},
    Part{"Figure 20", [] { return averages(receivers_of_step); }},
    Part{"Figure 21", [] { return averages(active_in_step); }},
    Part{"Figure 22", figure22},
    Part{"Table 3", table3},
    Part{"claims", claims},
    Part{"beyond", beyond}};

constexpr std::array errata{
    Erratum{2,
            "Not planar: a simple planar graph has a node of degree 5 or less, and these have "
            "degree 6 throughout (1+2rho is the complete graph of 7 nodes). They are drawn on a "
            "torus."},
    Erratum{3,
            "Six distinct neighbours need a norm of 7 or more; the others have loops or "
            "parallel links."},
    Erratum{4,
            "M stands for (a+2b)/3 and for the diameter, which is its integral part: for b = a "
            "+ 1 the fraction is never integral, and the diameter is a."},
    Erratum{5,
            "Eq. (3) needs the case s = T, printed last, before the others: for a = b, where T "
            "= M, the case s = M hides it, and the counts do not sum up to the norm."},
    Erratum{8,
            "The node forwards through its minor port -rho^2 to 1-2rho^2; node 1 is its parent."},
    Erratum{10,
            "The fourth packet of algorithm 1 must have the major -rho, as in algorithm 3: as "
            "printed, nodes are missed and others reached twice for all networks but 1+2rho."},
    Erratum{15, "The improved algorithm has no rounds; only the number of steps, nM, is the same."},
    Erratum{16, "In eq. (5) and (6) r runs from 1 to n; with r from 0 the first factor is 1/N."},
    Erratum{17, "For d = 1 eq. (6) must be N^(r-1), the roots of the round, instead of 0."},
    Erratum{18,
            "True within a round only: at the start of a round all nodes informed so far send, "
            "whenever they were informed."},
    Erratum{19,
            "Eq. (5) and (6) hold for b = a + 1. For any alpha the receivers are W(d) N^(r-1), "
            "the senders those of weight d - 1 that are not leaves of the tree."},
    Erratum{20,
            "Eq. (7) and (8) hold no numbers: they are rewriting rules. All S terms are "
            "expanded once per step, an O2A in the same step; the S terms that arise are the "
            "receivers."},
    Erratum{21, "The last case of eq. (8) has a term S(n,-1,0) too many."},
    Erratum{23, "Table 1 has nine steps; the 12 in its last line is none of its sums."},
    Erratum{26,
            "Not for all dimensions: nothing for n = 1, 2.63% for n = 2, and then towards 1/N = "
            "1/37, which is a property of 3+4rho: 14.3% for 1+2rho, 0.79% for 6+7rho."},
    Erratum{27,
            "In both algorithms the same nodes send, and the same N^n - 1 messages: what is "
            "less is the number of steps in which a node sends, summed over the nodes."},
    Erratum{29,
            "Averages over 1+2rho n = 12, 2+3rho n = 6, 3+4rho n = 4, 4+5rho n = 3, 6+7rho n = "
            "2: over 99.6% of all nodes are those of the first, which has 13,841,287,201."},
    Erratum{31,
            "Equal for n = 1, where the algorithms are the same; for n >= 2 it is true, and "
            "each node receives in the step that is its distance, the earliest possible."},
    Erratum{33,
            "All nodes at once do use links in both directions, but phases are not needed: each "
            "step in two halves, ports 0, 1, 5, then 2, 3, 4, takes 2nM steps, not 3nM, for "
            "every n."},
    Erratum{35,
            "True for n = 1 only. A message reaches a node only if its nonzero coordinates lie "
            "in sectors of one phase: 3 (((N+2)/3)^n - 1) messages of N^n - 1. See "
            "three-phase-complete."},
    Erratum{36,
            "Steps and messages are not counted in the paper. 3nM steps need all messages that "
            "want a link in a step combined; one by one a single dimension takes 3M(M+1)/2."},
    Erratum{37,
            "Within a phase the open ports carry M(M-1)/2, M(M+1)/2 and M messages; over the "
            "three phases all ports carry the same."}};

std::optional<std::string> drawing(const AnyTopology& topology) {
  const auto* const network = topology.as<EisensteinJacobiNetwork>();
  return network == nullptr ? std::nullopt : std::optional(svg_of(*network));
}

}  // namespace

std::string Network::name() const {
  return n == 1 ? fmt::format("ej:{}+{}", a, b) : fmt::format("ej:{}+{}^{}", a, b, n);
}

ej_costs::OneDimension Network::one() const {
  return ej_costs::one_dimension(EisensteinJacobiTree(EisensteinJacobi(a, b)));
}

std::vector<BroadcastStep> Network::steps(Broadcast algorithm) const {
  return ej_costs::broadcast_steps(one(), n, algorithm);
}

std::uint64_t Network::senders(Broadcast algorithm) const {
  return ej_costs::broadcast_senders(one(), n, algorithm);
}

}  // namespace ej

extern const Paper ej_paper;
const Paper ej_paper{.name = "ej",
                     .title =
                         "Hussain: An improved one-to-all broadcasting in higher dimensional "
                         "Eisenstein-Jacobi networks",
                     .network = [](std::size_t n) { return ej::of_the_paper(n).name(); },
                     .parts = ej::parts_of_paper,
                     .errata = ej::errata,
                     .runs = ej::runs,
                     .drawing = ej::drawing};

}  // namespace lockstep::papers
