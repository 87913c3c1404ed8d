// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The linear cost model: a message of m blocks costs t_s + m t_m, a run
///     startups t_s + message_times t_m.
/// The two coefficients are exact integers, counted by the machine (modelled) or claimed by the
/// algorithm (predicted); they are compared as integers. Only the time itself is a double.
///
///     const CostParameters host{.t_s = 100, .t_m = 1};
///     modelled(record, host) == predicted(promise, host)      // where a closed form is known
///     execution_time_improved(ours, theirs, host)             // 0.47: a saving of 47 %
///
/// Where an algorithm cuts the blocks in parts (Footprint::parts_per_block), what is counted and
/// claimed are parts, and t_m is still the time of a whole block.

#include <optional>

#include "lockstep/core/fraction.hpp"
#include "lockstep/machine/run_record.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/verify/lower_bounds.hpp"

namespace lockstep {

/// In any unit of time, the same for both.
struct CostParameters {
  double t_s = 1;  ///< start-up time of a message
  double t_m = 1;  ///< time per block in a message: block bytes times the time per byte
};

/// From what the machine counted.
[[nodiscard]] double modelled(const RunRecord& record, const CostParameters& host,
                              std::uint64_t parts_per_block = 1) noexcept;
/// From the algorithm's closed form.
[[nodiscard]] double predicted(const Promise& promise, const CostParameters& host,
                               std::uint64_t parts_per_block = 1) noexcept;
/// No algorithm takes less; the two bounds hold together.
[[nodiscard]] double least_time(const LowerBound& bound, const CostParameters& host,
                                std::uint64_t parts_per_block = 1) noexcept;

/// ETI = 1 - T/T', the part of the baseline's time that is saved; negative where ours takes longer.
/// 0 where the baseline takes no time.
[[nodiscard]] double execution_time_improved(const Promise& ours, const Promise& baseline,
                                             const CostParameters& host) noexcept;

/// The ratio t_s/t_m above which ours is the cheaper one: 0 where it is at every ratio > 0, empty
/// where there is no such ratio.
[[nodiscard]] std::optional<Fraction> break_even(const Promise& ours, const Promise& baseline);

}  // namespace lockstep
