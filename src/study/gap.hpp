// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The gap: the least time that any algorithm of the catalogue reaches on a network, over its lower
/// bound. The algorithms compete as for `tune`, so that the gap is that of `compare` and `run`.
///
///     const std::vector<GapCell> cells = gap_cells("ring:5", Operation::scatter, {});
///     cells.front().over_bound()        // 1.0: the first port model and ratio, optimal

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/collective/collective.hpp"
#include "lockstep/program/cost.hpp"
#include "lockstep/program/port_model.hpp"
#include "study/best_choice.hpp"
#include "study/tuning.hpp"

namespace lockstep::study {

/// The ratios of the matrix of gaps: from blocks that dominate the time to start-ups that dominate
/// it.
inline constexpr std::array<NamedRatio, 4> gap_ratios{
    {{"0.01", 1, 100}, {"1", 1, 1}, {"100", 100, 1}, {"10000", 10'000, 1}}};
inline constexpr std::array<PortModel, 2> gap_models{port_models::single_port,
                                                     port_models::all_port};
/// Cells above it have a reason.
inline constexpr double large_gap = 2;
/// Long enough for every number of parts.
inline constexpr std::size_t gap_block_bytes = 4096;

struct GapCell {
  std::string topology{};
  Operation operation{};
  std::string port_model{};
  NamedRatio ratio = gap_ratios.front();  ///< t_s/t_m, t_m = 1
  std::string variant{};                  ///< of the least time; empty: there is none
  Cost charged{};                         ///< of the variant
  double time = 0;                        ///< of the variant
  std::optional<double> bound{};          ///< empty: not known, or no variant
  bool optimal = false;                   ///< no algorithm takes less time
  /// Why there is no variant, or none that takes less than large_gap times the bound.
  std::string reason{};

  /// Empty unless both times are known; 1 where nothing has to be sent.
  [[nodiscard]] std::optional<double> over_bound() const;
};

struct GapRequest {
  std::span<const PortModel> models = gap_models;
  std::span<const NamedRatio> ratios = gap_ratios;
  std::size_t block_bytes = gap_block_bytes;
  ContestLimits limits{};
};

/// A cell per port model and ratio, in this order; fewer if it is interrupted. Other parameters of
/// the operation have their defaults.
[[nodiscard]] std::vector<GapCell> gap_cells(const AnyTopology& network, Operation operation,
                                             const GapRequest& request);

/// The gaps of all operations that need no file of the user's, or of one operation, network by
/// network.
[[nodiscard]] std::vector<GapCell> gap_matrix(const std::vector<AnyTopology>& networks,
                                              std::optional<Operation> operation,
                                              const GapRequest& request);

}  // namespace lockstep::study
