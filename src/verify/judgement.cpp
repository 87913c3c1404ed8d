// SPDX-License-Identifier: Apache-2.0
#include "lockstep/verify/judgement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "lockstep/core/detail/counted.hpp"
#include "topology/node_names.hpp"

namespace lockstep {
namespace {

[[nodiscard]] std::string text_of(const Fraction& count) {
  return count.denominator() == 1 ? grouped(count.numerator()) : fmt::format("{}", count.value());
}

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
  if (record.stores_without_message != 0) return Outcome::stores_without_message;
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

[[nodiscard]] std::string sentence_of(const RunRecord& record, const Judgement& judgement,
                                      const ErasedTopology& network) {
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
    case Outcome::stores_without_message:
      return fmt::format(
          "{} of a message that did not arrive or has another length",
          record.stores_without_message == 1
              ? "1 store, combination or delivery"
              : grouped(record.stores_without_message) + " stores, combinations or deliveries");
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
      if (record.violations.empty()) return counted(record.violation_count, "violation");
      return has_names(network) ? text_of(record.violations.front(), network)
                                : text_of(record.violations.front());
  }
  return {};
}

}  // namespace

std::string BrokenPromise::sentence() const {
  return text_of(counted) + " " + std::string{quantity} + " counted, " +
         (kind == Kind::differs ? "" : "at least ") + text_of(expected) +
         (kind == Kind::differs ? " predicted" : " necessary");
}

const BrokenPromise* PromiseVerdict::below_bound() const noexcept {
  const auto first = std::ranges::find_if(broken, [](const BrokenPromise& one) {
    return one.kind == BrokenPromise::Kind::below_bound;
  });
  return first == broken.end() ? nullptr : &*first;
}

PromiseVerdict judge_promises(const RunRecord& record, const Cost& cost,
                              const Expectations& expectations) {
  if (record.interrupted || !record.legal()) return {};
  const bool leaves_blocks_out = expectations.footprint && expectations.footprint->deliveries != 0;
  PromiseVerdict verdict{.judged = true, .broken = {}};
  const auto equal = [&](std::string_view quantity, const Fraction& counted,
                         const Fraction& promised) {
    if (counted != promised)
      verdict.broken.push_back({quantity, BrokenPromise::Kind::differs, counted, promised});
  };
  const auto at_least = [&](std::string_view quantity, const Fraction& counted,
                            const Fraction& bound) {
    if (counted < bound)
      verdict.broken.push_back({quantity, BrokenPromise::Kind::below_bound, counted, bound});
  };
  if (const auto& promise = expectations.promise) {
    equal("start-ups", cost.startups, promise->startups);
    equal("message times", cost.message_times, promise->message_times);
    equal("control words", cost.control_words, promise->control_words);
  }
  if (const auto& footprint = expectations.footprint) {
    equal("steps", record.steps, footprint->steps);
    if (footprint->hops != 0) equal("messages sent", record.messages_sent, footprint->hops);
    if (leaves_blocks_out) equal("deliveries", record.deliveries.delivered, footprint->deliveries);
  }
  if (const auto& bound = expectations.bound; bound && !leaves_blocks_out) {
    at_least("start-ups", cost.startups, bound->startups);
    at_least("message times", cost.message_times, bound->message_times);
  }
  if (expectations.unbuffered && record.waits.watched)
    equal("blocks that waited", record.waits.blocks, 0);
  return verdict;
}

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
  judgement.sentence = sentence_of(record, judgement, expectations.network);
  return judgement;
}

}  // namespace lockstep
