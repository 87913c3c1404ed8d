// SPDX-License-Identifier: Apache-2.0

/// Z. Hussain, "An improved one-to-all broadcasting in higher dimensional Eisenstein-Jacobi
/// networks", 2018: ej.json has what it prints, this file what its formulas ask the closed forms
/// (papers/ej/costs.hpp); the machine's counts agree with them. Steps count from 1. The paper's
/// previous algorithm is `iterative` here, its proposed one `improved`.

#include "papers/paper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "algorithm/all_gather/ej_gather_loads.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "core/joined.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "papers/ej/costs.hpp"
#include "papers/ej/ej.hpp"
#include "report/quantities.hpp"

namespace lockstep::papers {

extern const std::string_view ej_json;

namespace ej {
namespace {

using ej_costs::Broadcast;
using ej_costs::BroadcastStep;
using ej_costs::LeastSteps;
using report::count_text;

struct Network {
  std::uint64_t a;
  std::uint64_t b;
  std::size_t n;

  [[nodiscard]] ej_costs::OneDimension one() const {
    return ej_costs::one_dimension(EisensteinJacobiTree(EisensteinJacobi(a, b)));
  }
};

/// The network of the row.
[[nodiscard]] Network network_of(const Call& call) {
  return {call.number("a"), call.number("b"), call.number("dimensions")};
}
[[nodiscard]] EisensteinJacobi one_dimension(const Call& call) {
  return {call.number("a"), call.number("b")};
}

[[nodiscard]] Broadcast broadcast_named(const std::string& name) {
  return name == "iterative" ? Broadcast::iterative : Broadcast::improved;
}
[[nodiscard]] std::vector<BroadcastStep> steps_of(const Call& call, const Network& network) {
  return ej_costs::broadcast_steps(network.one(), network.n,
                                   broadcast_named(call.text("algorithm")));
}

/// In a step from 1 on.
template <std::uint64_t BroadcastStep::*Count>
[[nodiscard]] Value in_step(const Call& call) {
  return steps_of(call, network_of(call)).at(call.number(0) - 1).*Count;
}

/// Figures 19 to 21, over networks that take twelve steps each.
template <std::uint64_t BroadcastStep::*Count>
[[nodiscard]] Value average_in_step(const Call& call) {
  constexpr std::array<Network, 5> networks{
      {{1, 2, 12}, {2, 3, 6}, {3, 4, 4}, {4, 5, 3}, {6, 7, 2}}};
  std::uint64_t sum = 0;
  for (const Network& network : networks)
    sum += steps_of(call, network).at(call.number(0) - 1).*Count;
  return fmt::format("{}.{}", count_text(sum / networks.size()),
                     10 * (sum % networks.size()) / networks.size());
}

/// The alphas 0 <= a <= b whose networks have less than seven nodes.
[[nodiscard]] Value small_alphas(const Call&) {
  std::vector<std::string> alphas;
  for (std::uint64_t b = 1; b * b < EisensteinJacobi::min_nodes; ++b)
    for (std::uint64_t a = 0; a <= b; ++a)
      if (a * a + a * b + b * b < EisensteinJacobi::min_nodes)
        alphas.push_back(fmt::format("{}+{}rho", a, b));
  return joined(alphas, ", ");
}

/// The children in the tree, as the paper writes nodes.
[[nodiscard]] Value children(const Call& call) {
  const EisensteinJacobi network = one_dimension(call);
  const EisensteinJacobiTree tree(network);
  const NodeId u = network.find(call.text(0)).value();
  std::vector<std::string> names;
  for (std::size_t k = 0; k < network.max_degree(); ++k)
    if ((tree.child_mask(u) >> k & 1U) != 0)
      names.push_back(network.label(network.neighbor(u, port(k))));
  return joined(names, ", ");
}

/// The receivers of every step as sec. 5 has them: the S terms of eq. (7), (8) after so many
/// expansions.
[[nodiscard]] Value receivers_by_expansion(const Call& call) {
  using Term = std::tuple<std::size_t, std::size_t, std::size_t>;  // of S(n, x, y)
  using Terms = std::map<Term, std::uint64_t>;
  const std::size_t depth = network_of(call).one().diameter();  // the paper's M
  const auto add_one_to_all = [depth](Terms& terms, std::size_t dimensions, std::uint64_t count) {
    for (std::size_t e = dimensions; e >= 1; --e) terms[{e, depth - 1, depth - 1}] += 6 * count;
  };
  std::vector<std::string> receivers;
  Terms terms;
  add_one_to_all(terms, network_of(call).n, 1);
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
    receivers.push_back(count_text(all));
    terms = std::move(next);
  }
  return joined(receivers, " ");
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
      for (std::size_t p = 0; p < step->size(); ++p) sums[phase][p] += (*step)[p];
  return sums;
}

/// (phase, printed): the ports that send in the phase, in the order in which they are printed, the
/// others behind.
[[nodiscard]] Value ports(const Call& call) {
  const PhaseSums sums = messages_of_phases();
  std::vector<std::string> used;
  for (std::size_t p = 0; p < sums.front().size(); ++p)
    if (sums.at(call.number(0) - 1)[p] != 0)
      used.push_back(one_dimension(call).port_label(NodeId{0}, port(p)));
  const auto place = [printed = call.text(1) + ","](const std::string& label) {
    return printed.find(label + ",");
  };
  std::ranges::stable_sort(used, [&](const std::string& one, const std::string& other) {
    return place(one) < place(other);
  });
  return joined(used, ", ");
}

/// The all-gather of that name, in the dimensions of the row.
[[nodiscard]] Gather gather_of(const Call& call) {
  const std::vector<Gather> all = gathers(network_of(call).n);
  return *std::ranges::find(all, call.text(0), &Gather::algorithm);
}

/// By 'single', 'full' (duplex) or 'half'.
[[nodiscard]] std::uint64_t of_ports(const LeastSteps& least, const std::string& ports) {
  if (ports == "single") return least.single_port;
  return ports == "full" ? least.full_duplex : least.half_duplex;
}

const Functions functions{
    {"senders", in_step<&BroadcastStep::senders>},
    {"receivers", in_step<&BroadcastStep::receivers>},
    {"free", in_step<&BroadcastStep::free>},
    {"active", in_step<&BroadcastStep::active>},
    {"average_senders", average_in_step<&BroadcastStep::senders>},
    {"average_receivers", average_in_step<&BroadcastStep::receivers>},
    {"average_active", average_in_step<&BroadcastStep::active>},
    {"steps", [](const Call& call) { return steps_of(call, network_of(call)).size(); }},
    {"all_senders",
     [](const Call& call) {
       const Network network = network_of(call);
       return ej_costs::broadcast_senders(network.one(), network.n, broadcast_named(call.text(0)));
     }},
    {"receive_step",
     [](const Call& call) {
       const Network network = network_of(call);
       return ej_costs::average_receive_step(network.one(), network.n,
                                             broadcast_named(call.text(0)))
           .text();
     }},
    {"degree", [](const Call& call) { return one_dimension(call).max_degree(); }},
    {"diameter", [](const Call& call) { return one_dimension(call).diameter(); }},
    {"nodes_at",
     [](const Call& call) { return one_dimension(call).level_sizes().at(call.number(0)); }},
    {"residue",
     [](const Call& call) {
       const EisensteinJacobi network = one_dimension(call);
       return network.label(network.find(call.text(0)).value());
     }},
    {"port",
     [](const Call& call) {
       return one_dimension(call).port_label(NodeId{0}, port(call.number(0)));
     }},
    {"small_alphas", small_alphas},
    {"children", children},
    {"receivers_by_expansion", receivers_by_expansion},
    {"ports", ports},
    {"messages_of_phase_1",
     [](const Call& call) { return messages_of_phases().front().at(call.number(0)); }},
    {"gather_steps", [](const Call& call) { return gather_of(call).cost.startups; }},
    {"gather_times",
     [](const Call& call) { return gather_of(call).cost.message_times.rounded_up(); }},
    {"received", [](const Call& call) { return gather_of(call).received; }},
    {"to_gather",
     [](const Call& call) {
       const Network network = network_of(call);
       return of_ports(ej_costs::least_all_gather_steps(network.one(), network.n), call.text(0));
     }},
    {"to_exchange", [](const Call& call) {
       const Network network = network_of(call);
       return of_ports(ej_costs::least_total_exchange_steps(network.one(), network.n),
                       call.text(0));
     }}};

std::optional<std::string> drawing(const AnyTopology& topology) {
  const auto* const network = topology.as<EisensteinJacobiNetwork>();
  return network == nullptr ? std::nullopt : std::optional(svg_of(*network));
}

}  // namespace

std::vector<Gather> gathers(std::size_t n) {
  const AnyCayley network = any_cayley(EisensteinJacobiNetwork(3, 4, n));
  const std::uint64_t nodes = network.node_count();
  std::vector<Gather> all;
  for (const PlannedAlgorithm* const algorithm :
       {&ej_three_phase, &ej_three_phase_complete, &ej_two_substep, &ej_rotated}) {
    const auto planned = planned_for(*algorithm, network, {});
    const std::uint64_t deliveries = planned->footprint().deliveries;
    all.push_back({std::string(algorithm->info.name), *planned->promise(),
                   deliveries == 0 ? nodes - 1 : deliveries / nodes});
  }
  return all;
}

}  // namespace ej

const Paper ej_paper{
    .name = "ej", .data = data_from<ej_json, ej::functions>, .drawing = ej::drawing};

}  // namespace lockstep::papers
