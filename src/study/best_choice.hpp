// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Which of several runs is the cheapest at a ratio t_s/t_m; compared as integers, so that a tie is
/// a tie: of equals the first one counts.
///
///     best_at({1, 10}, {Cost{229, 474}, Cost{251, 442}}) == 1        // t_s/t_m = 0.1
///     rivals_under(rows, "star:5", "single-port").best({"0.1", Fraction{1, 10}})

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/core/expects.hpp"
#include "lockstep/core/fraction.hpp"
#include "lockstep/cost/model.hpp"
#include "lockstep/program/cost.hpp"
#include "report/fields.hpp"

namespace lockstep::study {

struct NamedRatio {
  std::string_view text;
  std::uint64_t numerator;
  std::uint64_t denominator;

  [[nodiscard]] Fraction exact() const { return {numerator, denominator}; }
};
/// Of the papers: start-ups cheap, as dear as a block, dear.
inline constexpr std::array<NamedRatio, 3> paper_ratios{
    {{"0.1", 1, 10}, {"1", 1, 1}, {"100", 100, 1}}};

/// What `compare` tells: those of the papers, and more on the side of dear start-ups.
inline constexpr std::array<NamedRatio, 5> compared_ratios{
    {{"0.1", 1, 10}, {"1", 1, 1}, {"10", 10, 1}, {"100", 100, 1}, {"1000", 1000, 1}}};

/// Index of the least startups * ratio + message_times; empty where there is none. Precondition:
/// no cost has control words; words_as_blocks() adds them to the message times.
[[nodiscard]] inline std::optional<std::size_t> best_at(const Fraction& ratio,
                                                        const std::vector<Cost>& costs) {
  // Times the denominators of the ratio and of both.
  const auto time = [&](const Cost& cost, const Cost& other) {
    expects(cost.control_words == 0, "best_at: no cost has control words");
    const Fraction& times = cost.message_times;
    return (WideCount{cost.startups} * ratio.numerator() * times.denominator() +
            WideCount{times.numerator()} * ratio.denominator()) *
           other.message_times.denominator();
  };
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < costs.size(); ++i)
    if (!best || time(costs[i], costs[*best]) < time(costs[*best], costs[i])) best = i;
  return best;
}

/// What rows are ranked by.
struct Ranking {
  std::string text;                 ///< "0.1"; "50/1" is t_s/t_m of a host
  std::optional<Fraction> ratio{};  ///< t_s/t_m; empty: the time of the rows
};
/// By these ratios.
[[nodiscard]] std::vector<Ranking> rankings_by(std::span<const NamedRatio> ratios);
/// By the time for that host.
[[nodiscard]] Ranking ranking_by(const CostParameters& host);
/// Whether the host has one of these ratios.
[[nodiscard]] bool has_ratio(const CostParameters& host, std::span<const NamedRatio> ratios);

/// Rows of a network that went well, by algorithms that a port model admits, in their order.
struct Rivals {
  std::string topology;
  std::string port_model;
  std::vector<const report::Fields*> rows{};

  /// The cheapest, by the costs that were counted. Precondition: there is one.
  [[nodiscard]] const report::Fields& best(const Ranking& ranking) const;
};
/// What a row chose: "packing, k = 3"; without the algorithm unless it is asked for, or the
/// settings do not say which.
[[nodiscard]] std::string choice_in(const report::Fields& row, bool with_algorithm);
/// They refer to these rows (study/run_row.hpp).
[[nodiscard]] Rivals rivals_under(std::span<const report::Fields> rows, std::string topology,
                                  std::string port_model);

}  // namespace lockstep::study
