// SPDX-License-Identifier: Apache-2.0

/// The results of tuning, as plots and tables.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "report/plot_scale.hpp"
#include "report/quantities.hpp"
#include "report/run_document.hpp"
#include "study/tuning_report.hpp"

namespace lockstep::study {
namespace {

using report::Axis;
using report::Curve;
using report::Draw;
using report::Plot;
using report::Section;

/// One bar per variant and figure, in the order of the ranking.
class VariantBars {
 public:
  VariantBars(std::string title, Axis y, std::initializer_list<std::string> figures)
      : plot_{.title = std::move(title), .x = {"variant"}, .y = std::move(y)} {
    for (const std::string& figure : figures)
      plot_.curves.push_back({.name = figure, .draw = Draw::bars});
  }

  void add(const std::string& variant, std::initializer_list<std::optional<double>> values) {
    const auto x = static_cast<double>(plot_.x.names.size());
    plot_.x.names.push_back(variant);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (const auto& value = values.begin()[i]; value)
        plot_.curves[i].marks.push_back({.x = x, .y = *value});
  }
  [[nodiscard]] Plot plot() && { return std::move(plot_); }

 private:
  Plot plot_;
};

/// A curve for every variant that is the best one at some t_s/t_m.
[[nodiscard]] Plot cost_over_best(const Contest& contest) {
  Plot plot{.title = "Cost of the winners relative to the best variant, against t_s/t_m",
            .x = {"t_s/t_m", "", true},
            .y = {"cost / least cost", "", true},
            .note = "Every variant that is best somewhere has a curve."};
  std::vector<CostParameters> costs;
  std::vector<std::size_t> winners;
  for (int quarter = -12; quarter <= 24; ++quarter) {
    costs.push_back({.t_s = std::pow(10, quarter / 4.0), .t_m = 1});
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

void add_skipped(std::vector<Section>& sections, const Contest& contest) {
  if (!contest.left_out.empty())
    sections.push_back({.heading = "Skipped", .rows = left_out_rows(contest)});
}

constexpr std::size_t most_bars = 16;

}  // namespace

std::vector<Section> ranking_sections(const Contest& contest, const CostParameters& costs,
                                      std::size_t most) {
  VariantBars bars("Terms of the modelled time", {"time", "units of t_s, t_m", true},
                   {"start-ups x t_s", "message times x t_m"});
  const std::vector<std::size_t> order = contest.ranking(costs);
  for (std::size_t rank = 0; rank < std::min({most, most_bars, order.size()}); ++rank) {
    const ContestEntry& entry = contest.entries[order[rank]];
    const double startups = static_cast<double>(entry.charged.startups) * costs.t_s;
    bars.add(entry.name, {startups, contest.time(order[rank], costs) - startups});
  }
  std::vector<Section> sections{{.heading = "Variants",
                                 .plots = {std::move(bars).plot(), cost_over_best(contest)},
                                 .rows = ranking_rows(contest, costs, most)}};
  add_skipped(sections, contest);
  return sections;
}

std::vector<Section> host_sections(const Contest& contest, const HostRanking& ranking,
                                   std::size_t most) {
  VariantBars bars("Predicted and measured wall time", {"wall time"}, {"predicted", "measured"});
  std::vector<report::Explained> points;
  std::vector<std::size_t> order = ranking.measured;
  std::ranges::copy_if(ranking.predicted, std::back_inserter(order),
                       [&](std::size_t i) { return !contest.entries[i].measured_seconds; });
  for (const std::size_t i : order) {
    const ContestEntry& entry = contest.entries[i];
    if (points.size() < std::min(most, most_bars))
      bars.add(entry.name, {entry.predicted_seconds, entry.measured_seconds});
    points.push_back({.model = entry.predicted_seconds.value_or(0),
                      .measured = entry.measured_seconds.value_or(0),
                      .name = entry.name,
                      .place = static_cast<double>(points.size() + 1)});
  }
  Plot times = std::move(bars).plot();
  in_fitting_seconds(times.y, times.curves, &report::Mark::y);
  std::vector<Plot> plots = report::runs_against_model(std::move(points), {"rank"}, true);
  plots.insert(plots.begin(), std::move(times));
  std::vector<Section> sections{
      {.heading = "Variants",
       .sentences = {fmt::format(
           "Rank agreement of predicted and measured times (Kendall's tau): {:.2f} of 1.",
           ranking.agreement)},
       .plots = std::move(plots),
       .rows = host_rows(contest, ranking, most)}};
  add_skipped(sections, contest);
  return sections;
}

std::vector<Section> map_sections(const Contest& contest, const std::vector<MapCell>& cells) {
  Plot plot{.title = "Best variant by t_s/t_m and block length",
            .x = {"block length"},
            .y = {"t_s/t_m"},
            .note = fmt::format("t_s/t_m is that of a block of {}; t_m grows with the block.",
                                report::bytes_text(contest.block_bytes))};
  const auto place = [](std::vector<std::string>& names, const std::string& name) {
    const auto known = std::ranges::find(names, name);
    if (known == names.end()) return names.push_back(name), static_cast<double>(names.size() - 1);
    return static_cast<double>(known - names.begin());
  };
  for (const MapCell& cell : cells) {
    curve_named(plot.curves, contest.entries[cell.entry].name, Draw::cells)
        .marks.push_back({.x = place(plot.x.names, report::bytes_text(cell.block_bytes)),
                          .y = place(plot.y.names, report::tick_label(cell.ratio)),
                          .name = fmt::format("time {:.6g}", cell.time)});
  }
  std::vector<Section> sections{{.heading = "Winners",
                                 .plots = {std::move(plot), cost_over_best(contest)},
                                 .rows = map_rows(contest, cells)}};
  add_skipped(sections, contest);
  return sections;
}

}  // namespace lockstep::study
