// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What `lockstep compare` found: the runs of all algorithms, and what none of them can beat.
///
///     Comparison comparison{.entries = {}, .host = {100, 1}};
///     comparison.note_bound(entry);
///     comparison.entries.push_back(entry);
///     std::cout << text_of(comparison);

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/core/fraction.hpp"
#include "lockstep/cost/model.hpp"
#include "study/best_choice.hpp"
#include "study/compare_entry.hpp"

namespace lockstep::study {

/// What no algorithm beats under a port model, that sends blocks in so many parts.
struct Bound {
  std::string port_model;
  std::uint64_t parts_per_block;
  LowerBound bound;
};

struct Comparison {
  std::vector<CompareEntry> entries;
  CostParameters host;
  std::vector<Bound> bounds{};
  Exit exit = Exit::ok;

  /// Of each port model that of whole blocks, where one of the algorithms sends such.
  void note_bound(const CompareEntry& entry);
};

[[nodiscard]] inline CostParameters host_of(const NamedRatio& ratio) {
  return {.t_s = ratio.exact().value(), .t_m = 1};
}

/// Modelled time over the least time of any algorithm that delivers all; empty where none is known.
[[nodiscard]] std::optional<double> over_bound(const CompareEntry& entry,
                                               const CostParameters& host);

[[nodiscard]] std::string text_of(const Comparison& comparison);

}  // namespace lockstep::study
