// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The scale of an axis: from values to a share of its length, and its ticks.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "report/plot.hpp"

namespace lockstep::report {

struct Tick {
  double place;  ///< 0 .. 1
  std::string label;
};

/// 0.05, 1,200, 15 M, 2e-07
[[nodiscard]] inline std::string tick_label(double value) {
  constexpr double million = 1e6;
  const double size = std::abs(value);
  if (size >= 1e15 || (size != 0 && size < 1e-3)) return fmt::format("{:g}", value);
  if (size >= 1e12) return fmt::format("{:g} T", value / 1e12);
  if (size >= 1e9) return fmt::format("{:g} G", value / 1e9);
  if (size >= million) return fmt::format("{:g} M", value / million);
  if (size < 1e3) return fmt::format("{:g}", value);
  const auto whole = static_cast<std::uint64_t>(std::llround(size));
  return fmt::format("{}{},{:03}", value < 0 ? "-" : "", whole / 1000, whole % 1000);
}

class PlotScale {
 public:
  /// `values` of all marks; `from_zero`: bars need their foot.
  PlotScale(const Axis& axis, std::vector<double> values, bool from_zero) : axis_(axis) {
    if (!axis.names.empty()) {
      low_ = -0.5;
      high_ = static_cast<double>(axis.names.size()) - 0.5;
      return;
    }
    std::erase_if(values,
                  [&](double v) { return !std::isfinite(v) || (axis.logarithmic && v <= 0); });
    if (values.empty()) values = {1, 10};
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    low_ = of(*least);
    high_ = of(*most);
    if (axis.logarithmic) {
      widen_decades();
      return;
    }
    if (from_zero || (low_ > 0 && (low_ < 0.6 * high_ || low_ == high_)))
      low_ = std::min(low_, 0.0);
    if (low_ == high_) high_ += low_ == 0 ? 1 : std::abs(low_);
    step_ = nice_step((high_ - low_) / 5);
    low_ = std::floor(low_ / step_ + 1e-9) * step_;
    high_ = std::ceil(high_ / step_ - 1e-9) * step_;
  }

  [[nodiscard]] bool shows(double value) const {
    return std::isfinite(value) && (!axis_.logarithmic || value > 0);
  }
  /// Precondition: it is shown.
  [[nodiscard]] double place(double value) const { return (of(value) - low_) / (high_ - low_); }
  [[nodiscard]] double foot() const {
    return axis_.logarithmic ? 0 : std::clamp(place(0), 0.0, 1.0);
  }
  /// The length of one of its names.
  [[nodiscard]] double share_of_a_name() const { return 1 / (high_ - low_); }

  [[nodiscard]] std::vector<Tick> ticks() const {
    std::vector<Tick> all;
    if (!axis_.names.empty()) {
      for (std::size_t i = 0; i < axis_.names.size(); ++i)
        all.push_back({place(static_cast<double>(i)), axis_.names[i]});
    } else if (axis_.logarithmic) {
      const double decades = std::ceil((high_ - low_) / 7);
      const bool between = high_ - low_ <= 2.5;
      for (double exponent = std::floor(low_); exponent <= high_ + 1e-9; exponent += decades)
        for (const double digit : {1.0, 2.0, 5.0})
          if (digit == 1 || between) add_tick(all, digit * std::pow(10, exponent));
    } else {
      const auto count = static_cast<int>(std::lround((high_ - low_) / step_));
      for (int i = 0; i <= count; ++i) {
        const double value = low_ + i * step_;
        add_tick(all, std::abs(value) < step_ / 1e6 ? 0 : value);
      }
    }
    return all;
  }

 private:
  [[nodiscard]] double of(double value) const {
    return axis_.logarithmic ? std::log10(value) : value;
  }
  void add_tick(std::vector<Tick>& all, double value) const {
    const double at = place(value);
    if (at > -1e-6 && at < 1 + 1e-6) all.push_back({at, tick_label(value)});
  }
  void widen_decades() {
    const double more = std::max(0.05, 0.04 * (high_ - low_));
    low_ -= more;
    high_ += more;
    if (high_ - low_ >= 1) return;  // a decade is the least that tells something
    const double middle = (low_ + high_) / 2;
    low_ = middle - 0.5;
    high_ = middle + 0.5;
  }
  /// 1, 2 or 5 times a power of ten.
  [[nodiscard]] static double nice_step(double rough) {
    const double power = std::pow(10, std::floor(std::log10(rough)));
    for (const double digit : {1.0, 2.0, 5.0})
      if (rough <= digit * power * (1 + 1e-9)) return digit * power;
    return 10 * power;
  }

  const Axis& axis_;
  double low_ = 0;
  double high_ = 1;
  double step_ = 1;
};

}  // namespace lockstep::report
