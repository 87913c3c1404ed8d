// SPDX-License-Identifier: Apache-2.0

/// The results of tuning, as plots and tables.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/plot_scale.hpp"
#include "report/quantities.hpp"
#include "report/run_document.hpp"
#include "study/tuning_report.hpp"

namespace lockstep::study {
namespace {

using report::Curve;
using report::Draw;
using report::Plot;
using report::Section;

/// A curve for every variant that is the best one at some t_s/t_m.
[[nodiscard]] Plot cost_over_best(const Contest& contest) {
  Plot plot{.title = "Cost of the winners relative to the best variant, against t_s/t_m",
            .x = {"t_s/t_m", "", true},
            .y = {"cost / least cost", "", true},
            .note = "Every variant that is best somewhere has a curve."};
  std::vector<CostParameters> costs;
  std::vector<std::size_t> winners;
  for (const double ratio : plotted_ratios()) {
    costs.push_back({.t_s = ratio, .t_m = 1});
    const std::size_t best = contest.best(costs.back());
    if (std::ranges::find(winners, best) == winners.end()) winners.push_back(best);
  }
  for (const std::size_t i : winners) {
    Curve& curve =
        plot.curves.emplace_back(Curve{.name = contest.entries[i].name, .draw = Draw::line});
    for (const CostParameters& at : costs)
      if (const double least = contest.time(contest.best(at), at); least > 0)
        curve.marks.push_back({.x = at.t_s, .y = contest.time(i, at) / least});
  }
  return plot;
}

[[nodiscard]] std::vector<Section> with_skipped(Section section, const Contest& contest) {
  std::vector<Section> sections{std::move(section)};
  if (!contest.left_out.empty())
    sections.push_back({.heading = "Skipped", .rows = rows_of(contest.left_out)});
  return sections;
}

constexpr std::size_t most_bars = 16;

}  // namespace

std::vector<Section> ranking_sections(const Contest& contest, const CostParameters& costs,
                                      std::size_t most) {
  Plot bars{.title = "Terms of the modelled time",
            .x = {"variant"},
            .y = {"time", "units of t_s, t_m", true},
            .curves = {{.name = "start-ups x t_s", .draw = Draw::bars},
                       {.name = "message times x t_m", .draw = Draw::bars}}};
  const std::vector<std::size_t> order = contest.ranking(costs);
  for (std::size_t rank = 0; rank < std::min({most, most_bars, order.size()}); ++rank) {
    const ContestEntry& entry = contest.entries[order[rank]];
    const double startups = static_cast<double>(entry.charged.startups) * costs.t_s;
    add_bars(bars, entry.name, {startups, contest.time(order[rank], costs) - startups});
  }
  return with_skipped({.heading = "Variants",
                       .plots = {std::move(bars), cost_over_best(contest)},
                       .rows = ranking_rows(contest, costs, most)},
                      contest);
}

std::vector<Section> host_sections(const Contest& contest, const HostRanking& ranking,
                                   std::size_t most) {
  Plot times{.title = "Predicted and measured wall time",
             .x = {"variant"},
             .y = {"wall time"},
             .curves = {{.name = "predicted", .draw = Draw::bars},
                        {.name = "measured", .draw = Draw::bars}}};
  std::vector<report::Explained> points;
  std::vector<std::size_t> order = ranking.measured;
  std::ranges::copy_if(ranking.predicted, std::back_inserter(order),
                       [&](std::size_t i) { return !contest.entries[i].measured_seconds; });
  for (const std::size_t i : order) {
    const ContestEntry& entry = contest.entries[i];
    if (points.size() < std::min(most, most_bars))
      add_bars(times, entry.name, {entry.predicted_seconds, entry.measured_seconds});
    points.push_back({.model = entry.predicted_seconds.value_or(0),
                      .measured = entry.measured_seconds.value_or(0),
                      .name = entry.name});
  }
  in_fitting_seconds(times.y, times.curves, &report::Mark::y);
  std::vector<Plot> plots = report::runs_against_model(std::move(points), {"rank"}, true);
  plots.insert(plots.begin(), std::move(times));
  return with_skipped(
      {.heading = "Variants",
       .sentences = {fmt::format(
           "Rank agreement of predicted and measured times (Kendall's tau): {:.2f} of 1.",
           ranking.agreement)},
       .plots = std::move(plots),
       .rows = host_rows(contest, ranking, most)},
      contest);
}

std::vector<Section> map_sections(const Contest& contest, const std::vector<MapCell>& cells) {
  Plot plot{.title = "Best variant by t_s/t_m and block length",
            .x = {"block length"},
            .y = {"t_s/t_m"},
            .note = fmt::format("t_s/t_m is that of a block of {}; t_m grows with the block.",
                                report::bytes_text(contest.block_bytes))};
  for (const MapCell& cell : cells)
    curve_named(plot.curves, contest.entries[cell.entry].name, Draw::cells)
        .marks.push_back({.x = place_named(plot.x, report::bytes_text(cell.block_bytes)),
                          .y = place_named(plot.y, report::tick_label(cell.ratio)),
                          .name = fmt::format("time {:.6g}", cell.time)});
  return with_skipped({.heading = "Winners",
                       .plots = {std::move(plot), cost_over_best(contest)},
                       .rows = map_rows(contest, cells)},
                      contest);
}

}  // namespace lockstep::study
