// SPDX-License-Identifier: Apache-2.0
#include "lockstep/cost/model.hpp"

namespace lockstep {
namespace {

double time(const Cost& cost, const CostParameters& host) {
  return static_cast<double>(cost.startups) * host.t_s + cost.message_times.value() * host.t_m +
         static_cast<double>(cost.control_words) * host.t_w;
}

}  // namespace

double modelled(const Cost& counted, const CostParameters& host) noexcept {
  return time(counted, host);
}

double predicted(const Cost& promise, const CostParameters& host) noexcept {
  return time(promise, host);
}

double least_time(const LowerBound& bound, const CostParameters& host) noexcept {
  return time(bound.least, host);
}

double execution_time_improved(const Cost& ours, const Cost& baseline,
                               const CostParameters& host) noexcept {
  const double whole = predicted(baseline, host);
  return whole > 0 ? 1 - predicted(ours, host) / whole : 0;
}

std::optional<Fraction> break_even(const Cost& ours, const Cost& baseline) {
  // ours < baseline  <=>  (ours tm - baseline tm) t_m < (baseline ts - ours ts) t_s
  if (ours.startups > baseline.startups) return std::nullopt;
  const std::uint64_t saved = baseline.startups - ours.startups;
  const Fraction own = ours.message_times + ours.control_words;
  const Fraction others = baseline.message_times + baseline.control_words;
  if (own < others) return Fraction{};
  if (saved == 0) return std::nullopt;
  return (own - others) / saved;
}

}  // namespace lockstep
