// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The linear cost model: a message of m blocks costs t_s + m t_m, a run
///     startups t_s + message_times t_m + control_words t_w.
/// The coefficients are an exact Cost: counted by the machine (modelled), the closed form of the
/// algorithm (predicted), or a lower bound. They are compared exactly; only the time is a double.
///
///     const CostParameters host{.t_s = 100, .t_m = 1};        // blocks of 64 bytes: t_w = 0.125
///     modelled(cost_of(record, parts_per_block), host, 64) == predicted(promise, host, 64)
///     execution_time_improved(ours, theirs, host, 64)         // 0.47: a saving of 47 %

#include <cstddef>
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
  /// Time per control word in a message. Empty: what t_m charges for the 8 bytes of a word.
  std::optional<double> t_w{};
  /// Nobody asked for these times: they say nothing about how much messages should be combined.
  bool assumed = false;

  /// t_w where blocks have `block_bytes`; 0 bytes are charged as 1.
  [[nodiscard]] double word_time(std::size_t block_bytes) const noexcept;
};

/// The counted cost in blocks of the user. If an algorithm divides blocks, the machine counts parts
/// (Footprint::parts_per_block); this is the only place that converts them.
template <class Record>  // RunRecord or PhaseRecord
[[nodiscard]] Cost cost_of(const Record& record, std::uint64_t parts_per_block) {
  return {record.startups, Fraction(record.message_times, parts_per_block), record.control_words};
}

/// The same cost without control words: each is added to the message times as the part of a block
/// that its 8 bytes are. Comparisons at a ratio t_s/t_m use it: t_w is the default there.
[[nodiscard]] Cost words_as_blocks(const Cost& cost, std::size_t block_bytes);

/// The time of a counted cost, in blocks of `block_bytes`.
[[nodiscard]] double modelled(const Cost& counted, const CostParameters& host,
                              std::size_t block_bytes) noexcept;
/// The time of the algorithm's closed form.
[[nodiscard]] double predicted(const Cost& promise, const CostParameters& host,
                               std::size_t block_bytes) noexcept;
/// Whether a run that is charged `a` takes less time than one that is charged `b`. Costs whose
/// times differ by no more than the rounding of the sums take the same time.
[[nodiscard]] bool takes_less_time(const Cost& a, const Cost& b, const CostParameters& host,
                                   std::size_t block_bytes);
/// The lower bound on the time. Both bounds hold at once, and no operation needs control words.
[[nodiscard]] double least_time(const LowerBound& bound, const CostParameters& host) noexcept;

/// ETI = 1 - T/T', the part of the baseline's time that is saved; negative where ours takes longer.
/// 0 where the baseline takes no time.
[[nodiscard]] double execution_time_improved(const Cost& ours, const Cost& baseline,
                                             const CostParameters& host,
                                             std::size_t block_bytes) noexcept;

/// The ratio t_s/t_m above which ours is the cheaper one, with the default t_w: 0 where it is at
/// every ratio > 0, empty where there is no such ratio.
[[nodiscard]] std::optional<Fraction> break_even(const Cost& ours, const Cost& baseline,
                                                 std::size_t block_bytes);

}  // namespace lockstep
