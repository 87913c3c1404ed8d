// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Operations of a fat tree in which messages wait in the queues of switches; a rule of
/// FatTreeQueues each. N_i: leaves below a switch of level i.
///
/// Broadcast (flooding: all-port; parent-first: single-port-send)
///   Idea:    all ports: a node that receives the message passes it to all other neighbours. One
///            send: to the parent first, then to the children in order.
///   Source:  Dimakopoulos 1996, sections 6.2.1, 6.3.1.
///   Differs: Table 6.2 prints 2 log_k n - 1 for 2 log_k n.
/// Gather (greedy: single-port-send; greedy-all-port: all-port)
///   Idea:    all leaves send in the first step; a switch passes on in every step the message that
///            came first, by all ports as many as the branch has lanes.
///   Source:  not in the thesis, whose gather is the scatter backwards.
///   Differs: from that: no schedule, and messages wait in the switches; as many steps.
/// All-gather (flooding: all-port; in-turn: single-port-send)
///   Idea:    flooding: a switch queues every message for all branches but that it came over, and
///            sends as many heads as there are lanes. In turn: what comes from below goes up first,
///            N_i messages, then the children take turns.
///   Source:  Dimakopoulos 1996, sections 6.2.3 and 6.3.2.1.
///   Differs: turns are strict: a child whose queue is empty loses its turn.
/// Total exchange (up-first: single-port-send)
///   Idea:    leaves send furthest destinations first; a switch sends what goes up before what goes
///            down, of either what came first.
///   Source:  Dimakopoulos 1996, section 6.2.4.
///   Differs: Theorems 6.6 and 6.8 are wrong for k >= 3: they overlook the sends of the root, n^2
///            (k-1)/k (tests/papers/fat_tree_exchange_test.cpp).

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithm/fat_tree/queue_program.hpp"
#include "algorithm/fat_tree/tree_shapes.hpp"
#include "lockstep/program/algorithm.hpp"
#include "program/cost_formulas.hpp"

namespace lockstep {

/// An operation: its description, and the queue discipline of its switches.
struct FatTreeQueuing {
  AlgorithmInfo info;
  FatTreeDiscipline discipline;
};

[[nodiscard]] constexpr FatTreeQueuing queuing(std::string_view name, Operation operation,
                                               FatTreeDiscipline discipline,
                                               std::string_view source, std::string_view steps,
                                               const Claims& claims, std::string_view summary) {
  const bool all_ports =
      discipline == FatTreeDiscipline::flooding || discipline == FatTreeDiscipline::greedy_all_port;
  const PortModel model = all_ports ? port_models::all_port : port_models::single_port_send;
  return {fat_tree_info(name, operation, model, source, steps, claims, summary), discipline};
}

namespace fat_tree_queuing {

inline constexpr Claims least_of_all{.startups = Among::all, .message_times = Among::undivided};
inline constexpr Claims least_if_one_parent = with_one_parent(least_of_one_block);

inline constexpr FatTreeQueuing flooding =
    queuing("flooding", Operation::broadcast, FatTreeDiscipline::flooding,
            "Dimakopoulos, section 6.3.1", "2*h", least_of_all, "sends to all neighbours at once");
inline constexpr FatTreeQueuing parent_first =
    queuing("parent-first", Operation::broadcast, FatTreeDiscipline::parent_first,
            "Dimakopoulos, section 6.2.1", "h - 1 + arities(h)", with_one_parent(least_of_all),
            "sends to the parent, then to the children in order");
inline constexpr FatTreeQueuing greedy = queuing(
    "greedy", Operation::gather, FatTreeDiscipline::greedy, "Lockstep; not in Dimakopoulos",
    steps_with_leaf, least_if_one_parent, "all send at once; switches forward in order of arrival");
inline constexpr FatTreeQueuing greedy_all_port =
    queuing("greedy-all-port", Operation::gather, FatTreeDiscipline::greedy_all_port,
            "Lockstep; not in Dimakopoulos", steps_with_leaf_by_lanes, least_if_one_parent,
            "all send at once; switches forward on all lanes");
inline constexpr FatTreeQueuing flooding_gather =
    queuing("flooding", Operation::all_gather, FatTreeDiscipline::flooding,
            "Dimakopoulos, section 6.3.2.1", steps_with_leaf_by_lanes, least_if_one_parent,
            "sends every block to all neighbours, through queues");
inline constexpr FatTreeQueuing in_turn =
    queuing("in-turn", Operation::all_gather, FatTreeDiscipline::children_in_turn,
            "Dimakopoulos, section 6.2.3",
            "most('i', 1, h, 'i + (arity(i) - (i == h))*N + arities(i - 1)')", least_if_one_parent,
            "sends messages from below upward first, then to the children in turn");
inline constexpr FatTreeQueuing up_first = queuing(
    "up-first", Operation::total_exchange, FatTreeDiscipline::up_first,
    "Dimakopoulos, section 6.2.4",
    "most('i', 1, h, '2*below(i)*(N - below(i)) + below(i)*(below(i) - below(i - 1)) + 2*i - 1')",
    least_if_one_parent, "furthest destinations first; switches send upward before downward");

}  // namespace fat_tree_queuing

template <const FatTreeQueuing& rule>
class FatTreeQueued final : public Algorithm {
 public:
  using TopologyType = SwitchTree;
  using Program = FatTreeQueues;
  static constexpr AlgorithmInfo info = rule.info;

  /// Throws ResourceExhausted where more messages pass a switch than its region holds.
  FatTreeQueued(SwitchTree tree, const Settings& settings)
      : tree_(std::move(tree)), root_(settings.number(root_parameter.name)) {
    check_countable(tree_);
    if (info.operation == Operation::total_exchange) check_exchanged_through(tree_);
  }

  [[nodiscard]] Footprint footprint() const override {
    return {.steps = value_by_formula(info.startups, tree_).numerator(),
            .hops = hops(),
            .blocks_per_processor = blocks(),
            .blocks_of_all = program().blocks_of_all(),
            .plan_bytes = branch_variables(tree_.spanning_tree())};
  }
  [[nodiscard]] std::vector<Level> levels() const override { return levels_of_column_0(tree_); }
  [[nodiscard]] Program program() const { return {tree_, rule.discipline, info.operation, root_}; }

 private:
  [[nodiscard]] std::uint64_t hops() const {
    const bool for_all =
        info.operation == Operation::broadcast || info.operation == Operation::all_gather;
    const std::uint64_t of_a_leaf =
        for_all ? tree_.spanning_tree().node_count() - 1 : hops_from(tree_);
    return has_root(info.operation) ? of_a_leaf : tree_.processor_count() * of_a_leaf;
  }
  /// The largest of a node.
  [[nodiscard]] std::uint64_t blocks() const {
    const std::uint64_t leaves = tree_.processor_count();
    if (info.operation == Operation::broadcast) return 2;
    return info.operation == Operation::total_exchange ? leaves * leaves : leaves;
  }

  SwitchTree tree_;
  std::uint64_t root_;
};

}  // namespace lockstep
