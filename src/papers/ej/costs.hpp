// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What broadcasts, all-gathers and total exchanges over EJ_alpha^(n) cost, in closed form: for any
/// alpha = a + b rho and networks far beyond those that can be run (1+2rho in 12 dimensions: 13.8
/// billion nodes). One dimension is enough to know: how its residues are spread over distances,
/// leaves of the broadcast tree and sectors.
///
///     const auto one = ej_costs::one_dimension(EisensteinJacobiTree(EisensteinJacobi{3, 4}));
///     ej_costs::broadcast_senders(one, 6, ej_costs::Broadcast::improved);      // 1'317'535'183
///     ej_costs::average_receive_step(one, 3, ej_costs::Broadcast::improved);   // 1369/201
///     ej_costs::all_gather(one, 2, ej_costs::AllGather::two_substep);          // {12, 444}
///
/// All exact; InvalidParameter where n is 0 or a figure has more than 64 bits. Steps count from 1.
///
/// Source: Z. Hussain, "An improved one-to-all broadcasting in higher dimensional Eisenstein-Jacobi
/// networks", 2018, section 5; what it does not give: generating functions over the weights.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lockstep/core/fraction.hpp"
#include "lockstep/program/algorithm.hpp"

namespace lockstep {
class EisensteinJacobiTree;
}  // namespace lockstep

namespace lockstep::ej_costs {

/// Entry w: a count of residues of weight w, or of messages in step w + 1.
using Counts = std::vector<std::uint64_t>;

struct OneDimension {
  /// Residues of a sector whose last hop on the tree is through its major or its minor port.
  struct Sector {
    Counts major;
    Counts minor;
  };

  Counts level_sizes;             ///< by weight
  Counts leaves;                  ///< residues without children, by weight
  std::array<Sector, 6> sectors;  ///< sector j is entry j - 1: major port j mod 6, minor port j - 1

  [[nodiscard]] std::uint64_t node_count() const;
  /// Of n dimensions.
  [[nodiscard]] std::uint64_t node_count(std::size_t n) const;
  [[nodiscard]] std::uint64_t diameter() const { return level_sizes.size() - 1; }
  [[nodiscard]] std::uint64_t sum_of_weights() const;
};

[[nodiscard]] OneDimension one_dimension(const EisensteinJacobiTree& tree);

// Broadcast, eq. (5) to (10) and what they lead to.

enum class Broadcast { iterative, improved };

struct BroadcastStep {
  std::uint64_t senders = 0;
  std::uint64_t receivers = 0;
  std::uint64_t active = 0;  ///< nobody does both in one step
  std::uint64_t free = 0;

  friend bool operator==(const BroadcastStep&, const BroadcastStep&) = default;
};

[[nodiscard]] std::vector<BroadcastStep> broadcast_steps(const OneDimension& one, std::size_t n,
                                                         Broadcast algorithm);
/// Of all steps; the iterative algorithm counts a node once for every round in which it sends.
[[nodiscard]] std::uint64_t broadcast_senders(const OneDimension& one, std::size_t n,
                                              Broadcast algorithm);
/// Over all nodes but the source.
[[nodiscard]] Fraction average_receive_step(const OneDimension& one, std::size_t n,
                                            Broadcast algorithm);

// All-gather: messages on every link; nodes do not differ. Derived apart from what the algorithms
// promise (algorithm/all_gather/ej_gather.hpp): tests/papers/ej_costs_test.cpp holds the two
// together.

enum class AllGather {
  full_duplex,           ///< all improved broadcasts at once
  two_substep,           ///< the same, a step cut in two: ports 0, 1, 5, then 2, 3, 4
  rotated_parts,         ///< full duplex, messages cut in n parts of rotated dimension orders
  three_phase,           ///< as the paper has it: incomplete for n >= 2
  three_phase_complete,  ///< every message held is launched again in every phase
};

/// Messages (of rotated_parts: parts) of a phase by link, entry 6 d + p: port p of dimension d;
/// then by step, which stands for both halves in two_substep.
using PhaseLoads = std::vector<Counts>;
/// Three phases for the three-phase ones, else one.
[[nodiscard]] std::vector<PhaseLoads> link_loads(const OneDimension& one, std::size_t n,
                                                 AllGather algorithm);
/// The most on any link, step by step through all phases.
[[nodiscard]] Counts largest_loads(const OneDimension& one, std::size_t n, AllGather algorithm);
/// Steps in which anything moves, and the sum of their largest loads (in messages; of
/// rotated_parts: in parts).
[[nodiscard]] Promise all_gather(const OneDimension& one, std::size_t n, AllGather algorithm);
/// Messages that reach a node: N^n - 1, but fewer in three_phase.
[[nodiscard]] std::uint64_t messages_received(const OneDimension& one, std::size_t n,
                                              AllGather algorithm);

/// Least numbers of steps with one message per link and step.
struct LeastSteps {
  std::uint64_t single_port = 0;  ///< one send and one reception of a node
  std::uint64_t full_duplex = 0;  ///< all ports
  std::uint64_t half_duplex = 0;  ///< all ports

  friend bool operator==(const LeastSteps&, const LeastSteps&) = default;
};

[[nodiscard]] LeastSteps least_all_gather_steps(const OneDimension& one, std::size_t n);
/// From the sum of the distances of all nodes from one.
[[nodiscard]] LeastSteps least_total_exchange_steps(const OneDimension& one, std::size_t n);

}  // namespace lockstep::ej_costs
