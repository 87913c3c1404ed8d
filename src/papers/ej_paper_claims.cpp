// SPDX-License-Identifier: Apache-2.0

/// What the text claims of the networks and of broadcasts.

#include <fmt/format.h>

#include <map>
#include <tuple>
#include <utility>

#include "lockstep/core/eisenstein.hpp"
#include "lockstep/core/fraction.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/eisenstein_jacobi_tree.hpp"
#include "papers/ej_paper.hpp"
#include "papers/ej_paper_rows.hpp"
#include "papers/printed_decimal.hpp"
#include "report/quantities.hpp"

namespace lockstep::ej_paper {
namespace {

using ej_costs::Broadcast;

constexpr unsigned not_planar = 2;
constexpr unsigned too_small = 3;
constexpr unsigned rational_diameter = 4;
constexpr unsigned order_of_cases = 5;
constexpr unsigned wrong_child = 8;
constexpr unsigned wrong_major = 10;
constexpr unsigned no_rounds = 15;
constexpr unsigned rounds_from_zero = 16;
constexpr unsigned nobody_sends_first = 17;
constexpr unsigned round_boundary = 18;
constexpr unsigned consecutive_only = 19;
constexpr unsigned rewriting_rules = 20;
constexpr unsigned extra_term = 21;
constexpr unsigned saving_not_constant = 26;
constexpr unsigned same_senders = 27;
constexpr unsigned equal_for_one = 31;

[[nodiscard]] PaperRow claim(std::string where, std::size_t n, std::string quantity,
                             std::string printed, std::string ours, unsigned erratum) {
  PaperRow row = row_of(std::move(where), n, std::move(quantity));
  row.printed = std::move(printed);
  row.ours = std::move(ours);
  row.agrees = row.ours == row.printed;
  row.erratum = erratum;
  return row;
}

template <class Steps, class Count>
[[nodiscard]] std::string listed(const Steps& steps, Count count) {
  std::string text;
  for (const auto& step : steps)
    text += fmt::format("{}{}", text.empty() ? "" : " ", report::count_text(count(step)));
  return text;
}

/// The alphas 0 <= a <= b whose networks have less than seven nodes.
[[nodiscard]] std::string small_alphas() {
  std::string text;
  for (std::uint64_t b = 1; b * b < EisensteinJacobi::min_nodes; ++b)
    for (std::uint64_t a = 0; a <= b; ++a)
      if (a * a + a * b + b * b < EisensteinJacobi::min_nodes)
        text += fmt::format("{}{}+{}rho", text.empty() ? "" : ", ", a, b);
  return text;
}

/// The children in the tree, as the paper writes nodes.
[[nodiscard]] std::string children_of(const EisensteinJacobi& network, const std::string& node) {
  const EisensteinJacobiTree tree(network);
  const NodeId u = network.find(node).value();
  std::string text;
  for (std::size_t k = 0; k < network.max_degree(); ++k)
    if ((tree.child_mask(u) >> k & 1U) != 0)
      text += (text.empty() ? "" : ", ") + network.label(network.neighbor(u, port(k)));
  return text;
}

/// Example 2.1: nodes of the network that lie outside the grid.
[[nodiscard]] std::string residues(const EisensteinJacobi& network) {
  std::string text;
  for (const char* const node : {"3+rho", "4", "3-rho^2"})
    text += (text.empty() ? "" : ", ") + network.label(network.find(node).value());
  return text;
}

[[nodiscard]] std::string saved_text(const Fraction& saved) {
  return fixed(100 * saved.value(), 4) + "%";
}

/// "2.7% for all dimensions": a row each.
void add_savings(std::vector<PaperRow>& rows) {
  for (std::size_t n = 1; n <= 6; ++n) {
    const auto before = ej_costs::broadcast_senders(one_of_the_paper(), n, Broadcast::iterative);
    const auto now = ej_costs::broadcast_senders(one_of_the_paper(), n, Broadcast::improved);
    const Fraction saved{before - now, before};
    rows.push_back(claim("Section 6", n, "senders saved", "2.7%", saved_text(saved), 0));
    rows.back().exact = saved.text();
    rows.back().value = saved.value();
    rows.back().agrees = saved.rounded_digits(3) == 27;
    rows.back().erratum = saving_not_constant;
  }
}

void add_receive_steps(std::vector<PaperRow>& rows) {
  for (std::size_t n = 1; n <= 6; ++n) {
    const Fraction before =
        ej_costs::average_receive_step(one_of_the_paper(), n, Broadcast::iterative);
    const Fraction now = ej_costs::average_receive_step(one_of_the_paper(), n, Broadcast::improved);
    const char* const relation = now < before ? " < " : " = ";
    rows.push_back(claim("Abstract", n, "average receive step: improved, iterative", "lower",
                         fixed(now.value(), 4) + relation + fixed(before.value(), 4), 0));
    rows.back().exact = now.text() + relation + before.text();
    rows.back().value = now.value();
    rows.back().agrees = now < before;
    if (!rows.back().agrees) rows.back().erratum = equal_for_one;
  }
}

/// The worked example of section 5.
void add_example(std::vector<PaperRow>& rows) {
  const auto steps = ej_costs::broadcast_steps(one_of(2, 3), 2, Broadcast::improved);
  rows.push_back(claim("Section 5", 0, "example, 2+3rho, n = 2: receivers", "12 60 144 144",
                       listed(steps, [](const auto& step) { return step.receivers; }), 0));
  rows.push_back(claim("Section 5", 0, "example, 2+3rho, n = 2: senders", "1 12 48 72",
                       listed(steps, [](const auto& step) { return step.senders; }), 0));
  for (PaperRow* const row : {&rows.back(), &rows[rows.size() - 2]})
    row->topology = topology_of(2, 3, 2);
}

void add_equations(std::vector<PaperRow>& rows) {
  constexpr std::size_t n = 3;
  const auto before = ej_costs::broadcast_steps(one_of_the_paper(), n, Broadcast::iterative);
  const auto now = ej_costs::broadcast_steps(one_of_the_paper(), n, Broadcast::improved);
  const std::size_t depth = one_of_the_paper().diameter();
  rows.push_back(claim("Eq. (5)", n, "receivers of step 1, for the first r: 0", "6/37",
                       report::count_text(before[0].receivers), rounds_from_zero));
  rows.push_back(claim("Eq. (5)", 1, "receivers of step 2, alpha = 1+3rho: 6d", "12",
                       report::count_text(one_of(1, 3).level_sizes[2]), consecutive_only));
  rows.back().topology = topology_of(1, 3, 1);
  rows.push_back(claim("Eq. (6)", n, "senders of round 2, d = 1: 6(d-1) 37^(r-1)", "0",
                       report::count_text(before[depth].senders), nobody_sends_first));
  rows.push_back(claim("Section 5", n, "senders of step 4 = receivers of step 3",
                       report::count_text(before[depth - 1].receivers),
                       report::count_text(before[depth].senders), round_boundary));
  rows.push_back(claim("Eq. (7), (8)", n, "receivers, expanding S terms step by step; table 2",
                       listed(now, [](const auto& step) { return step.receivers; }),
                       listed(receivers_by_expansion(n, depth), [](auto count) { return count; }),
                       rewriting_rules));
  rows.push_back(
      claim("Eq. (8)", 0, "S(n, 0, 0), n > 1", "O2A(n-1) + S(n,-1,0)", "O2A(n-1)", extra_term));
  add_example(rows);
}

}  // namespace

std::vector<std::uint64_t> receivers_by_expansion(std::size_t n, std::size_t depth) {
  using Term = std::tuple<std::size_t, std::size_t, std::size_t>;  // of S(n, x, y)
  using Terms = std::map<Term, std::uint64_t>;
  const auto add_one_to_all = [depth](Terms& terms, std::size_t dimensions, std::uint64_t count) {
    for (std::size_t e = dimensions; e >= 1; --e) terms[{e, depth - 1, depth - 1}] += 6 * count;
  };
  std::vector<std::uint64_t> receivers;
  Terms terms;
  add_one_to_all(terms, n, 1);
  while (!terms.empty()) {
    std::uint64_t all = 0;
    Terms next;
    for (const auto& [term, count] : terms) {
      const auto& [dimension, x, y] = term;
      all += count;
      if (x > 0) next[{dimension, x - 1, 0}] += count;
      if (y > 0) next[{dimension, x - 1, y - 1}] += count;
      add_one_to_all(next, dimension - 1, count);
    }
    receivers.push_back(all);
    terms = std::move(next);
  }
  return receivers;
}

std::vector<PaperRow> network_claims() {
  const EisensteinJacobi network(3, 4);
  std::vector<PaperRow> rows;
  rows.push_back(claim("Section 2.1", 0, "planar", "yes",
                       fmt::format("no: degree {}", network.max_degree()), not_planar));
  rows.push_back(
      claim("Section 2.1", 0, "six neighbours", "0 <= a <= b", "not " + small_alphas(), too_small));
  rows.push_back(claim("Section 2.1", 1, "diameter M = (a+2b)/3", "11/3",
                       report::count_text(network.diameter()), rational_diameter));
  rows.push_back(claim("Eq. (3)", 1, "nodes at distance 2, alpha = 2+2rho, cases in their order",
                       "2", report::count_text(EisensteinJacobi(2, 2).level_sizes()[2]),
                       order_of_cases));
  rows.back().topology = topology_of(2, 2, 1);
  rows.push_back(claim("Example 2.1", 1, "3+rho, 4, 3-rho^2", "-3rho, 3rho^2, -1+2rho^2",
                       residues(network), 0));
  rows.push_back(claim("Section 3", 1, "node 1-rho^2 forwards to", "1",
                       children_of(network, "1-rho^2"), wrong_child));
  return rows;
}

std::vector<PaperRow> broadcast_claims() {
  const EisensteinJacobi network(3, 4);
  constexpr std::size_t n = 3;
  std::vector<PaperRow> rows;
  rows.push_back(claim("Algorithm 1, S4", 0, "major of the packet through -rho", "-rho^2",
                       network.port_label(Port{4}), wrong_major));
  const auto steps = ej_costs::broadcast_steps(one_of_the_paper(), n, Broadcast::improved).size();
  rows.push_back(claim("Section 4.1", n, "rounds, steps of the improved algorithm",
                       "3 rounds, 9 steps", fmt::format("no rounds, {} steps", steps), no_rounds));
  add_equations(rows);
  add_savings(rows);
  const auto ever = ej_costs::broadcast_senders(one_of_the_paper(), n, Broadcast::improved);
  rows.push_back(claim("Section 6", n, "nodes that ever send, improved against iterative",
                       "2.7% less", fmt::format("the same {}", report::count_text(ever)),
                       same_senders));
  add_receive_steps(rows);
  return rows;
}

std::vector<PaperRow> claims() {
  std::vector<PaperRow> rows = network_claims();
  for (const auto& part : {broadcast_claims(), all_to_all_claims()})
    rows.insert(rows.end(), part.begin(), part.end());
  return rows;
}

}  // namespace lockstep::ej_paper
