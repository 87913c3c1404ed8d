// SPDX-License-Identifier: Apache-2.0
#include "report/quantities.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "lockstep/core/detail/counted.hpp"

namespace lockstep::report {

std::string count_text(std::uint64_t count) { return grouped(count); }

std::string count_text(const Fraction& count) {
  const std::string whole = count_text(count.numerator());
  return count.denominator() == 1 ? whole : whole + "/" + count_text(count.denominator());
}

std::string number_text(double number) {
  constexpr double largest_exact = 9e15;
  if (!(std::abs(number) < largest_exact)) return fmt::format("{:.6g}", number);
  const double whole = std::floor(std::abs(number));
  const std::string sign = number < 0 ? "-" : "";
  const double rest = std::abs(number) - whole;
  std::string decimals = rest == 0 ? "" : fmt::format("{:.3g}", rest);
  if (rest != 0 && decimals[0] != '0') return fmt::format("{:.6g}", number);  // rounded up to 1
  if (!decimals.empty()) decimals.erase(0, 1);
  return sign + count_text(static_cast<std::uint64_t>(whole)) + decimals;
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 6> units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  constexpr double base = 1024;
  // Predictions stop there.
  if (bytes == std::numeric_limits<std::uint64_t>::max()) return "16 EiB or more";
  if (bytes < 1024) return fmt::format("{} {}", bytes, bytes == 1 ? "byte" : "bytes");
  double size = static_cast<double>(bytes) / base;
  std::size_t unit = 0;
  while (size >= base && unit + 1 < units.size()) {
    size /= base;
    ++unit;
  }
  return fmt::format("{:.1f} {}", size, units[unit]);
}

std::string seconds_text(double seconds) {
  constexpr double minute = 60;
  constexpr double hour = 3600;
  constexpr double year = 365.25 * 24 * hour;
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.1f} ms", seconds * 1e3);
  if (seconds < minute) return fmt::format("{:.2f} s", seconds);
  if (seconds < hour)
    return fmt::format("{:.0f} min {:.0f} s", std::floor(seconds / minute),
                       std::floor(std::fmod(seconds, minute)));
  if (seconds < 1000 * hour)
    return fmt::format("{:.0f} h {:.0f} min", std::floor(seconds / hour),
                       std::floor(std::fmod(seconds, hour) / minute));
  if (seconds < 2 * year) return fmt::format("{:.0f} days", seconds / (24 * hour));
  return fmt::format("{:.3g} years", seconds / year);
}

std::string rate_text(double per_second) {
  constexpr double kilo = 1e3;
  constexpr double mega = 1e6;
  constexpr double giga = 1e9;
  if (per_second >= giga) return fmt::format("{:.2f} G", per_second / giga);
  if (per_second >= mega) return fmt::format("{:.1f} M", per_second / mega);
  if (per_second >= kilo) return fmt::format("{:.1f} k", per_second / kilo);
  return fmt::format("{:.0f}", per_second);
}

std::string workers_text(std::size_t workers, std::size_t processes) {
  const std::string text = counted(workers, "worker");
  return processes == 1 ? text : fmt::format("{} processes of {}", processes, text);
}

}  // namespace lockstep::report
