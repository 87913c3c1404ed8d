// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Single node broadcast in EJ_alpha^(n) over the improved tree, one child after the other.
/// Model:   single-port, half-duplex.
/// Idea:    that of SinglePortTree on the tree of ej_tree_broadcasts.hpp. What a node has to do
///          depends on its place alone, so that n N lists suffice.
/// Source:  Hussain 2018, section 4.1, for the tree; the order is textbook.
/// Differs: the paper's tree is meant for all ports; with one it takes about twice as long as
///          Matching. tests/papers/ej_single_port_broadcast_test.cpp.
/// Program: not a schedule, since computed from the address and n N lists: there are runs of
///          billions of nodes.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "algorithm/broadcast/ej_places.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"

namespace lockstep {

class EjSinglePortTree final : public RootBroadcast {
 public:
  static constexpr AlgorithmInfo info{
      .name = "single-port-tree",
      .operation = Operation::broadcast,
      .model = port_models::single_port_half_duplex,
      .source = "Hussain, section 4.1, its tree under one port",
      .costs = "n times the start-ups and message times of one dimension",
      .summary = "the tree of the improved algorithm; the child with the deepest subtree first",
      .parameters = root_parameters};
  static constexpr std::uint64_t max_lists = std::uint64_t{1} << 20;

  /// The order in which the processors of every type serve their children. A type is a dimension
  /// and a displacement from the root in it (all lower dimensions: none), or the root.
  class Orders {
   public:
    explicit Orders(const EisensteinJacobiNetwork& network);

    [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
    [[nodiscard]] std::span<const Port> of(std::uint32_t type) const noexcept {
      return {ports_.data() + first_[type], ports_.data() + first_[type + 1]};
    }
    [[nodiscard]] std::uint64_t bytes() const noexcept {
      return ports_.size() * sizeof(Port) + first_.size() * sizeof(std::uint32_t);
    }

   private:
    std::uint64_t steps_ = 0;
    std::vector<Port> ports_;           // type by type
    std::vector<std::uint32_t> first_;  // of a type; one more at the end
  };

  class Program {
   public:
    struct Memory {
      std::uint16_t served = 0;  ///< children
    };
    static constexpr Activity activity = Activity::sparse;
    static constexpr Traits traits = Traits::step_count | Traits::receives_once;

    Program(const EisensteinJacobiNetwork& network, NodeId root,
            std::shared_ptr<const Orders> orders);

    [[nodiscard]] std::vector<NodeId> starts() const { return {root_}; }
    [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1}; }
    [[nodiscard]] std::uint64_t step_count() const noexcept { return orders_->steps(); }

    template <class StepView>
    void operator()(StepView& here) const {
      std::uint16_t& served = here.memory().served;
      if (takes_root_block(here, root_)) served = 0;
      if (here.last_call()) return;
      const std::span<const Port> children = orders_->of(types_[places_.of(here.node()).entry]);
      if (served == children.size()) return;
      here.send(children[served], root_block);
      if (++served < children.size()) here.stay_active();
    }

   private:
    NodeId root_;
    EjPlaces places_;
    std::shared_ptr<const Orders> orders_;
    std::vector<std::uint32_t> types_;  // by place
  };

  /// Throws InvalidParameter where the network has no such root, or n N exceeds max_lists.
  EjSinglePortTree(const EisensteinJacobiNetwork& network, const Settings& settings);

  [[nodiscard]] Program program() const { return {network(), root(), orders_}; }

 private:
  std::shared_ptr<const Orders> orders_;
};

}  // namespace lockstep
