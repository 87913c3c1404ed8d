// SPDX-License-Identifier: Apache-2.0

/// What the text of the Eisenstein-Jacobi paper claims of the networks, of broadcasts, and of the
/// all-to-all broadcast; and ours alone: what corrected and better ones cost.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <map>
#include <tuple>

#include "lockstep/algorithm/all_gather/ej_gather.hpp"
#include "lockstep/core/fraction.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/eisenstein_jacobi_tree.hpp"
#include "papers/ej/ej.hpp"
#include "papers/printed_decimal.hpp"
#include "report/quantities.hpp"

namespace lockstep::papers::ej {
namespace {

using ej_costs::Broadcast;
using ej_costs::BroadcastStep;
using report::count_text;

[[nodiscard]] PaperRow on(const Network& network, PaperRow row) {
  row.topology = network.name();
  return row;
}

/// "12 60 144": what `count` says of each.
template <class Items, class Count>
[[nodiscard]] std::string listed(const Items& items, Count count) {
  std::string text;
  for (const auto& item : items)
    text += (text.empty() ? "" : " ") + count_text(std::invoke(count, item));
  return text;
}

/// The alphas 0 <= a <= b whose networks have less than seven nodes.
[[nodiscard]] std::string small_alphas() {
  std::vector<std::string> alphas;
  for (std::uint64_t b = 1; b * b < EisensteinJacobi::min_nodes; ++b)
    for (std::uint64_t a = 0; a <= b; ++a)
      if (a * a + a * b + b * b < EisensteinJacobi::min_nodes)
        alphas.push_back(fmt::format("{}+{}rho", a, b));
  return fmt::format("{}", fmt::join(alphas, ", "));
}

/// The children in the tree, as the paper writes nodes.
[[nodiscard]] std::string children_of(const EisensteinJacobi& network, const std::string& node) {
  const EisensteinJacobiTree tree(network);
  const NodeId u = network.find(node).value();
  std::vector<std::string> children;
  for (std::size_t k = 0; k < network.max_degree(); ++k)
    if ((tree.child_mask(u) >> k & 1U) != 0)
      children.push_back(network.label(network.neighbor(u, port(k))));
  return fmt::format("{}", fmt::join(children, ", "));
}

/// Nodes of the network that lie outside the grid.
[[nodiscard]] std::string residues(const EisensteinJacobi& network,
                                   std::initializer_list<const char*> nodes) {
  std::vector<std::string> labels;
  for (const char* const node : nodes) labels.push_back(network.label(network.find(node).value()));
  return fmt::format("{}", fmt::join(labels, ", "));
}

/// The receivers of every step as sec. 5 has them: the S terms of eq. (7), (8) after so many
/// expansions. `depth` is the paper's M.
[[nodiscard]] std::vector<std::uint64_t> receivers_by_expansion(std::size_t n, std::size_t depth) {
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

[[nodiscard]] PaperRows network_claims() {
  const EisensteinJacobi network(3, 4);
  return {
      claim("Section 2.1", 0, "planar", "yes", fmt::format("no: degree {}", network.max_degree()),
            2),
      claim("Section 2.1", 0, "six neighbours", "0 <= a <= b", "not " + small_alphas(), 3),
      claim("Section 2.1", 1, "diameter M = (a+2b)/3", "11/3", count_text(network.diameter()), 4),
      on({2, 2, 1}, claim("Eq. (3)", 1, "nodes at distance 2, alpha = 2+2rho, cases in their order",
                          "2", count_text(EisensteinJacobi(2, 2).level_sizes()[2]), 5)),
      claim("Example 2.1", 1, "3+rho, 4, 3-rho^2", "-3rho, 3rho^2, -1+2rho^2",
            residues(network, {"3+rho", "4", "3-rho^2"})),
      claim("Section 3", 1, "node 1-rho^2 forwards to", "1", children_of(network, "1-rho^2"), 8),
      claim("Algorithm 1, S4", 0, "major of the packet through -rho", "-rho^2",
            network.port_label(NodeId{0}, Port{4}), 10)};
}

[[nodiscard]] PaperRows equation_claims() {
  constexpr std::size_t n = 3;
  const Network small{2, 3, 2};
  const auto example = small.steps(Broadcast::improved);
  const auto before = of_the_paper(n).steps(Broadcast::iterative);
  const auto now = of_the_paper(n).steps(Broadcast::improved);
  const std::size_t depth = of_the_paper(n).one().diameter();
  return {claim("Section 4.1", n, "rounds, steps of the improved algorithm", "3 rounds, 9 steps",
                fmt::format("no rounds, {} steps", now.size()), 15),
          claim("Eq. (5)", n, "receivers of step 1, for the first r: 0", "6/37",
                count_text(before[0].receivers), 16),
          on({1, 3, 1}, claim("Eq. (5)", 1, "receivers of step 2, alpha = 1+3rho: 6d", "12",
                              count_text(Network{1, 3, 1}.one().level_sizes[2]), 19)),
          claim("Eq. (6)", n, "senders of round 2, d = 1: 6(d-1) 37^(r-1)", "0",
                count_text(before[depth].senders), 17),
          claim("Section 5", n, "senders of step 4 = receivers of step 3",
                count_text(before[depth - 1].receivers), count_text(before[depth].senders), 18),
          claim("Eq. (7), (8)", n, "receivers, expanding S terms step by step; table 2",
                listed(now, &BroadcastStep::receivers),
                listed(receivers_by_expansion(n, depth), std::identity()), 20),
          claim("Eq. (8)", 0, "S(n, 0, 0), n > 1", "O2A(n-1) + S(n,-1,0)", "O2A(n-1)", 21),
          on(small, claim("Section 5", 0, "example, 2+3rho, n = 2: receivers", "12 60 144 144",
                          listed(example, &BroadcastStep::receivers))),
          on(small, claim("Section 5", 0, "example, 2+3rho, n = 2: senders", "1 12 48 72",
                          listed(example, &BroadcastStep::senders)))};
}

/// "2.7% for all dimensions": a row each.
[[nodiscard]] PaperRow saving(std::size_t n) {
  const std::uint64_t before = of_the_paper(n).senders(Broadcast::iterative);
  const Fraction saved{before - of_the_paper(n).senders(Broadcast::improved), before};
  PaperRow row = claim("Section 6", n, "senders saved", "2.7%",
                       fmt::format("{:.4f}%", 100 * saved.value()), 26);
  row.exact = saved.text();
  row.same = saved.rounded_digits(3) == 27;
  return row;
}

[[nodiscard]] PaperRow receive_step(std::size_t n) {
  const ej_costs::OneDimension one = of_the_paper(n).one();
  const Fraction before = ej_costs::average_receive_step(one, n, Broadcast::iterative);
  const Fraction now = ej_costs::average_receive_step(one, n, Broadcast::improved);
  const char* const relation = now < before ? " < " : " = ";
  PaperRow row =
      claim("Abstract", n, "average receive step: improved, iterative", "lower",
            fixed(now.value(), 4) + relation + fixed(before.value(), 4), now < before ? 0 : 31);
  row.exact = now.text() + relation + before.text();
  row.same = now < before;
  return row;
}

[[nodiscard]] PaperRows comparison_claims() {
  constexpr std::size_t most_dimensions = 6;
  PaperRows rows;
  for (std::size_t n = 1; n <= most_dimensions; ++n) rows.push_back(saving(n));
  rows.push_back(claim("Section 6", 3, "nodes that ever send, improved against iterative",
                       "2.7% less",
                       "the same " + count_text(of_the_paper(3).senders(Broadcast::improved)), 27));
  for (std::size_t n = 1; n <= most_dimensions; ++n) rows.push_back(receive_step(n));
  return rows;
}

/// Steps / sum of the largest loads: half-duplex links, all that wants a link in a step combined.
[[nodiscard]] std::string steps_and_times(const Gather& gather) {
  return fmt::format("{} / {}", count_text(gather.cost.startups),
                     count_text(gather.cost.message_times));
}

/// Messages through each port in each of the three phases, in one dimension.
using PhaseSums = std::array<std::array<std::uint64_t, 6>, 3>;
[[nodiscard]] PhaseSums messages_of_phases() {
  const EisensteinJacobiTree tree(EisensteinJacobi(3, 4));
  const EjLoads loads = ej_three_phase_loads(tree, 1, EjRelaunch::own_block);
  const auto depths = ej_phase_depths(tree);
  PhaseSums sums{};
  auto step = loads.begin();
  for (std::size_t phase = 0; phase < depths.size(); ++phase)
    for (const auto end = step + static_cast<std::ptrdiff_t>(depths[phase]); step != end; ++step)
      std::transform(step->begin(), step->end(), sums[phase].begin(), sums[phase].begin(),
                     std::plus());
  return sums;
}

[[nodiscard]] PaperRows port_claims(const PhaseSums& sums) {
  const EisensteinJacobi network(3, 4);
  struct Printed {
    const char* ports;
    std::array<std::size_t, 6> order;  ///< in which the paper names them; the others behind
  };
  constexpr std::array<Printed, 3> printed{{{"+rho, +1, -rho^2", {1, 0, 5, 2, 3, 4}},
                                            {"-1, +rho^2, +rho", {3, 2, 1, 0, 4, 5}},
                                            {"-rho^2, -rho, -1", {5, 4, 3, 0, 1, 2}}}};
  PaperRows rows;
  for (std::size_t phase = 0; phase < printed.size(); ++phase) {
    std::vector<std::string> used;
    for (const std::size_t p : printed[phase].order)
      if (sums[phase][p] != 0) used.push_back(network.port_label(NodeId{0}, port(p)));
    rows.push_back(claim("Section 4.2", 1, fmt::format("sending ports of phase {}", phase + 1),
                         printed[phase].ports, fmt::format("{}", fmt::join(used, ", "))));
  }
  return rows;
}

[[nodiscard]] PaperRows all_to_all_claims() {
  const PhaseSums sums = messages_of_phases();
  PaperRows rows = port_claims(sums);
  const std::vector<Gather> all = gathers(1);
  const Gather& three = all[0];
  const Gather& two = all[2];
  append(rows, {claim("Section 4.2", 1, "half-duplex links divide the all-to-all into", "3 phases",
                      fmt::format("2 substeps of a step: {} steps, not {}", two.cost.startups,
                                  three.cost.startups),
                      33),
                claim("Section 4.2", 1, "three phases: steps / message times", "",
                      steps_and_times(three), 36),
                claim("Section 4.2", 1, "messages on links of phase 1: -rho^2, +1, +rho", "",
                      fmt::format("{}, {}, {}", sums[0][5], sums[0][0], sums[0][1]), 37)});
  for (std::size_t n = 1; n <= 3; ++n) {
    rows.push_back(claim("Section 4.2", n, "messages that a node receives in three phases",
                         count_text(gathers(n)[1].received), count_text(gathers(n)[0].received)));
    if (!rows.back().agrees()) rows.back().erratum = 35;
  }
  return rows;
}

}  // namespace

PaperRows claims() {
  PaperRows rows = network_claims();
  for (PaperRows part : {equation_claims(), comparison_claims(), all_to_all_claims()})
    append(rows, std::move(part));
  return rows;
}

PaperRows beyond() {
  PaperRows rows;
  const auto add = [&](std::size_t n, std::string_view quantity, std::string ours) {
    rows.push_back(claim("not in the paper", n, std::string(quantity), "", std::move(ours)));
  };
  for (std::size_t n = 1; n <= 3; ++n) {
    const ej_costs::LeastSteps least = ej_costs::least_all_gather_steps(of_the_paper(n).one(), n);
    for (const Gather& gather : gathers(n)) {
      add(n, fmt::format("all-gather by {}: steps / message times", gather.algorithm),
          steps_and_times(gather));
      if (gather.received == least.single_port) continue;
      rows.back().ours += fmt::format(", {} of {} messages received", count_text(gather.received),
                                      count_text(least.single_port));
      rows.back().erratum = 35;
    }
    add(n, "all-gather: least message times, half-duplex", count_text(least.half_duplex));
  }
  for (std::size_t n = 1; n <= 3; ++n) {
    const auto least = ej_costs::least_total_exchange_steps(of_the_paper(n).one(), n);
    add(n, "total exchange: least steps, single-port / all-port / all-port half-duplex",
        fmt::format("{} / {} / {}", count_text(least.single_port), count_text(least.full_duplex),
                    count_text(least.half_duplex)));
  }
  return rows;
}

}  // namespace lockstep::papers::ej
