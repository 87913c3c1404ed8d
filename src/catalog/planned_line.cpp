// SPDX-License-Identifier: Apache-2.0
#include "catalog/planned_line.hpp"

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "algorithm/many_to_all/placement.hpp"
#include "lockstep/catalog/detail/program_of.hpp"

namespace lockstep::catalog {
namespace {

[[nodiscard]] Pattern no_pattern(const AnyTopology&, const Settings&) { return {}; }
[[nodiscard]] Pattern fixed_makers(const AnyTopology& network, const Settings& settings) {
  return fixed_homes_on(network, settings);
}

}  // namespace

namespace {

/// Until the plan is made, the type of its program is known of plans of one class only.
[[nodiscard]] ProgramFacts facts_before_planning(const PlannedAlgorithm& algorithm) {
  return algorithm.one_class ? FactsOfType<NodeInvariantProgram>::value
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
          [algorithm](const AnyTopology& topology, const Settings& settings,
                      const Pattern& pattern) {
            const auto network = std::make_shared<const ErasedTopology>(topology);
            const auto made = planned_for(*algorithm, *network, settings, pattern);
            return AlgorithmInstance{
                made,
                [network, made] {
                  return std::visit(
                      [&network](auto program) {
                        return any_program(*network, std::move(program));
                      },
                      made->program());
                },
                facts_of_choice(made->program_type(),
                                static_cast<const PlannedTransfers::Programs*>(nullptr))};
          },
      .choices = [](const AnyTopology&, const Settings&, const Pattern&,
                    double) { return std::vector<Settings>(); }};
  line.suits_any = line.entry.networks.is_general();
  AlgorithmInfo& info = line.entry.info;
  info.parameters = parameters_of(*algorithm);
  line.by_formula = static_cast<bool>(algorithm->cost);
  info.plans_every_node = !algorithm->one_class;
  info.own_model_only = algorithm->parts == Parts::open;
  info.whole_parts = is_reduction(info.operation);
  info.general = line.suits_any;
  if (!algorithm->cost && !algorithm->announce && info.promise_name == "formula")
    info.promise_name = "plan";
  return line;
}

}  // namespace lockstep::catalog
