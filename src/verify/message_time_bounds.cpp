// SPDX-License-Identifier: Apache-2.0
#include "verify/message_time_bounds.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace lockstep::detail {

Fraction ratio(WideCount volume, WideCount capacity) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  WideCount common = capacity;
  for (WideCount rest = volume; rest != 0;) common = std::exchange(rest, common % rest);
  volume /= common;
  capacity /= common;
  for (; volume > most || capacity > most; volume /= 2) capacity = capacity / 2 + capacity % 2;
  return {static_cast<std::uint64_t>(volume), static_cast<std::uint64_t>(capacity)};
}

void LeastStartups::at_least(std::uint64_t other, std::string_view reason) {
  if (other > count) *this = {other, reason};
}

void LeastMessageTimes::at_least(const Fraction& times, std::string_view reason) {
  undivided_at_least(times.rounded_up(), reason);
  if (times <= least) return;
  least = times;
  least_by = reason;
}

void LeastMessageTimes::undivided_at_least(std::uint64_t times, std::string_view reason) {
  if (times <= undivided) return;
  undivided = times;
  undivided_by = reason;
}

NodePorts::NodePorts(const PortModel& model, std::uint64_t degree)
    : sends(std::min<std::uint64_t>(model.sends, degree)),
      receptions(std::min<std::uint64_t>(model.receptions, degree)),
      both(model.duplex == Duplex::full ? sends + receptions
                                        : std::min(sends + receptions, degree)) {}

Fraction NodePorts::times(WideCount sent, WideCount received) const {
  return std::max({ratio(sent, sends), ratio(received, receptions), ratio(sent + received, both)});
}

LowerBound bound_of(const LeastStartups& startups, LeastMessageTimes times) {
  times.undivided_at_least(startups.count, "start-ups");
  return {.least = {startups.count, times.least},
          .undivided = {startups.count, times.undivided},
          .startups_by = startups.by,
          .message_times_by = times.least_by,
          .undivided_by = times.undivided_by};
}

LowerBound strongest(LowerBound one, const LowerBound& other) {
  const auto raise = [](auto& term, std::string_view& reason, const auto& more,
                        std::string_view other_reason) {
    if (more <= term) return;
    term = more;
    reason = other_reason;
  };
  raise(one.least.startups, one.startups_by, other.least.startups, other.startups_by);
  one.undivided.startups = one.least.startups;
  raise(one.least.message_times, one.message_times_by, other.least.message_times,
        other.message_times_by);
  raise(one.undivided.message_times, one.undivided_by, other.undivided.message_times,
        other.undivided_by);
  if (one.latency.last == 0) one.latency = other.latency;
  return one;
}

LowerBound with_message_times(LowerBound bound, const Fraction& times, std::string_view reason) {
  return strongest(std::move(bound), {.least = {.message_times = times},
                                      .undivided = {.message_times = times.rounded_up()},
                                      .message_times_by = reason,
                                      .undivided_by = reason});
}

}  // namespace lockstep::detail
