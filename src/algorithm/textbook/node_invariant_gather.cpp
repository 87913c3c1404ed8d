// SPDX-License-Identifier: Apache-2.0

/// All-gather in a Cayley graph, all-port, in as many steps as the diameter: all nodes make the
/// same moves. In a step a generator carries blocks from positions that they have reached, seen
/// from their makers, to positions that they have not, as many in each step as there can be to
/// reach all N - 1 positions with ceil((N - 1)/g) blocks per generator. A matching assigns
/// positions to generators, those that are farthest first; where it fails, it begins again with
/// another order.
/// Source: D. P. Bertsekas et al. 1991 for messages of one block; bundles: Lockstep.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "algorithm/family_shapes.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "core/invalid.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep {
namespace {

class InvariantSearch {
 public:
  explicit InvariantSearch(const AnyCayley& group)
      : group_(group),
        nodes_(group.node_count()),
        distances_(distances_from(group, group.identity())) {
    for (std::size_t p = 0; p < group.max_degree(); ++p) {
      const NodeId generator = group.neighbor(group.identity(), port(p));
      if (std::ranges::find(generators_, generator) == generators_.end())
        generators_.push_back(generator);
    }
    for (std::uint64_t v = 0; v < nodes_; ++v)
      for (const NodeId generator : generators_)  // from where it leads to v
        before_.push_back(
            static_cast<std::uint32_t>(index(group.product(NodeId{v}, group.inverse(generator)))));
  }

  [[nodiscard]] std::uint64_t least_blocks() const {
    return (nodes_ - 1 + generators_.size() - 1) / generators_.size();
  }
  /// With so many blocks per generator, in all.
  [[nodiscard]] std::optional<Transfers> find(std::uint64_t blocks) {
    constexpr int most_tries = 60;
    const std::vector<std::uint64_t> most = shares(blocks);
    for (int i = 0; i < most_tries; ++i)
      if (std::optional<Transfers> plan = tried(most)) return plan;
    return std::nullopt;
  }

 private:
  /// Blocks per generator in each step: as many as positions that can be reached by then allow.
  [[nodiscard]] std::vector<std::uint64_t> shares(std::uint64_t blocks) const {
    const std::uint64_t steps = *std::ranges::max_element(distances_);
    std::vector<std::uint64_t> most;
    std::uint64_t used = 0;
    for (std::uint64_t t = 0; t + 1 < steps; ++t) {
      const auto within = static_cast<std::uint64_t>(
          std::ranges::count_if(distances_, [t](std::uint32_t d) { return d > 0 && d <= t + 1; }));
      const std::uint64_t share =
          std::min(std::max<std::uint64_t>(within / generators_.size() - used, 1),
                   blocks - used - (steps - 1 - t));
      most.push_back(share);
      used += share;
    }
    most.push_back(blocks - used);
    return most;
  }

  [[nodiscard]] std::optional<Transfers> tried(const std::vector<std::uint64_t>& most) {
    std::vector<bool> reached(nodes_);
    reached[index(group_.identity())] = true;
    Transfers plan = all_one_class(nodes_);
    plan.steps = most.size();
    for (std::uint32_t step = 0; step < most.size(); ++step) {
      std::vector<std::uint32_t> wanted;
      for (std::uint32_t v = 0; v < nodes_; ++v)
        if (!reached[v] && distances_[v] <= step + 1) wanted.push_back(v);
      std::ranges::shuffle(wanted, random_);
      std::ranges::stable_sort(wanted, std::ranges::greater(),
                               [&](std::uint32_t v) { return distances_[v]; });
      assign(wanted, reached, most[step]);
      for (std::size_t g = 0; g < generators_.size(); ++g)
        for (const std::uint32_t v : taken_[g]) {
          reached[v] = true;
          plan.move(step, 0, everyone, before_[v * generators_.size() + g], v);
        }
    }
    if (std::ranges::find(reached, false) != reached.end()) return std::nullopt;
    return plan;
  }

  /// As many positions as possible, the first ones first, at most so many per generator.
  void assign(const std::vector<std::uint32_t>& wanted, const std::vector<bool>& reached,
              std::uint64_t most) {
    taken_.assign(generators_.size(), {});
    for (const std::uint32_t v : wanted) {
      seen_.assign(generators_.size(), false);
      (void)give(v, reached, most);
    }
  }
  /// By an augmenting path.
  [[nodiscard]] bool give(std::uint32_t v, const std::vector<bool>& reached,
                          std::uint64_t most) {  // NOLINT(misc-no-recursion): generators deep
    for (std::size_t g = 0; g < generators_.size(); ++g) {
      if (seen_[g] || !reached[before_[v * generators_.size() + g]]) continue;
      seen_[g] = true;
      if (taken_[g].size() < most) {
        taken_[g].push_back(v);
        return true;
      }
      for (std::uint32_t& other : taken_[g])
        if (give(other, reached, most)) {
          other = v;
          return true;
        }
    }
    return false;
  }

  const AnyCayley& group_;
  std::uint64_t nodes_;
  std::vector<std::uint32_t> distances_;
  std::vector<NodeId> generators_;
  std::vector<std::uint32_t> before_;              // by node, then by generator
  std::vector<std::vector<std::uint32_t>> taken_;  // by generator, in a step
  std::vector<bool> seen_;
  std::mt19937_64 random_{1991};
};

[[nodiscard]] Transfers invariant_gather(const PlanRequest& asked) {
  const AnyCayley group = *asked.network.cayley();
  if (group.node_count() == 1) return all_one_class(1);
  InvariantSearch search(group);
  constexpr std::uint64_t most_more = 3;
  const std::uint64_t least = std::max<std::uint64_t>(search.least_blocks(), *group.diameter());
  for (std::uint64_t blocks = least; blocks <= least + most_more; ++blocks)
    if (std::optional<Transfers> plan = search.find(blocks)) return *std::move(plan);
  throw invalid("{}: the search finds no all-gather in which all nodes move alike",
                asked.network.name());
}

}  // namespace

const PlannedAlgorithm node_invariant_gather = in_any_numbering(
    {.info = {.name = "node-invariant",
              .operation = Operation::all_gather,
              .model = port_models::all_port,
              .source = "Bertsekas et al. 1991; bundles: Lockstep",
              .startups = "D",
              .costs = "ceil((N - 1)/g) message times on most networks, g = degree",
              .summary = "all nodes make the same moves, found by matchings"},
     .networks = group_from_node_0.up_to_nodes(1'024).with(at_most(quantities::ports, 64)),
     .plan = invariant_gather});

}  // namespace lockstep
