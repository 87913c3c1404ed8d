// SPDX-License-Identifier: Apache-2.0
#include "lockstep/cost/model.hpp"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

/// Bytes that t_m is told to be of; a block of none counts as one byte.
[[nodiscard]] std::uint64_t charged_bytes(std::size_t block_bytes) noexcept {
  return std::max<std::uint64_t>(block_bytes, 1);
}

double time(const Cost& cost, const CostParameters& host, double word_time) {
  return static_cast<double>(cost.startups) * host.t_s + cost.message_times.value() * host.t_m +
         static_cast<double>(cost.control_words) * word_time;
}

}  // namespace

double CostParameters::word_time(std::size_t block_bytes) const noexcept {
  return t_w.value_or(t_m * static_cast<double>(word_bytes) /
                      static_cast<double>(charged_bytes(block_bytes)));
}

Cost words_as_blocks(const Cost& cost, std::size_t block_bytes) {
  if (cost.control_words == 0) return cost;
  return {
      cost.startups,
      cost.message_times + Fraction(cost.control_words * word_bytes, charged_bytes(block_bytes)),
      0};
}

double modelled(const Cost& counted, const CostParameters& host, std::size_t block_bytes) noexcept {
  return time(counted, host, host.word_time(block_bytes));
}

double predicted(const Cost& promise, const CostParameters& host,
                 std::size_t block_bytes) noexcept {
  return time(promise, host, host.word_time(block_bytes));
}

bool takes_less_time(const Cost& a, const Cost& b, const CostParameters& host,
                     std::size_t block_bytes) {
  constexpr double rounding = 1e-12;
  // Terms that are equal cancel exactly.
  const auto difference = [](const Fraction& x, const Fraction& y) {
    return x < y ? -(y - x).value() : (x - y).value();
  };
  const Cost first = host.t_w ? a : words_as_blocks(a, block_bytes);
  const Cost second = host.t_w ? b : words_as_blocks(b, block_bytes);
  const double startups = difference(first.startups, second.startups) * host.t_s;
  const double times = difference(first.message_times, second.message_times) * host.t_m;
  const double words = difference(first.control_words, second.control_words) * host.t_w.value_or(0);
  const double all = std::abs(startups) + std::abs(times) + std::abs(words);
  return startups + times + words < -rounding * all;
}

double least_time(const LowerBound& bound, const CostParameters& host) noexcept {
  const double least = time(bound.least, host, 0);
  if (bound.latency.last == 0 || host.t_s <= 0) return least;
  // Message times fall and start-ups rise with the steps; their sum is least where the derivative
  // is 0, or at the fewest steps.
  const auto at = [&](double steps) {
    const std::uint64_t whole =
        std::max<std::uint64_t>({bound.least.startups, static_cast<std::uint64_t>(steps), 1});
    return static_cast<double>(whole) * host.t_s + bound.latency.message_times(whole) * host.t_m;
  };
  const double windows = bound.latency.windows.value();
  const double best = windows +
                      std::sqrt(windows * bound.latency.times.value() * host.t_m / host.t_s) -
                      static_cast<double>(bound.latency.last - 1);
  const double steps = std::clamp(best, 1.0, 1e15);
  return std::max(least, std::min(at(std::floor(steps)), at(std::ceil(steps))));
}

double execution_time_improved(const Cost& ours, const Cost& baseline, const CostParameters& host,
                               std::size_t block_bytes) noexcept {
  const double whole = predicted(baseline, host, block_bytes);
  return whole > 0 ? 1 - predicted(ours, host, block_bytes) / whole : 0;
}

std::optional<Fraction> break_even(const Cost& ours, const Cost& baseline,
                                   std::size_t block_bytes) {
  // ours < baseline  <=>  (ours tm - baseline tm) t_m < (baseline ts - ours ts) t_s
  if (ours.startups > baseline.startups) return std::nullopt;
  const std::uint64_t saved = baseline.startups - ours.startups;
  const Fraction own = words_as_blocks(ours, block_bytes).message_times;
  const Fraction others = words_as_blocks(baseline, block_bytes).message_times;
  if (own < others) return Fraction{};
  if (saved == 0) return std::nullopt;
  return (own - others) / saved;
}

}  // namespace lockstep
