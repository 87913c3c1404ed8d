// SPDX-License-Identifier: Apache-2.0

/// Lines of the catalogue for algorithms that are data.

#include <memory>
#include <utility>
#include <vector>

#include "algorithm/many_to_all/placement.hpp"
#include "catalog/algorithm_lines.hpp"
#include "core/invalid.hpp"
#include "lockstep/catalog/detail/program_of.hpp"
#include "lockstep/catalog/register_algorithm.hpp"
#include "lockstep/catalog/register_planned_algorithm.hpp"
#include "lockstep/program/plan/check_transfers.hpp"

namespace lockstep::catalog {
namespace {

[[nodiscard]] Pattern no_pattern(const AnyTopology&, const Settings&) { return {}; }
[[nodiscard]] Pattern fixed_makers(const AnyTopology& network, const Settings& settings) {
  return fixed_homes_on(network, settings);
}

/// Until the plan is made, the type of its program is known of plans of one class only.
[[nodiscard]] ProgramFacts facts_before_planning(const PlannedAlgorithm& algorithm) {
  if (algorithm.receives_once) return FactsOfType<ReceiveOnceScheduleProgram>::value;
  return algorithm.one_class ? FactsOfType<GroupedScheduleProgram>::value
                             : FactsOfType<PlannedTransfers::Programs>::value;
}

}  // namespace

CatalogLine planned(PlannedAlgorithm planned_algorithm) {
  const auto algorithm = std::make_shared<const PlannedAlgorithm>(std::move(planned_algorithm));
  const bool is_many_to_all = algorithm->info.operation == Operation::many_to_all;
  CatalogLine line{
      .entry = {algorithm->info, algorithm->networks},
      .program = facts_before_planning(*algorithm),
      .fixed_pattern = is_many_to_all ? fixed_makers : no_pattern,
      .make =
          [algorithm, known = std::make_shared<KnownPlans>()](
              const AnyTopology& topology, const Settings& settings, const Pattern& pattern) {
            const auto network = std::make_shared<const ErasedTopology>(topology);
            if (algorithm->schedule) {
              const auto made = scheduled_for(*algorithm, *network, settings, pattern);
              return AlgorithmInstance{
                  made, [network, made, once = algorithm->receives_once] {
                    return once
                               ? any_program(*network, ReceiveOnceScheduleProgram(made->schedule()))
                               : any_program(*network, ScheduleProgram(made->schedule()));
                  }};
            }
            return instance_of(network,
                               planned_for(*algorithm, *network, settings, pattern, known.get()));
          },
      .choices = [](const AnyTopology&, const Settings&, const Pattern&,
                    double) { return std::vector<Settings>(); }};
  line.suits_any = line.entry.networks.is_general();
  AlgorithmInfo& info = line.entry.info;
  info.parameters = parameters_of(*algorithm);
  line.by_formula = is_ranked_by_formula(*algorithm);
  info.plans_every_node = !algorithm->one_class;
  info.own_model_only = algorithm->parts == Parts::open;
  info.general = line.suits_any;
  if (!algorithm->plan) return line;
  info.whole_parts = is_reduction(info.operation);
  if (!line.by_formula && info.promise_name == "formula") info.promise_name = "plan";
  return line;
}

}  // namespace lockstep::catalog

void lockstep::register_algorithm(PlannedAlgorithm algorithm) {
  const AlgorithmInfo& info = algorithm.info;
  if (info.name.empty() || info.summary.empty() ||
      (!algorithm.plan && !algorithm.announce && !algorithm.schedule))
    throw invalid("register_algorithm: '{}' for {}: expected a name, a summary and a planner",
                  info.name, name_of(info.operation));
  const auto checked = [operation = info.operation, one_class = algorithm.one_class](
                           Transfers made, const ErasedTopology& network) {
    check_transfers(made, network, operation);
    if (one_class && made.representatives.size() != 1)
      throw invalid("plan for {}: nodes of {} classes; expected one class", network.name(),
                    made.representatives.size());
    return made;
  };
  if (algorithm.plan)
    algorithm.plan = [plan = std::move(algorithm.plan), checked](const PlanRequest& asked) {
      return checked(plan(asked), asked.network);
    };
  if (algorithm.announce)
    algorithm.announce = [announce = std::move(algorithm.announce),
                          checked](const PlanRequest& asked) {
      Announcement announced = announce(asked);
      announced.plan = [plan = std::move(announced.plan), network = asked.network, checked] {
        return checked(plan(), network);
      };
      return announced;
    };
  catalog::add_line(catalog::planned(std::move(algorithm)));
}
