// SPDX-License-Identifier: Apache-2.0
#include "study/operation_matrix.hpp"

#include <fmt/format.h>

#include <utility>

#include "lockstep/catalog/catalog.hpp"
#include "study/exit.hpp"

namespace lockstep::study {
std::string default_algorithm(const AnyTopology& network, Operation operation) {
  if (algorithms_for(network, operation).empty()) return {};
  RunRequest request{.topology = network, .operation = operation};
  const auto run = prepare(request, /*check_resources=*/false);
  run->check_resources();
  const RunForecast& forecast = run->forecast();
  return fmt::format("{}, {}", forecast.algorithm.name, forecast.model.name);
}

/// "refused": beyond one of the limits; `run` says which.
[[nodiscard]] static std::string cell_of(const AnyTopology& network, Operation operation) {
  std::string algorithm;
  const Problem problem = problem_of([&] { algorithm = default_algorithm(network, operation); });
  if (problem.exit != Exit::ok) return "refused";
  return algorithm.empty() ? "none" : algorithm;
}

std::vector<AnyTopology> example_networks() {
  std::vector<AnyTopology> networks;
  for (const TopologyInfo& info : topology_catalog())
    if (!info.example.empty()) networks.emplace_back(std::string(info.example));
  return networks;
}

Table operation_matrix(const std::vector<AnyTopology>& networks,
                       std::optional<Operation> operation) {
  std::vector<Table::Column> columns{{"topology"}};
  std::vector<Operation> operations;
  for (const OperationInfo& info : operation_catalog())
    if (!operation || info.operation == *operation) {
      operations.push_back(info.operation);
      columns.push_back({std::string(name_of(info.operation))});
    }
  Table table(std::move(columns));
  for (const AnyTopology& network : networks) {
    std::vector<std::string> row{network.name()};
    for (const Operation one : operations) row.push_back(cell_of(network, one));
    table.add(std::move(row));
  }
  return table;
}

}  // namespace lockstep::study
