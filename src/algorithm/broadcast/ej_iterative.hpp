// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Single node broadcast (one-to-all) in EJ_alpha^(n), one dimension after the other.
/// Model:   all-port, half-duplex.
/// Idea:    n rounds, for the dimensions n, n-1, ..., 1. In the round of dimension d everybody who
///          has the block is the root of the tree of one dimension in its own copy of EJ_alpha: D
///          steps, one per level of the tree.
/// Cost:    n D start-ups and message times, D = floor((a + 2b) / 3); N^n - 1 messages.
/// Source:  Z. Hussain, "An improved one-to-all broadcasting in higher dimensional
///          Eisenstein-Jacobi networks", 2018, section 3, "the previous algorithm", equations (5)
///          and (6).
/// Differs: any 0 <= a <= b, not b = a + 1 alone (topology/eisenstein_jacobi_tree.hpp). Those who
///          had the block before a round send again in its first step, which the text leaves out
///          and Table 1 needs. tests/papers/ej_broadcast_test.cpp.
/// Program: not a schedule, since computed from the address: there are runs of billions of nodes.

#include <cstdint>
#include <vector>

#include "algorithm/broadcast/ej_places.hpp"
#include "algorithm/broadcast/root_block.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/eisenstein_jacobi_network.hpp"

namespace lockstep {

class EjIterative final : public RootBroadcast<EisensteinJacobiNetwork> {
 public:
  static constexpr AlgorithmInfo info{
      .name = "iterative",
      .operation = Operation::broadcast,
      .model = port_models::all_port_half_duplex,
      .source = "Hussain, section 3, the previous algorithm",
      .costs = "nM (the diameter) start-ups and message times",
      .summary =
          "one dimension after the other, the last one first; informed nodes start each round",
      .parameters = root_parameters};

  class Program {
   public:
    using Memory = NoMemory;
    static constexpr Activity activity = Activity::sparse;
    static constexpr bool receives_once = true;

    Program(const EisensteinJacobiNetwork& network, NodeId root)
        : root_(root), places_(network, root), child_masks_(child_masks(places_, network.alpha())) {
      steps_.reserve(network.diameter());
      for (std::size_t d = network.dimensions(); d-- > 0;)
        for (std::uint64_t step = 0; step < network.alpha().diameter(); ++step)
          steps_.push_back({.dimension = static_cast<std::uint32_t>(d), .begins = step == 0});
    }

    [[nodiscard]] std::vector<NodeId> starts() const { return {root_}; }
    [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1}; }
    [[nodiscard]] std::uint64_t step_count() const noexcept { return steps_.size(); }

    template <class StepView>
    void operator()(StepView& here) const {
      const bool news = takes_root_block(here, root_);
      if (here.last_call()) return;
      const EjPlaces::Place place = places_.of(here.node());
      const StepOfRound now = steps_[here.step()];
      if (now.begins && now.dimension < place.dimension)
        send_in_dimensions(here, now.dimension, now.dimension + 1);
      if (news) send_to_children(here, place.dimension, child_masks_[place.entry]);
      // There is a round to come, and I shall be a root in it.
      if (now.dimension > 0 && place.dimension > 0) here.stay_active();
    }

   private:
    struct StepOfRound {
      std::uint32_t dimension;  ///< counted from 0
      bool begins;              ///< the round's first step
    };

    NodeId root_;
    EjPlaces places_;
    std::vector<std::uint8_t> child_masks_;  // by place
    std::vector<StepOfRound> steps_;

    friend class EjIterative;
  };

  /// Throws InvalidParameter where the network has no such root, or one dimension of it too many
  /// nodes for a tree.
  EjIterative(const EisensteinJacobiNetwork& network, const Settings& settings)
      : RootBroadcast(info.name, network, settings) {
    EisensteinJacobiTree::check_size(network.alpha());
    set_plan(network.diameter(), EisensteinJacobiTree::bytes(network.alpha()) +  // while it is made
                                     EjPlaces::entry_count(network.alpha(), network.dimensions()) +
                                     network.dimensions() * sizeof(std::uint64_t) +
                                     network.diameter() * sizeof(Program::StepOfRound));
  }

  [[nodiscard]] Program program() const { return {network(), root()}; }
};

static_assert(AlgorithmClass<EjIterative>);

}  // namespace lockstep
