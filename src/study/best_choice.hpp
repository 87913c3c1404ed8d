// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Which of several rows is the cheapest at a ratio t_s/t_m, in the order of catalog/ranking.hpp.
///
///     rivals_under(rows, "star:5", "single-port").best({"0.1", {.t_s = 0.1}})

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/ranking.hpp"
#include "lockstep/core/fraction.hpp"
#include "lockstep/cost/model.hpp"
#include "report/fields.hpp"
#include "study/run_series.hpp"

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

/// An algorithm that might be the fastest under a port model that it does not declare.
struct NotTried {
  std::string algorithm;
  std::string port_model;
  std::string reason;  ///< "a trial takes too long"

  bool operator==(const NotTried&) const = default;
};
/// Finds out whether rows keep the rules of the port models of the others, by trials
/// (catalog/trial.hpp). Only rows that could win are tried. Row i is that of request i. Returns
/// what takes too long to try.
[[nodiscard]] std::vector<NotTried> try_other_port_models(std::vector<report::Fields>& rows,
                                                          const RunSeries& series);
/// "not tried: shortest-paths under single-port; a trial takes too long", a line each.
[[nodiscard]] std::string text_of(const std::vector<NotTried>& not_tried);
[[nodiscard]] std::vector<report::Fields> rows_of(const std::vector<NotTried>& not_tried);

}  // namespace lockstep::study
