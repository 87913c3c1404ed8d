// SPDX-License-Identifier: Apache-2.0

/// Which algorithm, which h and which packets at which t_s/t_m: from what every choice promises,
/// which tests hold against the machine. Time is told of all steps; a control word costs nothing,
/// as trees in packets are given for nothing what the words find out.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "papers/torus/torus.hpp"

namespace lockstep::papers::torus {
namespace {

constexpr std::array<std::size_t, 7> sides{5, 10, 15, 20, 25, 30, 50};
constexpr std::array<std::string_view, 2> aggregations{"aggregation", "aggregation-plus"};

/// One choice of a parameter: its time is a straight line over t_s/t_m.
struct Line {
  std::uint64_t value;  ///< h, or blocks of a packet
  double steps;
  double times;

  [[nodiscard]] double at(double ratio) const { return steps * ratio + times; }
};

/// Of how many messages.
struct Load {
  std::string_view name;
  std::uint64_t (*messages)(std::uint64_t n);
};
constexpr std::array<Load, 4> loads{
    {{"s = 20", [](std::uint64_t) { return std::uint64_t{20}; }},
     {"s = n", [](std::uint64_t n) { return n; }},
     {"s = floor(n^2/4)", [](std::uint64_t n) { return n * n / 4; }},
     {"s = n^2", [](std::uint64_t n) { return n * n; }}}};

[[nodiscard]] Line line_of(Broadcast broadcast, std::string_view parameter, std::uint64_t value) {
  broadcast.settings[parameter] = value;
  const auto run = prepare(request_of(broadcast), false);
  const RunEstimate& estimate = run->estimate();
  return {value, static_cast<double>(estimate.footprint.steps),
          estimate.predicted.value_or(Cost{}).message_times.value()};
}

[[nodiscard]] std::vector<Line> over_divisors(const Broadcast& broadcast) {
  std::vector<Line> lines;
  for (std::uint64_t h = 1; h <= broadcast.n; ++h)
    if (broadcast.n % h == 0) lines.push_back(line_of(broadcast, "h", h));
  return lines;
}

/// Of 1, 2, 4, .. blocks, and all of a tree.
[[nodiscard]] std::vector<Line> over_packets(Broadcast broadcast) {
  broadcast.algorithm = "edst";
  const std::uint64_t share = (broadcast.messages + 3) / 4;
  std::vector<Line> lines;
  for (std::uint64_t packet = 1; packet < share; packet *= 2)
    lines.push_back(line_of(broadcast, "packet", packet));
  lines.push_back(line_of(broadcast, "packet", share));
  return lines;
}

[[nodiscard]] const Line& best_at(const std::vector<Line>& lines, double ratio) {
  return *std::min_element(lines.begin(), lines.end(), [ratio](const Line& a, const Line& b) {
    return a.at(ratio) < b.at(ratio);
  });
}

/// The least ratio from which on the best of `ours` is no dearer than the best of `theirs`: between
/// two ratios at which a line of each meet, nothing changes. Empty: dearer at the end.
[[nodiscard]] std::optional<double> crossover(const std::vector<Line>& ours,
                                              const std::vector<Line>& theirs) {
  std::vector<double> meet{0};
  for (const Line& a : ours)
    for (const Line& b : theirs)
      if (a.steps != b.steps && (b.times - a.times) / (a.steps - b.steps) > 0)
        meet.push_back((b.times - a.times) / (a.steps - b.steps));
  std::sort(meet.begin(), meet.end());
  meet.push_back(2 * meet.back() + 1);
  const auto is_dearer = [&](double ratio) {
    constexpr double rounding = 1e-9;
    const double least = best_at(theirs, ratio).at(ratio);
    return best_at(ours, ratio).at(ratio) > least * (1 + rounding);
  };
  if (is_dearer(meet.back())) return std::nullopt;
  for (std::size_t i = meet.size() - 1; i-- > 0;)
    if (is_dearer((meet[i] + meet[i + 1]) / 2)) return meet[i + 1];
  return 0;
}

/// In the column of its load.
[[nodiscard]] PaperRow entry(std::string where, std::string_view quantity, std::size_t n,
                             const Load& load, std::string ours) {
  PaperRow row = claim(std::move(where), n, std::string(quantity), "", std::move(ours));
  row.curve = load.name;
  return row;
}

}  // namespace

bool has_algorithm(std::string_view name) {
  const auto& all = algorithm_catalog();
  return std::any_of(all.begin(), all.end(),
                     [&](const AlgorithmEntry& entry) { return entry.info.name == name; });
}

PaperRows crossovers() {
  PaperRows rows;
  for (const std::string_view name : aggregations) {
    if (!has_algorithm(name)) continue;
    for (const std::size_t n : sides)
      for (const Load& load : loads) {
        const Broadcast broadcast{
            .n = n, .messages = load.messages(n), .algorithm = std::string(name)};
        const auto from = crossover(over_divisors(broadcast), over_packets(broadcast));
        rows.push_back(entry(fmt::format("Ours: {} and edst at their best, predicted", name),
                             "t_s/t_m from which on aggregation takes no more time", n, load,
                             !from ? "never" : fmt::format("{:.3g}", *from)));
      }
  }
  return rows;
}

PaperRows best_subtori() {
  constexpr std::array ratios{0.1, 1.0, 10.0, 100.0, 1000.0};
  PaperRows rows;
  for (const std::string_view name : aggregations) {
    if (!has_algorithm(name)) continue;
    for (const std::size_t n : sides)
      for (const Load& load : loads) {
        const std::vector<Line> lines =
            over_divisors({.n = n, .messages = load.messages(n), .algorithm = std::string(name)});
        std::string best;
        for (const double ratio : ratios)
          best += fmt::format("{}{}", best.empty() ? "" : "/", best_at(lines, ratio).value);
        rows.push_back(entry(fmt::format("Ours: best h of {}, predicted", name),
                             "h of least time for t_s/t_m = 0.1/1/10/100/1000", n, load, best));
      }
  }
  return rows;
}

}  // namespace lockstep::papers::torus
