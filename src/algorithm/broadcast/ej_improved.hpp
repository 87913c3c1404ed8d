// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Single node broadcast (one-to-all) in EJ_alpha^(n), every dimension at once.
/// Model:   all-port, half-duplex.
/// Idea:    who received the block through dimension d passes it on along the tree of one dimension
///          there, and in the same step starts that tree in every lower dimension. Nobody sends in
///          more than one step, and everybody is reached in as many steps as the root is away.
/// Cost:    n D start-ups and message times, D = floor((a + 2b) / 3); N^n - 1 messages; n D is the
///          diameter, so no broadcast takes fewer steps.
/// Source:  Z. Hussain, "An improved one-to-all broadcasting in higher dimensional
///          Eisenstein-Jacobi networks", 2018, section 4.1, Algorithms 1 and 2.
/// Differs: any 0 <= a <= b, not b = a + 1 alone: a processor goes by its displacement from the
///          root, not by the two counters of a packet, and the tree is topology/
///          eisenstein_jacobi_tree.hpp, for b = a + 1 the paper's. Algorithm 1, S4, prints the
///          major direction -rho^2 for -rho and so loses nodes; the tests x > 0, y > 0, dimension >
///          1 of Algorithm 2 stand side by side, none within another; `step` is the step in which
///          the receiver sends, and its guard never stops a send. tests/papers/
///          ej_sector_packets_test.cpp runs the paper's packets, as printed and mended.
/// Program: not a schedule, since computed from the address: there are runs of billions of nodes.

#include <cstdint>
#include <vector>

#include "algorithm/broadcast/ej_places.hpp"
#include "algorithm/broadcast/root_block.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/eisenstein_jacobi_network.hpp"

namespace lockstep {

class EjImproved final : public RootBroadcast<EisensteinJacobiNetwork> {
 public:
  static constexpr AlgorithmInfo info{
      .name = "improved",
      .operation = Operation::broadcast,
      .model = port_models::all_port_half_duplex,
      .source = "Hussain, section 4.1, algorithms 1 and 2",
      .costs = "nM (the diameter) start-ups and message times",
      .summary = "all dimensions at once; reaches each node in the step of its distance",
      .parameters = root_parameters};

  class Program {
   public:
    using Memory = NoMemory;
    static constexpr Activity activity = Activity::sparse;
    static constexpr bool receives_once = true;

    Program(const EisensteinJacobiNetwork& network, NodeId root)
        : root_(root),
          steps_(network.diameter()),
          places_(network, root),
          child_masks_(child_masks(places_, network.alpha())) {}

    [[nodiscard]] std::vector<NodeId> starts() const { return {root_}; }
    [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1}; }
    [[nodiscard]] std::uint64_t step_count() const noexcept { return steps_; }

    template <class StepView>
    void operator()(StepView& here) const {
      if (!takes_root_block(here, root_) || here.last_call()) return;
      const EjPlaces::Place place = places_.of(here.node());
      send_in_dimensions(here, 0, place.dimension);
      send_to_children(here, place.dimension, child_masks_[place.entry]);
    }

   private:
    NodeId root_;
    std::uint64_t steps_;
    EjPlaces places_;
    std::vector<std::uint8_t> child_masks_;  // by place
  };

  /// Throws InvalidParameter where the network has no such root, or one dimension of it too many
  /// nodes for a tree.
  EjImproved(const EisensteinJacobiNetwork& network, const Settings& settings)
      : RootBroadcast(info.name, network, settings) {
    EisensteinJacobiTree::check_size(network.alpha());
    set_plan(network.diameter(), EisensteinJacobiTree::bytes(network.alpha()) +  // while it is made
                                     EjPlaces::entry_count(network.alpha(), network.dimensions()) +
                                     network.dimensions() * sizeof(std::uint64_t));
  }

  [[nodiscard]] Program program() const { return {network(), root()}; }
};

static_assert(AlgorithmClass<EjImproved>);

}  // namespace lockstep
