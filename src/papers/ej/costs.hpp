// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The cost of broadcasts over EJ_alpha^(n), and the least cost of all-gathers and total exchanges,
/// in closed form: for any alpha = a + b rho and networks far beyond those that can be run (1+2rho
/// in 12 dimensions: 13.8 billion nodes). One dimension is enough to know: how its residues are
/// spread over distances and leaves of the broadcast tree. What all-gathers cost is what they
/// promise: lockstep/algorithm/all_gather/ej_gather_loads.hpp.
///
///     const auto one = ej_costs::one_dimension(EisensteinJacobiTree(EisensteinJacobi{3, 4}));
///     ej_costs::broadcast_senders(one, 6, ej_costs::Broadcast::improved);      // 1'317'535'183
///     ej_costs::average_receive_step(one, 3, ej_costs::Broadcast::improved);   // 1369/201
///
/// All exact; InvalidParameter where n is 0 or a figure has more than 64 bits. Steps count from 1.
///
/// Source: Z. Hussain, "An improved one-to-all broadcasting in higher dimensional Eisenstein-Jacobi
/// networks", 2018, section 5; what it does not give: generating functions over the weights.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lockstep/core/fraction.hpp"

namespace lockstep {
class EisensteinJacobiTree;
}  // namespace lockstep

namespace lockstep::ej_costs {

/// Entry w: a count of residues of weight w.
using Counts = std::vector<std::uint64_t>;

struct OneDimension {
  Counts level_sizes;  ///< by weight
  Counts leaves;       ///< residues without children, by weight

  [[nodiscard]] std::uint64_t node_count() const;
  /// The number of nodes in n dimensions.
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
/// The senders of all steps; the iterative algorithm counts a node once for every round in which it
/// sends.
[[nodiscard]] std::uint64_t broadcast_senders(const OneDimension& one, std::size_t n,
                                              Broadcast algorithm);
/// Over all nodes but the source.
[[nodiscard]] Fraction average_receive_step(const OneDimension& one, std::size_t n,
                                            Broadcast algorithm);

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
