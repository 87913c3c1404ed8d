// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Single node broadcast (one-to-all) in EJ_alpha^(n) over trees of one dimension, in two orders.
///
/// improved, every dimension at once
///   Idea:    a node that received the block through dimension d passes it on along the tree of
///            one dimension there, and in the same step starts that tree in every lower dimension.
///            No node sends in more than one step, and every node is reached in as many steps as
///            its distance from the root.
///   Source:  Hussain 2018, section 4.1, Algorithms 1 and 2.
///   Differs: any 0 <= a <= b, not b = a + 1 alone: a node uses its displacement from the root,
///            not the two counters of a packet, and the tree is topology/
///            eisenstein_jacobi.hpp, for b = a + 1 the paper's. Algorithm 1, S4, prints the
///            major direction -rho^2 for -rho and so loses nodes; the tests x > 0, y > 0,
///            dimension > 1 of Algorithm 2 are side by side, none within another; `step` is the
///            step in which the receiver sends, and its guard never stops a send. tests/papers/
///            ej_sector_packets_test.cpp runs the paper's packets, as printed and corrected.
/// iterative, one dimension after the other
///   Idea:    n rounds, for the dimensions n, n-1, ..., 1. In the round of dimension d every node
///            that has the block is the root of the tree of one dimension in its own copy of
///            EJ_alpha: D steps, one per level of the tree.
///   Source:  the same, section 3, "the previous algorithm", equations (5) and (6).
///   Differs: any 0 <= a <= b. Nodes that had the block before a round send again in its first
///            step, which the text omits and Table 1 needs. tests/papers/ej_broadcast_test.cpp.
///
/// Model:   all-port, half-duplex.
/// Program: not a schedule, since computed from the address: there are runs of billions of nodes.

#include <cstdint>
#include <vector>

#include "algorithm/broadcast/ej_places.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"

namespace lockstep {

/// The rule of both: one type, so that one machine is compiled.
class EjTreeBroadcast {
 public:
  enum class Order : std::uint8_t { all_dimensions, by_dimension };
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::sparse;
  static constexpr Traits traits = Traits::step_count | Traits::receives_once;

  EjTreeBroadcast(const EisensteinJacobiNetwork& network, NodeId root, Order order)
      : root_(root),
        order_(order),
        steps_(network.diameter()),
        places_(network, root),
        child_masks_(child_masks(places_, network.alpha())) {
    if (order == Order::by_dimension)
      for (std::size_t d = network.dimensions(); d-- > 0;)
        for (std::uint64_t step = 0; step < network.alpha().diameter(); ++step)
          rounds_.push_back({.dimension = static_cast<std::uint32_t>(d), .begins = step == 0});
  }

  /// Bytes of this plan, shared by all nodes, and of the tree while it is made.
  [[nodiscard]] static std::uint64_t bytes(const EisensteinJacobiNetwork& network, Order order) {
    return EisensteinJacobiTree::bytes(network.alpha()) +
           EjPlaces::bytes(network, sizeof child_masks_[0]) +
           (order == Order::by_dimension ? network.diameter() * sizeof(StepOfRound) : 0);
  }

  [[nodiscard]] std::vector<NodeId> starts() const { return {root_}; }
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1}; }
  [[nodiscard]] std::uint64_t step_count() const noexcept { return steps_; }

  void operator()(auto& here) const {
    const bool news = takes_root_block(here, root_);
    if (here.last_call()) return;
    if (order_ == Order::by_dimension) return send_in_round(here, news);
    if (!news) return;
    const EjPlaces::Place place = places_.of(here.node());
    send_in_dimensions(here, 0, place.dimension);
    send_to_children(here, place.dimension, child_masks_[place.entry]);
  }

 private:
  struct StepOfRound {
    std::uint32_t dimension;  ///< counted from 0
    bool begins;              ///< the round's first step
  };

  void send_in_round(auto& here, bool news) const {
    const EjPlaces::Place place = places_.of(here.node());
    const StepOfRound now = rounds_[here.step()];
    if (now.begins && now.dimension < place.dimension)
      send_in_dimensions(here, now.dimension, now.dimension + 1);
    if (news) send_to_children(here, place.dimension, child_masks_[place.entry]);
    // This node is a root in a later round.
    if (now.dimension > 0 && place.dimension > 0) here.stay_active();
  }

  NodeId root_;
  Order order_;
  std::uint64_t steps_;
  EjPlaces places_;
  std::vector<std::uint8_t> child_masks_;  // by place
  std::vector<StepOfRound> rounds_;        // by step; Order::by_dimension only
};

template <EjTreeBroadcast::Order order>
class EjTreeAlgorithm final : public RootBroadcast {
  static constexpr bool at_once = order == EjTreeBroadcast::Order::all_dimensions;

 public:
  using Program = EjTreeBroadcast;
  static constexpr AlgorithmInfo info{
      .name = at_once ? "improved" : "iterative",
      .operation = Operation::broadcast,
      .model = port_models::all_port_half_duplex,
      .source = at_once ? "Hussain, section 4.1, algorithms 1 and 2"
                        : "Hussain, section 3, the previous algorithm",
      .startups = "D",
      .message_times = "D",
      .summary = at_once ? "all dimensions at once; reaches each node in the step of its distance"
                         : "one dimension after the other, the last one first; informed nodes "
                           "start each round",
      .parameters = root_parameters};

  /// Throws InvalidParameter where the network has no such root, or one dimension of it too many
  /// nodes for a tree.
  EjTreeAlgorithm(const EisensteinJacobiNetwork& network, const Settings& settings)
      : RootBroadcast(info.name, network, settings) {
    EisensteinJacobiTree::check_size(network.alpha());
    set_plan(network.diameter(), Program::bytes(network, order));
  }

  [[nodiscard]] Program program() const { return {network(), root(), order}; }
};

using EjImproved = EjTreeAlgorithm<EjTreeBroadcast::Order::all_dimensions>;
using EjIterative = EjTreeAlgorithm<EjTreeBroadcast::Order::by_dimension>;

}  // namespace lockstep
