// SPDX-License-Identifier: Apache-2.0
#include "lockstep/verify/judgement.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>

#include "core/counted.hpp"

namespace lockstep {
namespace {

/// Deliveries fall short by what is known to be left out.
[[nodiscard]] bool as_known(const Judgement& judgement, const Expectations& expectations) {
  const bool leaves_out = expectations.footprint && expectations.footprint->deliveries != 0;
  const DeliveryVerdict& deliveries = judgement.deliveries;
  return leaves_out && judgement.promises.kept() &&
         (!deliveries.checked || deliveries.tally.delivered == deliveries.tally.verified);
}

/// A host was handed more blocks than crossed links or came from hosts.
[[nodiscard]] bool is_from_nowhere(const RunRecord& record) {
  return record.deliveries.delivered > record.blocks_moved + record.blocks_loaded;
}

[[nodiscard]] Outcome outcome_of(const RunRecord& record, const Judgement& judgement,
                                 const Expectations& expectations) {
  if (!record.legal()) return Outcome::rule_broken;
  if (record.interrupted) return Outcome::interrupted;
  const bool complete = judgement.deliveries.complete() && !is_from_nowhere(record);
  if (!complete && !as_known(judgement, expectations)) return Outcome::not_delivered;
  if (record.unmet_stores != 0) return Outcome::unmet_stores;
  if (!complete) return Outcome::incomplete_as_known;
  if (judgement.promises.below_bound() != nullptr) return Outcome::below_bound;
  return judgement.promises.broken.empty() ? Outcome::complete : Outcome::not_as_promised;
}

[[nodiscard]] std::string known_sentence(const DeliveryVerdict& deliveries) {
  if (const auto& received = deliveries.received)
    return fmt::format("delivers {} of {} messages to each processor (known erratum)",
                       grouped(received->least), grouped(received->expected));
  return fmt::format("delivers {} of {} messages, not verified (known erratum)",
                     grouped(deliveries.tally.delivered), grouped(deliveries.expected));
}

[[nodiscard]] std::string sentence_of(const RunRecord& record, const Judgement& judgement) {
  const DeliveryVerdict& deliveries = judgement.deliveries;
  switch (judgement.outcome) {
    case Outcome::complete:
      return {};
    case Outcome::not_as_promised:
      return judgement.promises.broken.front().sentence();
    case Outcome::below_bound:
      return judgement.promises.below_bound()->sentence();
    case Outcome::incomplete_as_known:
      return known_sentence(deliveries);
    case Outcome::unmet_stores:
      return fmt::format("{} attempts to store a message that had not arrived",
                         record.unmet_stores);
    case Outcome::not_delivered:
      if (is_from_nowhere(record))
        return fmt::format("{} blocks delivered, but only {} arrived and {} were loaded",
                           record.deliveries.delivered, record.blocks_moved, record.blocks_loaded);
      if (deliveries.combined < deliveries.to_combine)
        return fmt::format("{} combinations of two blocks; at least {} are necessary",
                           deliveries.combined, deliveries.to_combine);
      return deliveries.checked
                 ? fmt::format("{} of {} messages verified", grouped(deliveries.tally.verified),
                               grouped(deliveries.expected))
                 : fmt::format("{} of {} messages delivered", grouped(deliveries.tally.delivered),
                               grouped(deliveries.expected));
    case Outcome::interrupted:
      return fmt::format("stopped after step {}", record.steps);
    case Outcome::rule_broken:
      return record.violations.empty() ? counted(record.violation_count, "violation")
                                       : text_of(record.violations.front());
  }
  return {};
}

}  // namespace

std::string_view name_of(Outcome outcome) noexcept {
  constexpr std::array<std::string_view, 8> names{
      "complete",     "not-as-promised", "below-bound", "incomplete-as-known",
      "unmet-stores", "not-delivered",   "interrupted", "rule-broken"};
  return names.at(static_cast<std::size_t>(outcome));
}

Judgement judge(const RunRecord& record, const Cost& cost, const DeliveryVerdict& deliveries,
                const Expectations& expectations) {
  Judgement judgement{.deliveries = deliveries,
                      .promises = judge_promises(record, cost, expectations)};
  judgement.outcome = outcome_of(record, judgement, expectations);
  judgement.sentence = sentence_of(record, judgement);
  return judgement;
}

}  // namespace lockstep
