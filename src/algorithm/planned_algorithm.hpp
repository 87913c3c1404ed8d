// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Planned algorithms of planned algorithms, and one of them for one network. An algorithm is one
/// source without a header; planned_algorithms.hpp names it, and the catalogue has a line for it.

#include <memory>
#include <span>
#include <string_view>

#include "algorithm/known_plans.hpp"
#include "algorithm/planned_transfers.hpp"
#include "algorithm/scheduled_algorithm.hpp"
#include "lockstep/program/plan/planned_algorithm.hpp"

namespace lockstep {

/// AlgorithmInfo::startups, message_times and costs.
struct CostTexts {
  std::string_view startups{};
  std::string_view message_times{};
  std::string_view costs{};
};
/// Describes an algorithm that claims nothing and has no parameters of its own.
[[nodiscard]] constexpr AlgorithmInfo plain_info(std::string_view name, Operation operation,
                                                 const PortModel& model, std::string_view source,
                                                 const CostTexts& costs,
                                                 std::string_view summary) noexcept {
  return {.name = name,
          .operation = operation,
          .model = model,
          .source = source,
          .startups = costs.startups,
          .message_times = costs.message_times,
          .costs = costs.costs,
          .summary = summary};
}

/// The algorithm on networks of the same links in any numbering, planned for their prime forms
/// (topology/prime_form.hpp): by the four links of hypercube:4 on torus:4x4. Where it admits a
/// network as it is written, too, the plan of the fewest start-ups is taken, then of the fewest
/// message times. Precondition: the numbers of the processors do not matter to the operation.
[[nodiscard]] PlannedAlgorithm in_any_numbering(PlannedAlgorithm algorithm);

/// The same search in the prime form of every network that has one, so that what is found by chance
/// does not depend on the name.
[[nodiscard]] PlannedAlgorithm searched_in_prime_form(PlannedAlgorithm algorithm);

/// The same in reverse time and direction: a reduce of a broadcast, a gather of a scatter, a
/// reduce-scatter of an all-gather, a scatter of a gather.
[[nodiscard]] PlannedAlgorithm mirrored(const PlannedAlgorithm& algorithm);
/// The all-reduce that is a reduce-scatter, the mirror of this all-gather, of one part of every
/// block per processor, and then the all-gather of the sums.
[[nodiscard]] PlannedAlgorithm scattered_reduction(const PlannedAlgorithm& all_gather);

/// The all-reduce, or the scan, in which every node adds what this all-gather brings it: for short
/// blocks.
[[nodiscard]] PlannedAlgorithm gathered_reduction(const PlannedAlgorithm& all_gather,
                                                  Operation operation, std::string_view name);
/// The gather in which blocks go the way to the root that they go in this all-gather.
[[nodiscard]] PlannedAlgorithm collected(const PlannedAlgorithm& all_gather);
/// The many-to-all that is this all-gather of the blocks that each processor makes. Where the user
/// cuts blocks into parts, these are not cut again.
[[nodiscard]] PlannedAlgorithm with_any_makers(const PlannedAlgorithm& all_gather);

/// This total exchange among processors at odd distance.
[[nodiscard]] PlannedAlgorithm between_classes(const PlannedAlgorithm& total_exchange);

/// The scan of a block in a part for each processor, by this total exchange there and back: for
/// long blocks.
[[nodiscard]] PlannedAlgorithm exchanged_scan(const PlannedAlgorithm& total_exchange,
                                              std::string_view name);
/// The broadcast of a block in a part for each processor: this scatter, then this all-gather, which
/// leaves out what a node has already (van de Geijn).
[[nodiscard]] PlannedAlgorithm scattered_broadcast(const PlannedAlgorithm& scatter,
                                                   const PlannedAlgorithm& all_gather,
                                                   std::string_view name);

/// Whether its cost is known without a plan, on networks of any size.
[[nodiscard]] bool is_ranked_by_formula(const PlannedAlgorithm& algorithm);

[[nodiscard]] std::span<const Parameter> parameters_of(const PlannedAlgorithm& algorithm);

/// The algorithm for one network: with `schedule`, or without. `pattern`: of a many-to-all, as far
/// as it is known beforehand. Throws InvalidParameter where there is no plan.
[[nodiscard]] std::shared_ptr<const PlannedTransfers> planned_for(const PlannedAlgorithm& algorithm,
                                                                  const ErasedTopology& network,
                                                                  const Settings& settings,
                                                                  const Pattern& pattern = {},
                                                                  KnownPlans* known = nullptr);
[[nodiscard]] std::shared_ptr<const ScheduledAlgorithm> scheduled_for(
    const PlannedAlgorithm& algorithm, const ErasedTopology& network, const Settings& settings,
    const Pattern& pattern = {});

}  // namespace lockstep
