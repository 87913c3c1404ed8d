// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Which of several rows is the cheapest at a ratio t_s/t_m, in the order of catalog/ranking.hpp.
///
///     rivals_under(rows, "star:5", "single-port").best({"0.1", {.t_s = 0.1}})

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/ranking.hpp"
#include "lockstep/core/fraction.hpp"
#include "lockstep/cost/model.hpp"
#include "report/fields.hpp"

namespace lockstep::study {

struct NamedRatio {
  std::string_view text;
  std::uint64_t numerator;
  std::uint64_t denominator;

  [[nodiscard]] Fraction exact() const { return {numerator, denominator}; }
  [[nodiscard]] double value() const { return exact().value(); }
};
/// The ratios of the papers: start-ups are cheap, as expensive as a block, or expensive.
inline constexpr std::array<NamedRatio, 3> paper_ratios{
    {{"0.1", 1, 10}, {"1", 1, 1}, {"100", 100, 1}}};

/// The ratios of `compare`: those of the papers, and more with expensive start-ups.
inline constexpr std::array<NamedRatio, 5> compared_ratios{
    {{"0.1", 1, 10}, {"1", 1, 1}, {"10", 10, 1}, {"100", 100, 1}, {"1000", 1000, 1}}};

/// 10^-3, 10^-2.75, .., 10^6: the ratios of plots.
[[nodiscard]] std::vector<double> plotted_ratios();

/// The costs that rows are ranked by.
struct Ranking {
  std::string text;  ///< "0.1"; "50/1" is t_s/t_m of a host
  CostParameters costs{};
};
/// By these ratios, and by the times of the host unless they are one of the ratios.
[[nodiscard]] std::vector<Ranking> rankings_with(std::span<const NamedRatio> ratios,
                                                 const std::optional<CostParameters>& host);

/// The charged cost of a row, and whether its algorithm declares the port model or a weaker one.
/// Precondition: the row has its costs.
[[nodiscard]] catalog::Ranked rank_of(const report::Fields& row, std::string_view port_model);

/// Rows of a network that went well, and whose runs keep the rules of a port model, in their order.
struct Rivals {
  std::string topology;
  std::string port_model;
  std::vector<const report::Fields*> rows{};
  std::optional<std::uint64_t> bytes{};  ///< of a block, where the ranking depends on them

  /// "star:5, single-port, 64 bytes", as far as these distinguish rivals.
  [[nodiscard]] std::string name(bool with_port_model) const;
  /// The first of the ranking, by the costs that were counted. Precondition: there is one.
  [[nodiscard]] const report::Fields& best(const Ranking& ranking) const;
};
/// The choice of a row: "packing, k = 3"; without the algorithm unless it is asked for, or the
/// settings do not say which.
[[nodiscard]] std::string choice_in(const report::Fields& row, bool with_algorithm);
/// They refer to these rows (study/run_row.hpp).
[[nodiscard]] Rivals rivals_under(std::span<const report::Fields> rows, std::string topology,
                                  std::string port_model);

/// For every network and every port model that its rows were run under; for every block length,
/// where padding or control words make the ranking depend on it.
[[nodiscard]] std::vector<Rivals> all_rivals(std::span<const report::Fields> rows);

}  // namespace lockstep::study
