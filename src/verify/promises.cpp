// SPDX-License-Identifier: Apache-2.0
#include "lockstep/verify/promises.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/counted.hpp"

namespace lockstep {
namespace {

[[nodiscard]] std::string text_of(const Fraction& count) {
  return count.denominator() == 1 ? grouped(count.numerator()) : fmt::format("{}", count.value());
}

}  // namespace

std::string BrokenPromise::sentence() const {
  return text_of(counted) + " " + std::string{quantity} + " counted, " +
         (kind == Kind::differs ? "" : "at least ") + text_of(expected) +
         (kind == Kind::differs ? " predicted" : " necessary");
}

const BrokenPromise* PromiseVerdict::below_bound() const noexcept {
  const auto first = std::find_if(broken.begin(), broken.end(), [](const BrokenPromise& one) {
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
    if (footprint->hops != 0) equal("hops", record.hops, footprint->hops);
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

}  // namespace lockstep
