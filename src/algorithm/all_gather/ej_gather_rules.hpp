// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gather in EJ_alpha^(n): the improved broadcast from all processors at once.
/// Model:   simultaneous: all-port, full-duplex; two-substep: all-port, half-duplex.
/// Idea:    a block goes through the dimensions from the highest to the lowest, in each along the
///          tree of one dimension, so that it comes in as many steps as its source is away. Blocks
///          that want one link in one step are one message. two-substep cuts every step in two:
///          first ports +1, rho, -rho^2 of all dimensions, then the opposite ones; what comes in
///          the first half waits for the next step.
/// Cost:    simultaneous: nD start-ups; for b = a + 1, D(D+1)/2 N^(n-1) message times. two-substep:
///          2nD steps and, for b = a + 1, twice the message times: for n = 1 the least there is on
///          half-duplex links, a third less than in three phases. (A half in which nothing moves is
///          no start-up: where few residues have the largest weight. Other alphas load the ports
///          unequally and may take less than twice.)
/// Source:  this library, after Z. Hussain, "An improved one-to-all broadcasting in higher
///          dimensional Eisenstein-Jacobi networks", 2018, section 4.1, algorithms 1 and 2.
/// Differs: section 4.2 of the paper has it that on half-duplex links not all can broadcast at
///          once, and takes three phases for it; two halves are enough. Algorithm 1 is corrected
///          as in the broadcast. tests/papers/ej_all_gather_test.cpp.

#include <memory>
#include <optional>

#include "algorithm/all_gather/ej_gather.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"

namespace lockstep {

/// Of part r: dimension r + 1 is the last one.
[[nodiscard]] EjLastHops ej_simultaneous_hops(const EisensteinJacobiTree& tree, std::size_t n);

namespace ej_gather_rules {

inline constexpr EjGatherRule simultaneous{
    .info = {.name = "simultaneous",
             .operation = Operation::all_gather,
             .model = port_models::all_port,
             .source = "Lockstep, after Hussain, section 4.1",
             .costs = "nM start-ups; message times: sum of the largest loads",
             .summary = "the improved broadcast from all processors at once"},
    .loads = ej_simultaneous_loads,
    .last_hops = ej_simultaneous_hops};
inline constexpr EjGatherRule two_substep{
    .info = {.name = "two-substep",
             .operation = Operation::all_gather,
             .model = port_models::all_port_half_duplex,
             .source = "Lockstep, after Hussain, section 4",
             .costs = "2nM start-ups; message times: sum of the largest loads",
             .summary =
                 "the improved broadcast from all processors at once, each step in two halves"},
    .loads = ej_simultaneous_loads,
    .last_hops = ej_simultaneous_hops,
    .in_substeps = true};

}  // namespace ej_gather_rules

using EjSimultaneous = EjGather<ej_gather_rules::simultaneous>;
using EjTwoSubstep = EjGather<ej_gather_rules::two_substep>;

/// All-gather in EJ_alpha^(n) with blocks cut in n parts: all ports are loaded alike.
/// Model:   rotated: all-port, half-duplex; simultaneous-rotated: all-port, full-duplex.
/// Idea:    as two-substep (simultaneous), but part r = 0..n-1 of a block goes through the
///          dimensions in the order r, r - 1, .., 1, n, .., r + 1. So every dimension is the last
///          one, which carries most, for one part in n.
/// Cost:    rotated: 2nD steps and, for b = a + 1, (N^n - 1)/(3n) message times: no all-gather on
///          half-duplex links takes less. simultaneous-rotated: nD steps and, for b = a + 1, half
///          of the message times. Counted in parts of ceil(bytes/n) bytes, n of them a message
///          time.
/// Source:  this library, after Z. Hussain, "An improved one-to-all broadcasting in higher
///          dimensional Eisenstein-Jacobi networks", 2018, section 4.1.
/// Differs: not in the paper; tests/papers/ej_all_gather_test.cpp.

namespace ej_gather_rules {

/// The parts of all blocks fill the ports where the network has all nodes up to its diameter.
inline constexpr Claims dense_networks{
    .message_times = Among::all,
    .where = "for b = a + 1",
    .holds = [](const ErasedTopology& network, const Settings&) {
      const auto* const ej = network.as<EisensteinJacobiNetwork>();
      return ej != nullptr && ej->alpha().b() == ej->alpha().a() + 1;
    }};

inline constexpr EjGatherRule rotated{
    .info = {.name = "rotated",
             .operation = Operation::all_gather,
             .model = port_models::all_port_half_duplex,
             .source = "Lockstep, after Hussain, section 4",
             .costs = "2nM start-ups; for b = a + 1 (N^n - 1)/(3n) message times",
             .claims = dense_networks,
             .summary = "two-substep with blocks in n parts and rotated dimensions, "
                        "which balances the ports"},
    .loads = ej_rotated_loads,
    .last_hops = ej_simultaneous_hops,
    .in_parts = true,
    .in_substeps = true};
inline constexpr EjGatherRule simultaneous_rotated{
    .info = {.name = "simultaneous-rotated",
             .operation = Operation::all_gather,
             .model = port_models::all_port,
             .source = "Lockstep, after Hussain, section 4.1",
             .costs = "nM start-ups; for b = a + 1 (N^n - 1)/(6n) message times",
             .claims = dense_networks,
             .summary = "broadcasts from all processors at once, blocks in n parts, "
                        "rotated dimensions"},
    .loads = ej_rotated_loads,
    .last_hops = ej_simultaneous_hops,
    .in_parts = true};

}  // namespace ej_gather_rules

using EjRotated = EjGather<ej_gather_rules::rotated>;
using EjSimultaneousRotated = EjGather<ej_gather_rules::simultaneous_rotated>;

/// All-gather in EJ_alpha^(n) in three phases, as the paper has it: complete for n = 1 alone.
/// Model:   all-port, half-duplex.
/// Idea:    phase p = 1, 2, 3 is the improved broadcast of every processor's own block, in all
///          dimensions at once, along the tree of two sectors: 6 and 1, 2 and 3, 4 and 5. The ports
///          that send in a phase are not those that receive, so no link is used both ways.
/// Cost:    3nD start-ups, D(D+1)/2 * 3 ((N+2)/3)^(n-1) message times for b = a + 1; in general n
///          (D1 + D2 + D3) start-ups, Dp the largest weight in the sectors of phase p. For n >= 2 a
///          block comes only where all coordinates of the displacement are in sectors of one phase:
///          3 (((N+2)/3)^n - 1) of N^n - 1 blocks, for EJ_(3+4rho)^(2) 504 of 1368.
/// Source:  Z. Hussain, "An improved one-to-all broadcasting in higher dimensional
///          Eisenstein-Jacobi networks", 2018, section 4.2, algorithms 3 and 4.
/// Differs: algorithm 4 lets every packet of the last step start the next phase, with the message
///          it carries, and no processor sends its own again; here, as the text means it, every
///          processor begins each phase once, with its own block. Messages that want one link in
///          one step are combined: with one message per link and step, 3nD steps are not enough.
///          The paper claims that all blocks arrive; EJ_(1+2rho)^(2), (0, 0) -> (+1, -1) does not.
///          Other alphas: not in the paper; a residue is in the sector of its tree. Each is a test
///          of tests/papers/ej_all_gather_test.cpp.
[[nodiscard]] EjLastHops ej_three_phase_hops(const EisensteinJacobiTree& tree, std::size_t n);

namespace ej_gather_rules {

inline constexpr EjGatherRule three_phase{
    .info = {.name = "three-phase",
             .operation = Operation::all_gather,
             .model = port_models::all_port_half_duplex,
             .source = "Hussain, section 4.2, algorithms 3 and 4",
             .costs = "3nM start-ups for b = a + 1; message times: sum of the largest loads",
             .summary = "as printed: three phases of two sectors; loses blocks in 2 or more "
                        "dimensions"},
    .loads = [](const EisensteinJacobiTree& tree,
                std::size_t n) { return ej_three_phase_loads(tree, n, EjRelaunch::own_block); },
    .last_hops = ej_three_phase_hops,
    .phases = ej_three_phases};

}  // namespace ej_gather_rules

using EjThreePhase = EjGather<ej_gather_rules::three_phase>;

/// All-gather in EJ_alpha^(n) in three phases, made complete.
/// Model:   all-port, half-duplex.
/// Idea:    as three-phase, but when a phase begins every processor sends all blocks it holds, its
///          own and those that came, each in the dimensions in which its displacement is 0; what
///          comes through dimension d goes on along the tree there, and anew into those dimensions
///          below d in which its displacement is 0. So a displacement is walked phase by phase, in
///          each from high dimensions to low ones: every block comes once.
/// Cost:    n (D1 + D2 + D3) start-ups, Dp the largest weight in the sectors of phase p. For b = a
///          + 1: 3nD, and with K = (N-1)/3 D(D+1)/2 ((1+K)^(n-1) + (1+2K)^(n-1) + N^(n-1)) message
///          times.
/// Source:  this library, after Z. Hussain, "An improved one-to-all broadcasting in higher
///          dimensional Eisenstein-Jacobi networks", 2018, section 4.2, whose algorithms 3 and 4
///          leave blocks out for n >= 2.
/// Differs: it does what the paper claims, for every alpha; tests/papers/ej_all_gather_test.cpp.
[[nodiscard]] EjLastHops ej_three_phase_complete_hops(const EisensteinJacobiTree& tree,
                                                      std::size_t n);

namespace ej_gather_rules {

inline constexpr EjGatherRule three_phase_complete{
    .info = {.name = "three-phase-complete",
             .operation = Operation::all_gather,
             .model = port_models::all_port_half_duplex,
             .source = "Lockstep, after Hussain, section 4",
             .costs = "3nM start-ups for b = a + 1; message times: sum of the largest loads",
             .summary =
                 "three phases of two sectors; each phase starts with all blocks held so far"},
    .loads = [](const EisensteinJacobiTree& tree,
                std::size_t n) { return ej_three_phase_loads(tree, n, EjRelaunch::all_blocks); },
    .last_hops = ej_three_phase_complete_hops,
    .phases = ej_three_phases};

}  // namespace ej_gather_rules

using EjThreePhaseComplete = EjGather<ej_gather_rules::three_phase_complete>;

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
template <Duplex duplex>
class EjGreedy final : public Algorithm {
 public:
  using TopologyType = EisensteinJacobiNetwork;
  static constexpr bool full = duplex == Duplex::full;
  static constexpr AlgorithmInfo info{
      .name = full ? "greedy" : "greedy-half-duplex",
      .operation = Operation::all_gather,
      .model = full ? port_models::all_port : port_models::all_port_half_duplex,
      .source = "Lockstep, for Eisenstein-Jacobi networks",
      .costs = full ? "(N^n - 1)/(6n) start-ups and message times, rounded up, in all tested cases"
                    : "(N^n - 1)/(3n) start-ups and message times, rounded up, in all tested cases",
      .summary = full ? "one block per message, by a matching of ports and displacements"
                      : "one block per message, by a matching of links and displacements",
      .promise_name = "plan"};

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

}  // namespace lockstep
