// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The cost that an algorithm states as formulas (core/formula.hpp): AlgorithmInfo::startups and
/// AlgorithmInfo::message_times.
///
///     cost_by_formula(bruck, AnyTopology("complete:13"))    // {4 start-ups, 12 message times}
///     cost_text(bruck)                      // "ceil(log2 N) start-ups, N - 1 message times"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lockstep/program/algorithm.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/topology/switch_tree.hpp"

namespace lockstep {

/// Throws std::invalid_argument where the text is no formula, or the network lacks a variable.
[[nodiscard]] Fraction value_by_formula(std::string_view formula, const ErasedTopology& network,
                                        std::uint64_t parts = 1);

[[nodiscard]] Fraction value_by_formula(std::string_view formula, const SwitchTree& tree);

/// The network of which the formulas of this algorithm are.
[[nodiscard]] ErasedTopology formula_network(const AlgorithmInfo& info,
                                             const ErasedTopology& network);

/// Empty unless both figures have a formula. Throws InvalidParameter, with the name of the
/// algorithm, where a text is no formula or the network lacks a variable.
[[nodiscard]] std::optional<Cost> cost_by_formula(const AlgorithmInfo& info,
                                                  const ErasedTopology& network,
                                                  std::uint64_t parts = 1);

/// The formulas as readers expect them, and AlgorithmInfo::costs.
[[nodiscard]] std::string cost_text(const AlgorithmInfo& info);

}  // namespace lockstep
