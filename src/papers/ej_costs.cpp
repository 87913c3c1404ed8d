// SPDX-License-Identifier: Apache-2.0
#include "papers/ej_costs.hpp"

#include "lockstep/core/errors.hpp"
#include "lockstep/topology/eisenstein_jacobi_tree.hpp"
#include "papers/exact_counts.hpp"

namespace lockstep::ej_costs {
namespace {

using exact::narrow;
using exact::power;
using exact::product;

void check_dimensions(std::size_t n) {
  if (n == 0) throw InvalidParameter("Eisenstein-Jacobi costs: 0 dimensions, allowed 1 or more");
}

[[nodiscard]] std::uint64_t inner_count(const OneDimension& one) {
  return one.node_count() - exact::sum(one.leaves);
}

[[nodiscard]] BroadcastStep step_of(std::uint64_t senders, std::uint64_t receivers,
                                    std::uint64_t nodes) {
  return {senders, receivers, senders + receivers, nodes - senders - receivers};
}

/// Eq. (5) and (6): round r has N^(r-1) roots, and each step works as in one dimension.
[[nodiscard]] std::vector<BroadcastStep> iterative_steps(const OneDimension& one, std::size_t n) {
  const std::uint64_t nodes = power(one.node_count(), n);
  std::vector<BroadcastStep> steps;
  for (std::size_t r = 1; r <= n; ++r) {
    const std::uint64_t roots = power(one.node_count(), r - 1);
    for (std::size_t d = 1; d <= one.diameter(); ++d)
      steps.push_back(step_of((one.level_sizes[d - 1] - one.leaves[d - 1]) * roots,
                              one.level_sizes[d] * roots, nodes));
  }
  return steps;
}

/// Eq. (7) to (10) as generating functions: who is i hops away receives in step i, and sends in
/// the next unless its place in dimension 1 is a leaf's.
[[nodiscard]] std::vector<BroadcastStep> improved_steps(const OneDimension& one, std::size_t n) {
  using exact::operator*;
  const std::uint64_t nodes = power(one.node_count(), n);
  const Counts above = power(one.level_sizes, n - 1);
  const Counts levels = one.level_sizes * above;
  const Counts idle = one.leaves * above;
  std::vector<BroadcastStep> steps;
  for (std::size_t i = 1; i < levels.size(); ++i)
    steps.push_back(step_of(levels[i - 1] - idle[i - 1], levels[i], nodes));
  return steps;
}

[[nodiscard]] std::uint64_t up_to(std::uint64_t amount, std::uint64_t per_step) {
  return amount / per_step + (amount % per_step == 0 ? 0 : 1);
}

}  // namespace

std::uint64_t OneDimension::node_count() const { return exact::sum(level_sizes); }

std::uint64_t OneDimension::sum_of_weights() const {
  std::uint64_t sum = 0;
  for (std::size_t w = 0; w < level_sizes.size(); ++w)
    sum = narrow(WideCount{sum} + product(level_sizes[w], w));
  return sum;
}

OneDimension one_dimension(const EisensteinJacobiTree& tree) {
  const Counts none(tree.depth() + 1);
  OneDimension one{none, none, {}};
  one.sectors.fill({none, none});
  for (std::uint64_t u = 0; u < tree.node_count(); ++u) {
    const std::size_t weight = tree.weight(NodeId{u});
    ++one.level_sizes[weight];
    if (tree.is_leaf(NodeId{u})) ++one.leaves[weight];
    if (u == 0) continue;
    const auto j = static_cast<std::size_t>(tree.sector(NodeId{u}));
    OneDimension::Sector& sector = one.sectors[j - 1];
    ++(index(tree.parent_port(NodeId{u})) == j - 1 ? sector.minor : sector.major)[weight];
  }
  return one;
}

std::vector<BroadcastStep> broadcast_steps(const OneDimension& one, std::size_t n,
                                           Broadcast algorithm) {
  check_dimensions(n);
  return algorithm == Broadcast::iterative ? iterative_steps(one, n) : improved_steps(one, n);
}

std::uint64_t broadcast_senders(const OneDimension& one, std::size_t n, Broadcast algorithm) {
  check_dimensions(n);
  const std::uint64_t nodes = one.node_count();
  if (algorithm == Broadcast::improved) return product(inner_count(one), power(nodes, n - 1));
  return product(inner_count(one), (power(nodes, n) - 1) / (nodes - 1));
}

Fraction average_receive_step(const OneDimension& one, std::size_t n, Broadcast algorithm) {
  check_dimensions(n);
  const std::uint64_t nodes = one.node_count();
  const std::uint64_t receivers = power(nodes, n) - 1;
  const std::uint64_t weights = one.sum_of_weights();
  if (algorithm == Broadcast::improved)
    return {product(product(n, power(nodes, n - 1)), weights), receivers};
  std::uint64_t sum = 0;
  for (std::size_t r = 1; r <= n; ++r) {
    const std::uint64_t before = product(product(r - 1, one.diameter()), nodes - 1);
    sum =
        narrow(WideCount{sum} + product(power(nodes, r - 1), narrow(WideCount{before} + weights)));
  }
  return {sum, receivers};
}

LeastSteps least_all_gather_steps(const OneDimension& one, std::size_t n) {
  check_dimensions(n);
  const std::uint64_t messages = power(one.node_count(), n) - 1;
  return {messages, up_to(messages, 6 * n), up_to(messages, 3 * n)};
}

LeastSteps least_total_exchange_steps(const OneDimension& one, std::size_t n) {
  check_dimensions(n);
  const std::uint64_t hops =
      product(product(n, power(one.node_count(), n - 1)), one.sum_of_weights());
  return {hops, up_to(hops, 6 * n), up_to(hops, 3 * n)};
}

}  // namespace lockstep::ej_costs
