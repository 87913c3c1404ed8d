// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gather in EJ_alpha^(n) with one block per message, by matching.
/// Model:   greedy: all-port, full-duplex; greedy-half-duplex: all-port, half-duplex.
/// Idea:    in every step each port - on half-duplex links each pair of opposite ports - brings the
///          blocks of all sources to one displacement they have not reached, from one that they
///          reached before. Which ones is a maximum matching, the ports with the fewest
///          displacements to choose from served first, of these the one that could be reached
///          first.
/// Cost:    as many start-ups and message times as the matching takes: ceil((N^n - 1)/(6n)), on
///          half-duplex links ceil((N^n - 1)/(3n)), the least there can be, in every network tried
///          (b <= 25 in one dimension, 1+2rho .. 2+3rho in up to five); not proved.
/// Source:  this library; nothing of the kind is in Z. Hussain, "An improved one-to-all
///          broadcasting in higher dimensional Eisenstein-Jacobi networks", 2018.
/// Differs: the paper counts steps of three phases as if a link took several messages at once;
///          tests/papers/ej_all_gather_test.cpp.

#include <memory>
#include <optional>

#include "algorithm/all_gather/ej_gather_plan.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/node_invariant.hpp"

namespace lockstep {

template <Duplex duplex>
class EjGreedy final : public Algorithm {
 public:
  using TopologyType = EisensteinJacobiNetwork;
  static constexpr AlgorithmInfo info =
      duplex == Duplex::full
          ? AlgorithmInfo{.name = "greedy",
                          .operation = Operation::all_gather,
                          .model = port_models::all_port,
                          .source = "this library, for Eisenstein-Jacobi networks",
                          .costs =
                              "(N^n - 1)/(6n) start-ups and message times, rounded up, in all "
                              "tested cases",
                          .summary =
                              "one block per message, by a matching of ports and displacements"}
          : AlgorithmInfo{
                .name = "greedy-half-duplex",
                .operation = Operation::all_gather,
                .model = port_models::all_port_half_duplex,
                .source = "this library, for Eisenstein-Jacobi networks",
                .costs =
                    "(N^n - 1)/(3n) start-ups and message times, rounded up, in all tested cases",
                .summary =
                    "one block per message, by a matching of links and "
                    "displacements"};

  /// Computes the matchings. Throws InvalidParameter where all blocks do not fit the memory of a
  /// processor.
  explicit EjGreedy(const EisensteinJacobiNetwork& network, const Settings& = {});

  [[nodiscard]] std::optional<Cost> promise() const override {
    return Cost{plan_->step_count(), plan_->step_count()};
  }
  [[nodiscard]] Footprint footprint() const override;
  [[nodiscard]] const EjGatherPlan& plan() const noexcept { return *plan_; }
  [[nodiscard]] NodeInvariantProgram program() const {
    return {plan_->network(), plan_->schedule()};
  }

 private:
  std::shared_ptr<const EjGatherPlan> plan_;
};

extern template class EjGreedy<Duplex::full>;
extern template class EjGreedy<Duplex::half>;

static_assert(AlgorithmClass<EjGreedy<Duplex::full>> && AlgorithmClass<EjGreedy<Duplex::half>>);

}  // namespace lockstep
