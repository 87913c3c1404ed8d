// SPDX-License-Identifier: Apache-2.0
#include "study/operation_matrix.hpp"

#include <fmt/format.h>

#include <utility>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep::study {
namespace {

[[nodiscard]] std::vector<AnyTopology> examples() {
  std::vector<AnyTopology> networks;
  for (const TopologyInfo& info : topology_catalog())
    if (!info.example.empty()) networks.emplace_back(std::string(info.example));
  return networks;
}

}  // namespace

std::string default_algorithm(const AnyTopology& network, Operation operation) {
  if (algorithms_for(network, operation).empty()) return {};
  RunRequest request{.topology = network, .operation = operation};
  const auto run = prepare(request, /*check_resources=*/false);
  const RunForecast& forecast = run->forecast();
  return fmt::format("{}, {}", forecast.algorithm.name, forecast.model.name);
}

Table operation_matrix(const std::vector<AnyTopology>& networks) {
  std::vector<Table::Column> columns{{"topology"}};
  for (const OperationInfo& info : operation_catalog())
    columns.push_back({std::string(name_of(info.operation))});
  Table table(std::move(columns));
  for (const AnyTopology& network : networks.empty() ? examples() : networks) {
    std::vector<std::string> row{network.name()};
    for (const OperationInfo& info : operation_catalog()) {
      try {
        const std::string algorithm = default_algorithm(network, info.operation);
        row.push_back(algorithm.empty() ? "none" : algorithm);
      } catch (const ResourceExhausted&) {
        row.emplace_back("too large");
      } catch (const InvalidParameter&) {  // algorithms that support the network limit its size
        row.emplace_back("too large");
      }
    }
    table.add(std::move(row));
  }
  return table;
}

}  // namespace lockstep::study
