// SPDX-License-Identifier: Apache-2.0
#include "catalog/planned_line.hpp"

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "lockstep/catalog/detail/program_of.hpp"

namespace lockstep::catalog {

CatalogLine planned(PlannedAlgorithm planned_algorithm) {
  const auto algorithm = std::make_shared<const PlannedAlgorithm>(std::move(planned_algorithm));
  CatalogLine line{
      .entry = {algorithm->info, algorithm->networks},
      .program = FactsOfType<PlannedTransfers::Programs>::value,
      .admits = [algorithm](const AnyTopology& network) { return algorithm->is_for(network); },
      .fixed_pattern = [](const AnyTopology&, const Settings&) { return Pattern(); },
      .make =
          [algorithm](const AnyTopology& topology, const Settings& settings, const Pattern&) {
            const auto network = std::make_shared<const ErasedTopology>(topology);
            const auto made = planned_for(*algorithm, *network, settings);
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
  line.suits_any = !algorithm->admits;
  AlgorithmInfo& info = line.entry.info;
  info.parameters = parameters_of(*algorithm);
  info.plans_every_node = true;
  info.own_model_only = algorithm->parts == Parts::open;
  info.whole_parts = is_reduction(info.operation);
  info.general = line.suits_any;
  if (info.promise_name == "formula") info.promise_name = "plan";
  return line;
}

}  // namespace lockstep::catalog
