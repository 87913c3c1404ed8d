// SPDX-License-Identifier: Apache-2.0
#include "study/process_link.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/invalid.hpp"
#include "core/physical_units.hpp"
#include "core/words.hpp"

namespace lockstep::study {

ProcessLink parse_link(const std::string& text) {
  std::string_view rest = text;
  const std::optional<double> latency = seconds_of(next_piece(rest, ','));
  const std::optional<double> rate = bytes_per_second_of(rest);
  if (!latency || !rate || *rate == 0)
    throw invalid(
        "--link: '{}' is not valid; expected LATENCY,BANDWIDTH, such as 2us,10GB/s; a "
        "latency is a number with ns, us, ms or s, a bandwidth a positive number with "
        "kB/s, MB/s, GB/s, TB/s, kbit/s, Mbit/s, Gbit/s or Tbit/s",
        text);
  return {*latency, *rate};
}

SharedRunForecast shared_forecast(const RunForecast& run, double setup_seconds, double seconds,
                                  const CrossingForecast& crossing, const ProcessLink& link) {
  const auto processes = std::uint64_t{run.processes};
  constexpr double seconds_per_message = 6e-8;  // to pack and unpack it, on a server of the 2020s
  const std::uint64_t most_nodes = (run.nodes + processes - 1) / processes;
  const double part = static_cast<double>(most_nodes) / static_cast<double>(run.nodes);
  return {.link = link,
          .crossing = crossing,
          .compute_seconds = setup_seconds + part * std::max(0.0, seconds - setup_seconds),
          .exchange_seconds = static_cast<double>(crossing.exchanges) *
                                  static_cast<double>(processes - 1) * link.latency_seconds +
                              static_cast<double>(crossing.most_messages) * seconds_per_message +
                              static_cast<double>(crossing.most_bytes) / link.bytes_per_second};
}

}  // namespace lockstep::study
