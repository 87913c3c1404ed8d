// SPDX-License-Identifier: Apache-2.0
#include "papers/ej/costs.hpp"

#include <limits>

#include "lockstep/core/errors.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"

namespace lockstep::ej_costs {
namespace {

// Counts that know when they do not fit 64 bits (InvalidParameter), and generating functions of
// them: entry w is the coefficient of z^w.
[[nodiscard]] std::uint64_t narrow(WideCount value) {
  if (value > std::numeric_limits<std::uint64_t>::max())
    throw InvalidParameter("a count of more than 64 bits; allowed: up to 2^64 - 1");
  return static_cast<std::uint64_t>(value);
}

[[nodiscard]] std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return narrow(WideCount{a} * b);
}

[[nodiscard]] std::uint64_t sum(const Counts& counts) {
  WideCount total = 0;
  for (const std::uint64_t count : counts) total += count;
  return narrow(total);
}

[[nodiscard]] Counts operator*(const Counts& p, const Counts& q) {
  if (p.empty() || q.empty()) return {};
  Counts result(p.size() + q.size() - 1);
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = 0; j < q.size(); ++j)
      result[i + j] = narrow(WideCount{result[i + j]} + product(p[i], q[j]));
  return result;
}

[[nodiscard]] Counts power(const Counts& p, std::size_t exponent) {
  Counts result{1};
  for (std::size_t i = 0; i < exponent; ++i) result = result * p;
  return result;
}

[[nodiscard]] std::uint64_t power(std::uint64_t base, std::size_t exponent) {
  return power(Counts{base}, exponent)[0];
}

[[nodiscard]] BroadcastStep step_of(std::uint64_t senders, std::uint64_t receivers,
                                    std::uint64_t nodes) {
  return {senders, receivers, senders + receivers, nodes - senders - receivers};
}

/// Eq. (5) and (6): round r has N^(r-1) roots, and each step works as in one dimension.
[[nodiscard]] std::vector<BroadcastStep> iterative_steps(const OneDimension& one, std::size_t n) {
  const std::uint64_t nodes = one.node_count(n);
  std::vector<BroadcastStep> steps;
  for (std::uint64_t roots = 1; roots < nodes; roots *= one.node_count()) {
    for (std::size_t d = 1; d <= one.diameter(); ++d)
      steps.push_back(step_of((one.level_sizes[d - 1] - one.leaves[d - 1]) * roots,
                              one.level_sizes[d] * roots, nodes));
  }
  return steps;
}

/// Eq. (7) to (10) as generating functions: who is i hops away receives in step i, and sends in
/// the next unless its place in dimension 1 is a leaf's.
[[nodiscard]] std::vector<BroadcastStep> improved_steps(const OneDimension& one, std::size_t n) {
  const std::uint64_t nodes = one.node_count(n);
  const Counts above = power(one.level_sizes, n - 1);
  const Counts levels = one.level_sizes * above;
  const Counts idle = one.leaves * above;
  std::vector<BroadcastStep> steps;
  for (std::size_t i = 1; i < levels.size(); ++i)
    steps.push_back(step_of(levels[i - 1] - idle[i - 1], levels[i], nodes));
  return steps;
}

/// So many hops, or receptions, of every node.
[[nodiscard]] LeastSteps least_steps(std::uint64_t amount, std::size_t n) {
  const auto shared_by = [&](std::uint64_t links) {
    return amount / links + (amount % links == 0 ? 0 : 1);
  };
  return {amount, shared_by(6 * n), shared_by(3 * n)};
}

/// The sum over all nodes of their distances from one, in n dimensions.
[[nodiscard]] std::uint64_t sum_of_distances(const OneDimension& one, std::size_t n) {
  return product(product(n, one.node_count(n) / one.node_count()), one.sum_of_weights());
}

}  // namespace

std::uint64_t OneDimension::node_count() const { return sum(level_sizes); }

std::uint64_t OneDimension::node_count(std::size_t n) const {
  if (n == 0) throw InvalidParameter("Eisenstein-Jacobi costs: 0 dimensions; allowed: 1 or more");
  return power(node_count(), n);
}

std::uint64_t OneDimension::sum_of_weights() const {
  std::uint64_t sum = 0;
  for (std::size_t w = 0; w < level_sizes.size(); ++w)
    sum = narrow(WideCount{sum} + product(level_sizes[w], w));
  return sum;
}

OneDimension one_dimension(const EisensteinJacobiTree& tree) {
  const Counts none(tree.depth() + 1);
  OneDimension one{none, none};
  for (std::uint64_t u = 0; u < tree.node_count(); ++u) {
    const std::size_t weight = tree.weight(NodeId{u});
    ++one.level_sizes[weight];
    if (tree.is_leaf(NodeId{u})) ++one.leaves[weight];
  }
  return one;
}

std::vector<BroadcastStep> broadcast_steps(const OneDimension& one, std::size_t n,
                                           Broadcast algorithm) {
  return algorithm == Broadcast::iterative ? iterative_steps(one, n) : improved_steps(one, n);
}

std::uint64_t broadcast_senders(const OneDimension& one, std::size_t n, Broadcast algorithm) {
  const std::uint64_t nodes = one.node_count(n);
  const std::uint64_t inner = one.node_count() - sum(one.leaves);
  return product(inner, algorithm == Broadcast::improved ? nodes / one.node_count()
                                                         : (nodes - 1) / (one.node_count() - 1));
}

Fraction average_receive_step(const OneDimension& one, std::size_t n, Broadcast algorithm) {
  const std::uint64_t nodes = one.node_count(n);
  if (algorithm == Broadcast::improved) return {sum_of_distances(one, n), nodes - 1};
  std::uint64_t sum = 0;
  std::uint64_t before = 0;  // steps of earlier rounds, of all receivers of a root
  for (std::uint64_t roots = 1; roots < nodes; roots *= one.node_count()) {
    const std::uint64_t steps = narrow(WideCount{before} + one.sum_of_weights());
    sum = narrow(WideCount{sum} + product(roots, steps));
    before = narrow(WideCount{before} + product(one.diameter(), one.node_count() - 1));
  }
  return {sum, nodes - 1};
}

LeastSteps least_all_gather_steps(const OneDimension& one, std::size_t n) {
  return least_steps(one.node_count(n) - 1, n);
}

LeastSteps least_total_exchange_steps(const OneDimension& one, std::size_t n) {
  return least_steps(sum_of_distances(one, n), n);
}

}  // namespace lockstep::ej_costs
