// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The linear cost model: a message of m blocks costs t_s + m t_m, a run
///     startups t_s + message_times t_m + control_words t_w.
/// The coefficients are a Cost, exact: counted by the machine (modelled), claimed by the algorithm
/// (predicted), or what no algorithm beats. They are compared as such; only the time is a double.
///
///     const CostParameters host{.t_s = 100, .t_m = 1};
///     modelled(cost_of(record, parts_per_block), host) == predicted(promise, host)
///     execution_time_improved(ours, theirs, host)             // 0.47: a saving of 47 %

#include <cstdint>
#include <optional>

#include "lockstep/core/fraction.hpp"
#include "lockstep/machine/run_record.hpp"
#include "lockstep/program/cost.hpp"
#include "lockstep/verify/lower_bounds.hpp"

namespace lockstep {

/// In any unit of time, the same for all.
struct CostParameters {
  double t_s = 1;  ///< start-up time of a message
  double t_m = 1;  ///< time per block in a message: block bytes times the time per byte
  double t_w = 1;  ///< time per control word in a message: eight times the time per byte
};

/// What was counted, in blocks of the user: the machine counts parts of them where an algorithm
/// cuts them (Footprint::parts_per_block). The one place where they are converted.
template <class Record>  // RunRecord or PhaseRecord
[[nodiscard]] Cost cost_of(const Record& record, std::uint64_t parts_per_block) {
  return {record.startups, Fraction(record.message_times, parts_per_block), record.control_words};
}

/// Of what the machine counted.
[[nodiscard]] double modelled(const Cost& counted, const CostParameters& host) noexcept;
/// Of the algorithm's closed form.
[[nodiscard]] double predicted(const Cost& promise, const CostParameters& host) noexcept;
/// No algorithm takes less; the two bounds hold together.
[[nodiscard]] double least_time(const LowerBound& bound, const CostParameters& host) noexcept;

/// ETI = 1 - T/T', the part of the baseline's time that is saved; negative where ours takes longer.
/// 0 where the baseline takes no time.
[[nodiscard]] double execution_time_improved(const Cost& ours, const Cost& baseline,
                                             const CostParameters& host) noexcept;

/// The ratio t_s/t_m above which ours is the cheaper one, for t_w = t_m: 0 where it is at every
/// ratio > 0, empty where there is no such ratio.
[[nodiscard]] std::optional<Fraction> break_even(const Cost& ours, const Cost& baseline);

}  // namespace lockstep
