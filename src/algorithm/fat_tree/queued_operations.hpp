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

#include <fmt/format.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "algorithm/fat_tree/queue_program.hpp"
#include "algorithm/fat_tree/tree_shapes.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/program/algorithm.hpp"
#include "program/cost_formulas.hpp"

namespace lockstep {

/// `Self` adds its info, hops(tree) and blocks(tree), the largest of a node.
template <class Self, FatTreeDiscipline discipline>
class FatTreeQueued : public Algorithm {
 public:
  using TopologyType = SwitchTree;
  using Program = FatTreeQueues;

  FatTreeQueued(SwitchTree tree, const Settings& settings)
      : tree_(std::move(tree)), root_(settings.number(root_parameter.name)) {
    check_countable(tree_);
    Self::check(tree_);
  }

  [[nodiscard]] Footprint footprint() const override {
    return {.steps = value_by_formula(Self::info.startups, tree_).numerator(),
            .hops = Self::hops(tree_),
            .blocks_per_processor = Self::blocks(tree_),
            .blocks_of_all = program().blocks_of_all(),
            .plan_bytes = branch_variables(tree_.spanning_tree())};
  }
  [[nodiscard]] std::vector<Level> levels() const override { return levels_of_column_0(tree_); }
  [[nodiscard]] Program program() const { return {tree_, discipline, Self::info.operation, root_}; }

  static void check(const SwitchTree& /*tree*/) {}

 private:
  SwitchTree tree_;
  std::uint64_t root_;
};

template <FatTreeDiscipline discipline>
class FatTreeBroadcast final : public FatTreeQueued<FatTreeBroadcast<discipline>, discipline> {
  static constexpr bool one = discipline == FatTreeDiscipline::parent_first;
  static constexpr std::string_view steps_by_formula = one ? "h - 1 + arities(h)" : "2*h";

 public:
  using FatTreeQueued<FatTreeBroadcast, discipline>::FatTreeQueued;
  static constexpr AlgorithmInfo info{
      .name = one ? "parent-first" : "flooding",
      .operation = Operation::broadcast,
      .model = one ? port_models::single_port_send : port_models::all_port,
      .source = one ? "Dimakopoulos, section 6.2.1" : "Dimakopoulos, section 6.3.1",
      .startups = steps_by_formula,
      .message_times = steps_by_formula,
      .claims = one ? with_one_parent({.startups = Among::all, .message_times = Among::undivided})
                    : Claims{.startups = Among::all, .message_times = Among::undivided},
      .summary = one ? "sends to the parent, then to the children in order"
                     : "sends to all neighbours at once",
      .parameters = root_parameters};

  [[nodiscard]] static std::uint64_t hops(const SwitchTree& tree) {
    return tree.spanning_tree().node_count() - 1;
  }
  [[nodiscard]] static std::uint64_t blocks(const SwitchTree& /*tree*/) { return 2; }
};

template <FatTreeDiscipline discipline>
class FatTreeGreedyGather final
    : public FatTreeQueued<FatTreeGreedyGather<discipline>, discipline> {
  static constexpr bool one = discipline == FatTreeDiscipline::greedy;

 public:
  using FatTreeQueued<FatTreeGreedyGather, discipline>::FatTreeQueued;
  static constexpr AlgorithmInfo info{
      .name = one ? "greedy" : "greedy-all-port",
      .operation = Operation::gather,
      .model = one ? port_models::single_port_send : port_models::all_port,
      .source = "Lockstep; not in Dimakopoulos",
      .startups = one ? steps_with_leaf : steps_with_leaf_by_lanes,
      .message_times = one ? steps_with_leaf : steps_with_leaf_by_lanes,
      .claims = with_one_parent({.startups = Among::one_block, .message_times = Among::undivided}),
      .summary = one ? "all send at once; switches forward in order of arrival"
                     : "all send at once; switches forward on all lanes",
      .parameters = root_parameters};

  /// By all lanes where a node has one parent.
  [[nodiscard]] static SupportedNetworks networks() { return one ? fat_trees : one_parent_trees; }

  [[nodiscard]] static std::uint64_t hops(const SwitchTree& tree) { return hops_from(tree); }
  [[nodiscard]] static std::uint64_t blocks(const SwitchTree& tree) {
    return tree.processor_count();
  }
};

template <FatTreeDiscipline discipline>
class FatTreeQueuedGather final
    : public FatTreeQueued<FatTreeQueuedGather<discipline>, discipline> {
  static constexpr bool one = discipline == FatTreeDiscipline::children_in_turn;
  static constexpr std::string_view steps_by_formula =
      one ? "most('i', 1, h, 'i + (arity(i) - (i == h))*N + arities(i - 1)')"
          : steps_with_leaf_by_lanes;

 public:
  using FatTreeQueued<FatTreeQueuedGather, discipline>::FatTreeQueued;
  static constexpr AlgorithmInfo info{
      .name = one ? "in-turn" : "flooding",
      .operation = Operation::all_gather,
      .model = one ? port_models::single_port_send : port_models::all_port,
      .source = one ? "Dimakopoulos, section 6.2.3" : "Dimakopoulos, section 6.3.2.1",
      .startups = steps_by_formula,
      .message_times = steps_by_formula,
      .claims = with_one_parent({.startups = Among::one_block, .message_times = Among::undivided}),
      .summary = one ? "sends messages from below upward first, then to the children in turn"
                     : "sends every block to all neighbours, through queues"};

  [[nodiscard]] static std::uint64_t hops(const SwitchTree& tree) {
    return tree.processor_count() * (tree.spanning_tree().node_count() - 1);
  }
  [[nodiscard]] static std::uint64_t blocks(const SwitchTree& tree) {
    return tree.processor_count();
  }
};

class FatTreeUpFirst final : public FatTreeQueued<FatTreeUpFirst, FatTreeDiscipline::up_first> {
  static constexpr std::string_view steps_by_formula =
      "most('i', 1, h, '2*below(i)*(N - below(i)) + below(i)*(below(i) - below(i - 1)) + 2*i - 1')";

 public:
  using FatTreeQueued::FatTreeQueued;
  static constexpr AlgorithmInfo info{
      .name = "up-first",
      .operation = Operation::total_exchange,
      .model = port_models::single_port_send,
      .source = "Dimakopoulos, section 6.2.4",
      .startups = steps_by_formula,
      .message_times = steps_by_formula,
      .claims = with_one_parent({.startups = Among::one_block, .message_times = Among::undivided}),
      .summary = "furthest destinations first; switches send upward before downward"};

  static void check(const SwitchTree& tree) {
    for (std::size_t i = 1; i <= tree.height(); ++i)
      if (exchanged_through(tree, i) > max_region_blocks)
        throw ResourceExhausted(
            fmt::format("{}: {} messages pass through a switch of level {}; allowed: up to {}",
                        tree.name(), exchanged_through(tree, i), i, max_region_blocks));
  }
  [[nodiscard]] static std::uint64_t hops(const SwitchTree& tree) {
    return tree.processor_count() * hops_from(tree);
  }
  [[nodiscard]] static std::uint64_t blocks(const SwitchTree& tree) {
    return tree.processor_count() * tree.processor_count();
  }
};

using FatTreeFlooding = FatTreeBroadcast<FatTreeDiscipline::flooding>;
using FatTreeParentFirst = FatTreeBroadcast<FatTreeDiscipline::parent_first>;
using FatTreeFloodingGather = FatTreeQueuedGather<FatTreeDiscipline::flooding>;
using FatTreeInTurn = FatTreeQueuedGather<FatTreeDiscipline::children_in_turn>;

}  // namespace lockstep
