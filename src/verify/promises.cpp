// SPDX-License-Identifier: Apache-2.0
#include "lockstep/verify/promises.hpp"

namespace lockstep {
namespace {

class Judge {
 public:
  void equal(std::string_view quantity, std::uint64_t counted, std::uint64_t promised) {
    if (counted != promised)
      broken_.push_back({quantity, BrokenPromise::Kind::differs, counted, promised});
  }
  void at_least(std::string_view quantity, std::uint64_t counted, std::uint64_t bound) {
    if (counted < bound)
      broken_.push_back({quantity, BrokenPromise::Kind::below_bound, counted, bound});
  }
  [[nodiscard]] const std::vector<BrokenPromise>& broken() const noexcept { return broken_; }

 private:
  std::vector<BrokenPromise> broken_;
};

}  // namespace

std::string BrokenPromise::sentence() const {
  return std::string{quantity} + ": " + std::to_string(counted) + " counted, " +
         (kind == Kind::differs ? "" : "at least ") + std::to_string(expected) +
         (kind == Kind::differs ? " promised" : " necessary");
}

PromiseVerdict judge_promises(const RunRecord& record, const Expectations& expectations) {
  if (record.interrupted || !record.legal()) return {};
  const bool leaves_blocks_out = expectations.footprint && expectations.footprint->deliveries != 0;
  Judge judge;
  if (const auto& promise = expectations.promise) {
    judge.equal("startups", record.startups, promise->startups);
    judge.equal("message_times", record.message_times, promise->message_times);
  }
  if (const auto& footprint = expectations.footprint) {
    judge.equal("steps", record.steps, footprint->steps);
    if (footprint->hops != 0) judge.equal("hops", record.hops, footprint->hops);
    if (leaves_blocks_out)
      judge.equal("deliveries", record.deliveries.delivered, footprint->deliveries);
  }
  if (const auto& bound = expectations.bound; bound && !leaves_blocks_out) {
    judge.at_least("startups", record.startups, bound->startups);
    judge.at_least("message_times", record.message_times, bound->message_times);
  }
  if (expectations.unbuffered && record.waits.watched)
    judge.equal("blocks that waited", record.waits.blocks, 0);
  return {.judged = true, .broken = judge.broken()};
}

}  // namespace lockstep
