// SPDX-License-Identifier: Apache-2.0

/// Which algorithm, which h and which packets at which t_s/t_m: from what every choice promises,
/// which tests hold against the machine. Time is told of all steps; a control word costs nothing,
/// as trees in packets are given for nothing what the words find out.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/joined.hpp"
#include "papers/torus/torus.hpp"

namespace lockstep::papers::torus {

namespace {

/// One choice of a parameter: its time is a straight line over t_s/t_m.
struct Line {
  std::uint64_t value;  ///< h, or blocks of a packet
  double steps;
  double times;

  [[nodiscard]] double at(double ratio) const { return steps * ratio + times; }
};

[[nodiscard]] Line line_of(Job job, std::string_view parameter, std::uint64_t value) {
  job.settings[parameter] = value;
  const auto run = prepare(request_of(job), false);
  const RunForecast& forecast = run->forecast();
  return {value, static_cast<double>(forecast.footprint.steps),
          forecast.predicted.value_or(Cost{}).message_times.value()};
}

/// The lines of the algorithm and the side in the row, by h.
[[nodiscard]] std::vector<Line> over_divisors(const Call& call) {
  const auto n = call.number("n");
  const Job job = many_to_all(n, call.number(0), call.text("algorithm"), {});
  std::vector<Line> lines;
  for (std::uint64_t h = 1; h <= n; ++h)
    if (n % h == 0) lines.push_back(line_of(job, "h", h));
  return lines;
}

/// The lines of spanning trees, by packets of 1, 2, 4, .. blocks, and all of a tree.
[[nodiscard]] std::vector<Line> over_packets(const Call& call) {
  const auto n = call.number("n");
  const Job job = many_to_all(n, call.number(0), "edst", {});
  const std::uint64_t share = (call.number(0) + 3) / 4;
  std::vector<Line> lines;
  for (std::uint64_t packet = 1; packet < share; packet *= 2)
    lines.push_back(line_of(job, "packet", packet));
  lines.push_back(line_of(job, "packet", share));
  return lines;
}

[[nodiscard]] const Line& best_at(const std::vector<Line>& lines, double ratio) {
  return *std::ranges::min_element(lines, {}, [ratio](const Line& l) { return l.at(ratio); });
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
  std::ranges::sort(meet);
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

}  // namespace

Functions choice_functions() {
  return {{"crossover",
           [](const Call& call) {
             const auto from = crossover(over_divisors(call), over_packets(call));
             return !from ? "never" : fmt::format("{:.3g}", *from);
           }},
          {"best_h", [](const Call& call) {
             const std::vector<Line> lines = over_divisors(call);
             return joined(std::array{0.1, 1.0, 10.0, 100.0, 1000.0}, "/",
                           [&](double ratio) { return best_at(lines, ratio).value; });
           }}};
}

}  // namespace lockstep::papers::torus
