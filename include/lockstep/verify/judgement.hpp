// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The one judgement on a run. Exit code, verdict line, the note of a sweep, keys of a report are
/// formats of it; nobody decides again.
///
///     const Judgement judgement = judge(
///         record, cost_of(record, parts_per_block), host.judge(record.deliveries), expectations);
///     judgement.outcome == Outcome::rule_broken
///     judgement.sentence      // text_of() the first violation, where one is what is wrong

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/machine/run_record.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/verify/detail/verdict.hpp"
#include "lockstep/verify/lower_bounds.hpp"

namespace lockstep {

/// What a run was counted to cost, against what its algorithm claimed and what no algorithm can
/// beat.
///
///     const PromiseVerdict verdict = judge_promises(
///         record, cost_of(record, parts_per_block),
///         {.promise = algorithm.promise(), .bound = lower_bound(...)->least});
///     for (const BrokenPromise& broken : verdict.broken) print(broken.sentence());
///
/// Only a run that went to its end is judged: one that was interrupted or broke a rule of the
/// machine says nothing of the costs. The bounds speak of runs that delivered everything
/// (delivery.hpp): an algorithm that leaves blocks out is held to how many it delivers instead.

/// Predictions made before the run; empty if there were none.
struct Expectations {
  std::optional<Cost> promise{};
  std::optional<Footprint> footprint{};  ///< its steps; its messages and deliveries where not 0
  std::optional<Cost> bound{};           ///< of algorithms that cut blocks as this one does
  bool unbuffered = false;               ///< no message waits on its way
  ErasedTopology network{};              ///< for names of nodes; none: their numbers
};

struct BrokenPromise {
  enum class Kind : std::uint8_t {
    differs,     ///< from the promise
    below_bound  ///< fewer than is possible: the count or the bound is wrong
  };
  std::string_view quantity;  ///< such as "start-ups"
  Kind kind{};
  Fraction counted{};
  Fraction expected{};  ///< promised, or at least

  friend bool operator==(const BrokenPromise&, const BrokenPromise&) = default;

  /// "230 start-ups counted, 229 predicted"
  [[nodiscard]] std::string sentence() const;
};

struct PromiseVerdict {
  bool judged = false;
  std::vector<BrokenPromise> broken;

  [[nodiscard]] bool kept() const noexcept { return judged && broken.empty(); }
  /// The first count that is below a bound; null where none is.
  [[nodiscard]] const BrokenPromise* below_bound() const noexcept;
};

/// `cost`: that of the record, in blocks of the user.
[[nodiscard]] PromiseVerdict judge_promises(const RunRecord& record, const Cost& cost,
                                            const Expectations& expectations);

/// The outcome of a run; if several apply, the last of them.
enum class Outcome : std::uint8_t {
  complete,                ///< all delivered, legal, as promised
  not_as_promised,         ///< all delivered and legal, but a count differs
  below_bound,             ///< less than is possible: the program cheats, or the bound is wrong
  incomplete_as_known,     ///< just what the algorithm said is left out
  stores_without_message,  ///< a processor stored a message that had not arrived
  not_delivered,
  interrupted,
  rule_broken
};

/// "complete", "not-as-promised", ..
[[nodiscard]] std::string_view name_of(Outcome outcome) noexcept;

struct Judgement {
  Outcome outcome{};
  std::string sentence{};  ///< what is wrong; empty where nothing is
  DeliveryVerdict deliveries{};
  PromiseVerdict promises{};

  /// Exit code 0 of the command line: all delivered, no rule broken, nothing stored that had not
  /// arrived, no count below a proven bound, not interrupted, and every count as promised.
  [[nodiscard]] bool ok() const noexcept { return outcome == Outcome::complete; }
};

/// `cost`: that of the record, in blocks of the user.
[[nodiscard]] Judgement judge(const RunRecord& record, const Cost& cost,
                              const DeliveryVerdict& deliveries, const Expectations& expectations);

}  // namespace lockstep
