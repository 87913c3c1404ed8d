// SPDX-License-Identifier: Apache-2.0

/// All-gathers in EJ_alpha^(n) by rules, which say in which step and through which port a block
/// comes to each displacement from its source. Blocks that want one link in one step are one
/// message. All follow Hussain 2018, section 4; tests/papers/ej_all_gather_test.cpp.
///
/// simultaneous: a block goes through the dimensions from the highest to the lowest, in each along
///   the tree of one dimension, so that it comes in as many steps as its source is away. nD
///   start-ups; for b = a + 1, D(D+1)/2 N^(n-1) message times.
/// two-substep cuts every step in two: first ports +1, rho, -rho^2 of all dimensions, then the
///   opposite ones; what comes in the first half waits for the next step. 2nD steps and, for
///   b = a + 1, twice the message times: for n = 1 the least there is on half-duplex links, a third
///   less than in three phases. Section 4.2 of the paper has it that on half-duplex links not all
///   can broadcast at once, and takes three phases for it; two halves are enough. Algorithm 1 is
///   corrected as in the broadcast.
/// simultaneous-rotated, rotated: the same in n parts, which load all ports alike: part r = 0..n-1
///   goes through the dimensions in the order r, r - 1, .., 1, n, .., r + 1, so that every
///   dimension is the last one, which carries most, for one part in n. For b = a + 1 (N^n - 1)/(6n)
///   and (N^n - 1)/(3n) message times: no all-gather takes less.
/// three-phase: phase p = 1, 2, 3 is the improved broadcast of every processor's own block, in all
///   dimensions at once, along the tree of two sectors: 6 and 1, 2 and 3, 4 and 5. The ports that
///   send in a phase are not those that receive, so no link is used both ways. 3nD start-ups,
///   D(D+1)/2 * 3 ((N+2)/3)^(n-1) message times for b = a + 1; in general n (D1 + D2 + D3)
///   start-ups, Dp the largest weight in the sectors of phase p. For n >= 2 a block comes only
///   where all coordinates of the displacement are in sectors of one phase: 3 (((N+2)/3)^n - 1) of
///   N^n - 1 blocks; the paper claims that all arrive. Algorithm 4 lets every packet of the last
///   step start the next phase with the message it carries, and no processor sends its own again;
///   here, as the text means it, every processor begins each phase once, with its own block.
/// three-phase-complete: when a phase begins every processor sends all blocks it holds, each in the
///   dimensions in which its displacement is 0. What comes through dimension d goes on along the
///   tree there, and anew into those dimensions below d in which its displacement is 0. So a
///   displacement is walked phase by phase, in each from high dimensions to low ones: every block
///   comes once. For b = a + 1, with K = (N-1)/3, D(D+1)/2 ((1+K)^(n-1) + (1+2K)^(n-1) + N^(n-1))
///   message times.

#include <algorithm>
#include <functional>
#include <span>
#include <tuple>
#include <vector>

#include "algorithm/all_gather/ej_gather_loads.hpp"
#include "algorithm/family_shapes.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"

namespace lockstep {
namespace {

/// A hop of a part of a block to a displacement: the step and the port of the send.
struct Hop {
  static constexpr std::uint32_t never = ~std::uint32_t{0};
  std::uint32_t step = never;
  Port through{};
};

/// The last hop of a part to the displacement of these coordinates, dimension 1 first.
using HopRule = std::function<Hop(std::span<const NodeId> coordinates, std::uint32_t part)>;

/// The dimensions are walked from `part` (counted from 0) - 1 downwards, cyclically, so that `part`
/// comes last.
[[nodiscard]] HopRule simultaneous_hops(const EisensteinJacobiTree& tree, std::size_t /*n*/) {
  return [&tree](std::span<const NodeId> coordinates, std::uint32_t part) -> Hop {
    std::uint64_t distance = 0;
    for (const NodeId c : coordinates) distance += tree.weight(c);
    std::size_t d = part;
    while (coordinates[d] == NodeId{0}) d = (d + 1) % coordinates.size();
    return {static_cast<std::uint32_t>(distance - 1), ej_port(d, tree.parent_port(coordinates[d]))};
  };
}

/// The last phase of a walk: which, how far in it, and the dimension of the last hop.
struct LastPhase {
  std::size_t phase = 0;
  std::uint64_t weight = 0;
  std::size_t last = 0;
  bool is_only_one = true;
};

[[nodiscard]] LastPhase last_phase_to(std::span<const NodeId> coordinates,
                                      const EisensteinJacobiTree& tree) {
  LastPhase end;
  for (std::size_t d = coordinates.size(); d-- > 0;) {
    if (coordinates[d] == NodeId{0}) continue;
    const std::size_t phase = ej_phase_of(tree.sector(coordinates[d]));
    end.is_only_one = end.is_only_one && (end.weight == 0 || phase == end.phase);
    if (end.weight != 0 && phase < end.phase) continue;
    if (phase > end.phase) end = {.phase = phase, .is_only_one = end.is_only_one};
    end.weight += tree.weight(coordinates[d]);
    end.last = d;
  }
  return end;
}

[[nodiscard]] HopRule complete_hops(const EisensteinJacobiTree& tree, std::size_t n) {
  return [&tree, phases = ej_three_phases(tree, n)](std::span<const NodeId> coordinates,
                                                    std::uint32_t) -> Hop {
    const LastPhase end = last_phase_to(coordinates, tree);
    return {static_cast<std::uint32_t>(phases.at(end.phase).first_step + end.weight - 1),
            ej_port(end.last, tree.parent_port(coordinates[end.last]))};
  };
}

/// A block comes in the phase in which it was sent, or not at all.
[[nodiscard]] HopRule three_phase_hops(const EisensteinJacobiTree& tree, std::size_t n) {
  return [&tree, complete = complete_hops(tree, n)](std::span<const NodeId> coordinates,
                                                    std::uint32_t part) {
    return last_phase_to(coordinates, tree).is_only_one ? complete(coordinates, part) : Hop{};
  };
}

struct Rule {
  EjLoads (*loads)(const EisensteinJacobiTree& tree, std::size_t n);
  HopRule (*last_hops)(const EisensteinJacobiTree& tree, std::size_t n);  ///< keeps the tree
  std::vector<Phase> (*phases)(const EisensteinJacobiTree& tree, std::size_t n) = nullptr;
  bool in_parts = false;     ///< blocks are cut in n parts
  bool in_substeps = false;  ///< every step is cut in two (ej_first_substep)

  [[nodiscard]] EjLoads loads_on(const EisensteinJacobiNetwork& network) const {
    const EjLoads all = loads(EisensteinJacobiTree(network.alpha()), network.dimensions());
    return in_substeps ? ej_in_substeps(all) : all;
  }
};

/// A part of the block of node 0 on its last hop to that displacement.
struct Entry {
  std::uint32_t to;
  std::uint32_t from;
  std::uint16_t part;
  Port through;
};

[[nodiscard]] std::vector<std::vector<Entry>> entries_by_step(
    const EisensteinJacobiNetwork& network, const Rule& rule, const Transfers& plan) {
  const EisensteinJacobiTree tree(network.alpha());
  const HopRule last_hops = rule.last_hops(tree, network.dimensions());
  std::vector<std::vector<Entry>> steps(plan.steps);
  std::vector<NodeId> coordinates(network.dimensions());
  for (std::uint32_t v = 1; v < network.node_count(); ++v) {
    for (std::size_t d = 0; d < coordinates.size(); ++d)
      coordinates[d] = network.coordinate(NodeId{v}, d);
    for (std::uint16_t part = 0; part < plan.parts; ++part) {
      Hop hop = last_hops(coordinates, part);
      if (hop.step == Hop::never) continue;
      if (rule.in_substeps)
        hop.step = 2 * hop.step + (ej_first_substep(index(hop.through) % 6) ? 0 : 1);
      expects(hop.step < plan.steps, "the hop is in one of the plan's steps");
      const NodeId from = network.neighbor(NodeId{v}, network.reverse_port(NodeId{v}, hop.through));
      steps[hop.step].push_back({v, static_cast<std::uint32_t>(index(from)), part, hop.through});
    }
  }
  return steps;
}

/// Blocks of a message are in the order in which they came to its sender, so that most of them lie
/// side by side there.
[[nodiscard]] Transfers planned_by_rule(const EisensteinJacobiNetwork& network, const Rule& rule) {
  Transfers plan = all_one_class(network.node_count());
  plan.steps = rule.loads_on(network).size();
  plan.parts = rule.in_parts ? static_cast<std::uint32_t>(network.dimensions()) : 1;
  if (rule.phases != nullptr)
    plan.phases = rule.phases(EisensteinJacobiTree(network.alpha()), network.dimensions());
  std::vector<std::uint32_t> came(
      network.node_count());  // as which one, by displacement; 0: not yet
  std::uint32_t step = 0;
  std::uint32_t arrivals = 0;
  for (std::vector<Entry>& entries : entries_by_step(network, rule, plan)) {
    std::ranges::sort(entries, {}, [&](const Entry& entry) {
      return std::tuple(entry.through, came[entry.from], entry.part);
    });
    for (const auto& [to, from, part, through] : entries) {
      plan.move(step, 0, everyone, from, to, through);
      plan.list.back().part = part;
      if (came[to] == 0) came[to] = ++arrivals;
    }
    ++step;
  }
  return plan;
}

[[nodiscard]] PlannedAlgorithm by_rule(const AlgorithmInfo& info, const Rule& rule) {
  return {.info = info,
          .networks = families::ej,
          .plan =
              [rule](const PlanRequest& asked) {
                return planned_by_rule(*asked.network.as<EisensteinJacobiNetwork>(), rule);
              },
          .cost =
              [rule](const ErasedTopology& topology) {
                const auto& network = *topology.as<EisensteinJacobiNetwork>();
                Cost cost;
                for (const std::vector<std::uint64_t>& step : rule.loads_on(network)) {
                  const std::uint64_t largest = *std::ranges::max_element(step);
                  cost.startups += largest != 0 ? 1 : 0;
                  cost.message_times += Fraction(largest, rule.in_parts ? network.dimensions() : 1);
                }
                return cost;
              },
          .one_class = true};
}

/// The parts of all blocks fill the ports where the network has all nodes up to its diameter.
constexpr Claims dense_networks{.message_times = Among::all,
                                .where = "for b = a + 1",
                                .holds = [](const ErasedTopology& network, const Settings&) {
                                  const auto* const ej = network.as<EisensteinJacobiNetwork>();
                                  return ej != nullptr && ej->alpha().b() == ej->alpha().a() + 1;
                                }};

}  // namespace

const PlannedAlgorithm ej_simultaneous =
    by_rule({.name = "simultaneous",
             .operation = Operation::all_gather,
             .model = port_models::all_port,
             .source = "Lockstep, after Hussain, section 4.1",
             .startups = "D",
             .costs = "message times: sum of the largest loads",
             .summary = "the improved broadcast from all processors at once"},
            {.loads = ej_simultaneous_loads, .last_hops = simultaneous_hops});
const PlannedAlgorithm ej_two_substep = by_rule(
    {.name = "two-substep",
     .operation = Operation::all_gather,
     .model = port_models::all_port_half_duplex,
     .source = "Lockstep, after Hussain, section 4",
     .costs = "at most 2D start-ups; message times: sum of the largest loads",
     .summary = "the improved broadcast from all processors at once, each step in two halves"},
    {.loads = ej_simultaneous_loads, .last_hops = simultaneous_hops, .in_substeps = true});
const PlannedAlgorithm ej_rotated = by_rule(
    {.name = "rotated",
     .operation = Operation::all_gather,
     .model = port_models::all_port_half_duplex,
     .source = "Lockstep, after Hussain, section 4",
     .costs = "at most 2D start-ups; for b = a + 1 (N - 1)/(3n) message times",
     .claims = dense_networks,
     .summary = "two-substep with blocks in n parts and rotated dimensions, which balances the "
                "ports"},
    {.loads = ej_rotated_loads,
     .last_hops = simultaneous_hops,
     .in_parts = true,
     .in_substeps = true});
const PlannedAlgorithm ej_simultaneous_rotated = by_rule(
    {.name = "simultaneous-rotated",
     .operation = Operation::all_gather,
     .model = port_models::all_port,
     .source = "Lockstep, after Hussain, section 4.1",
     .startups = "D",
     .costs = "for b = a + 1 (N - 1)/(6n) message times",
     .claims = dense_networks,
     .summary = "broadcasts from all processors at once, blocks in n parts, rotated dimensions"},
    {.loads = ej_rotated_loads, .last_hops = simultaneous_hops, .in_parts = true});
const PlannedAlgorithm ej_three_phase = by_rule(
    {.name = "three-phase",
     .operation = Operation::all_gather,
     .model = port_models::all_port_half_duplex,
     .source = "Hussain, section 4.2, algorithms 3 and 4",
     .costs = "3nM start-ups for b = a + 1; message times: sum of the largest loads",
     .summary = "as printed: three phases of two sectors; loses blocks in 2 or more dimensions"},
    {.loads = [](const EisensteinJacobiTree& tree,
                 std::size_t n) { return ej_three_phase_loads(tree, n, EjRelaunch::own_block); },
     .last_hops = three_phase_hops,
     .phases = ej_three_phases});
const PlannedAlgorithm ej_three_phase_complete = by_rule(
    {.name = "three-phase-complete",
     .operation = Operation::all_gather,
     .model = port_models::all_port_half_duplex,
     .source = "Lockstep, after Hussain, section 4",
     .costs = "3nM start-ups for b = a + 1; message times: sum of the largest loads",
     .summary = "three phases of two sectors; each phase starts with all blocks held so far"},
    {.loads = [](const EisensteinJacobiTree& tree,
                 std::size_t n) { return ej_three_phase_loads(tree, n, EjRelaunch::all_blocks); },
     .last_hops = complete_hops,
     .phases = ej_three_phases});

}  // namespace lockstep
