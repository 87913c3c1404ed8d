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
#include <string>
#include <string_view>

#include "lockstep/machine/run_record.hpp"
#include "lockstep/verify/delivery.hpp"
#include "lockstep/verify/promises.hpp"

namespace lockstep {

/// The outcome of a run; if several apply, the last of them.
enum class Outcome : std::uint8_t {
  complete,             ///< all delivered, legal, as promised
  not_as_promised,      ///< all delivered and legal, but a count differs
  below_bound,          ///< less than is possible: the program cheats, or the bound is wrong
  incomplete_as_known,  ///< just what the algorithm said is left out
  unmet_stores,         ///< a processor stored a message that had not arrived
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

  /// What exit code 0 of the command line means: all delivered, no rule broken, nothing stored that
  /// had not arrived, no count below a proven bound, not interrupted, and every count as promised.
  [[nodiscard]] bool ok() const noexcept { return outcome == Outcome::complete; }
};

/// `cost`: that of the record, in blocks of the user.
[[nodiscard]] Judgement judge(const RunRecord& record, const Cost& cost,
                              const DeliveryVerdict& deliveries, const Expectations& expectations);

}  // namespace lockstep
