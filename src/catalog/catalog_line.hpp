// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A line of the catalogue together with the settings, machine and program that a request leads to.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "catalog/forecast.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/catalog/detail/catalog_line.hpp"

namespace lockstep::catalog {

/// One way to do what a request asks for.
struct Choice {
  const CatalogLine* line = nullptr;
  Settings settings{};  ///< all that are set, those that were left open among them
  std::optional<PortModel> port_model{};  ///< of the machine; empty: what the algorithm needs
  AlgorithmInstance instance{};
  RunForecast forecast{};  ///< says why, where there was a choice
};

/// Uses all members but the forecast. Throws InvalidParameter where they do not fit the request.
[[nodiscard]] RunForecast forecast_for(const Choice& choice, const RunRequest& request);

/// The charged cost that an algorithm promises, with idle steps and padding.
struct Promise {
  Cost charged{};           ///< in blocks of the user
  std::uint64_t parts = 1;  ///< of a block, which are padded to the same size
};
/// For blocks of `block_bytes`; empty where nothing is promised. Uses all members but the forecast.
[[nodiscard]] std::optional<Promise> promised(const Choice& choice, const ErasedTopology& network,
                                              std::size_t block_bytes);

[[nodiscard]] std::unique_ptr<PreparedRun> prepare_run(Choice choice, RunRequest request);

}  // namespace lockstep::catalog
