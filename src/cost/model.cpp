// SPDX-License-Identifier: Apache-2.0
#include "lockstep/cost/model.hpp"

#include <cstdint>

namespace lockstep {
namespace {

double time(std::uint64_t startups, std::uint64_t parts, std::uint64_t parts_per_block,
            const CostParameters& host) {
  const double blocks = static_cast<double>(parts) / static_cast<double>(parts_per_block);
  return static_cast<double>(startups) * host.t_s + blocks * host.t_m;
}

}  // namespace

double modelled(const RunRecord& record, const CostParameters& host,
                std::uint64_t parts_per_block) noexcept {
  return time(record.startups, record.message_times, parts_per_block, host);
}

double predicted(const Promise& promise, const CostParameters& host,
                 std::uint64_t parts_per_block) noexcept {
  return time(promise.startups, promise.message_times, parts_per_block, host);
}

double least_time(const LowerBound& bound, const CostParameters& host,
                  std::uint64_t parts_per_block) noexcept {
  return time(bound.startups, bound.message_times, parts_per_block, host);
}

double execution_time_improved(const Promise& ours, const Promise& baseline,
                               const CostParameters& host) noexcept {
  const double whole = predicted(baseline, host);
  return whole > 0 ? 1 - predicted(ours, host) / whole : 0;
}

std::optional<Fraction> break_even(const Promise& ours, const Promise& baseline) {
  // ours < baseline  <=>  (ours tm - baseline tm) t_m < (baseline ts - ours ts) t_s
  if (ours.startups > baseline.startups) return std::nullopt;
  const std::uint64_t saved = baseline.startups - ours.startups;
  if (ours.message_times < baseline.message_times) return Fraction{};
  if (saved == 0) return std::nullopt;
  return Fraction{ours.message_times - baseline.message_times, saved};
}

}  // namespace lockstep
