// SPDX-License-Identifier: Apache-2.0
#include "core/physical_units.hpp"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <span>

namespace lockstep {
namespace {

struct PhysicalUnit {
  std::string_view name;
  double size;
};
constexpr PhysicalUnit times[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
constexpr PhysicalUnit rates[] = {{"B/s", 1},          {"kB/s", 1e3},       {"MB/s", 1e6},
                                  {"GB/s", 1e9},       {"TB/s", 1e12},      {"kbit/s", 1e3 / 8},
                                  {"Mbit/s", 1e6 / 8}, {"Gbit/s", 1e9 / 8}, {"Tbit/s", 1e12 / 8}};

[[nodiscard]] std::optional<double> value_in(std::string_view text,
                                             std::span<const PhysicalUnit> units) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value) || value < 0) return std::nullopt;
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const PhysicalUnit& known : units)
    if (known.name == unit) return value * known.size;
  return std::nullopt;
}

}  // namespace

std::optional<double> seconds_of(std::string_view text) { return value_in(text, times); }
std::optional<double> bytes_per_second_of(std::string_view text) { return value_in(text, rates); }

}  // namespace lockstep
