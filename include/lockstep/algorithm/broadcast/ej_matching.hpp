// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Single node broadcast in EJ_alpha^(n) by maximum matchings.
/// Model:   single-port, half-duplex.
/// Idea:    in every step as many as possible of those who have the block inform a neighbour that
///          has not: a maximum matching. Of all maximum matchings it takes one that informs those
///          with the most uninformed neighbours, and among these, whose uninformed neighbours have
///          the most. Computed for root 0 and moved to the root by the group.
/// Cost:    computed with the plan: 6 start-ups in EJ_(3+4rho), 11 in its square, both the least
///          there can be; N^n - 1 messages of one block.
/// Source:  this library, after the model of the Eisenstein-Jacobi paper (Hussain 2018).
/// Differs: nothing to differ from; tests/papers/ej_single_port_broadcast_test.cpp.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lockstep/algorithm/broadcast/root_block.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/eisenstein_jacobi_network.hpp"

namespace lockstep {

class EjMatching final : public RootBroadcast<EisensteinJacobiNetwork> {
 public:
  static constexpr AlgorithmInfo info{
      .name = "matching",
      .operation = Operation::broadcast,
      .model = port_models::single_port_half_duplex,
      .source = "this library, in the model of Hussain",
      .summary = "a maximum matching from those who know to those who do not, in every step",
      .parameters = root_parameters};
  static constexpr std::uint64_t max_nodes = std::uint64_t{1} << 20;

  /// Who sends when through which port, for root 0.
  class Plan {
   public:
    struct Send {
      std::uint16_t step;
      Port port;
    };

    explicit Plan(const EisensteinJacobiNetwork& network);

    [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
    /// In the order of their steps.
    [[nodiscard]] std::span<const Send> sends_of(NodeId u) const noexcept {
      return {sends_.data() + first_[index(u)], sends_.data() + first_[index(u) + 1]};
    }
    [[nodiscard]] static std::uint64_t bytes(std::uint64_t nodes) noexcept {
      return (nodes - 1) * sizeof(Send) + (nodes + 1) * sizeof(std::uint32_t);
    }

   private:
    std::uint64_t steps_ = 0;
    std::vector<Send> sends_;           // node by node
    std::vector<std::uint32_t> first_;  // of a node; one more at the end
  };

  class Program {
   public:
    struct Memory {
      std::uint16_t sent = 0;  ///< messages
    };
    static constexpr Activity activity = Activity::sparse;
    static constexpr bool receives_once = true;

    Program(const EisensteinJacobiNetwork& network, NodeId root, std::shared_ptr<const Plan> plan)
        : network_(network), root_(root), to_plan_(network.inverse(root)), plan_(std::move(plan)) {}

    [[nodiscard]] std::vector<NodeId> starts() const { return {root_}; }
    [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1}; }
    [[nodiscard]] std::uint64_t step_count() const noexcept { return plan_->steps(); }

    template <class StepView>
    void operator()(StepView& here) const {
      std::uint16_t& sent = here.memory().sent;
      if (takes_root_block(here, root_)) sent = 0;
      if (here.last_call()) return;
      const std::span<const Plan::Send> sends =
          plan_->sends_of(network_.product(here.node(), to_plan_));
      if (sent == sends.size()) return;
      if (sends[sent].step == here.step()) here.send(sends[sent++].port, root_block);
      if (sent < sends.size()) here.stay_active();
    }

   private:
    EisensteinJacobiNetwork network_;
    NodeId root_;
    NodeId to_plan_;  // added to a node: where it is in the plan
    std::shared_ptr<const Plan> plan_;
  };

  /// Finds the plan: a second for a million nodes. Throws InvalidParameter where there are more, or
  /// no such root.
  EjMatching(const EisensteinJacobiNetwork& network, const Settings& settings);

  [[nodiscard]] Program program() const { return {network(), root(), plan_}; }

 private:
  std::shared_ptr<const Plan> plan_;
};

static_assert(AlgorithmClass<EjMatching>);

}  // namespace lockstep
