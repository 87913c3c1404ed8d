// SPDX-License-Identifier: Apache-2.0
#include "verify/message_time_bounds.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace lockstep::detail {
namespace {

template <class Term>
void raise_term(Term& term, std::string_view& reason, const Term& other,
                std::string_view other_reason) {
  if (other <= term) return;
  term = other;
  reason = other_reason;
}

}  // namespace

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

void raise_message_times(LowerBound& bound, const Fraction& times, std::string_view reason) {
  raise_term(bound.least.message_times, bound.message_times_by, times, reason);
  raise_undivided(bound, times.rounded_up(), reason);
}

void raise_undivided(LowerBound& bound, std::uint64_t times, std::string_view reason) {
  raise_term(bound.undivided.message_times, bound.undivided_by, Fraction(times), reason);
}

NodePorts::NodePorts(const PortModel& model, std::uint64_t degree)
    : sends(std::min<std::uint64_t>(model.sends, degree)),
      receptions(std::min<std::uint64_t>(model.receptions, degree)),
      both(model.duplex == Duplex::full ? sends + receptions
                                        : std::min(sends + receptions, degree)) {}

Fraction NodePorts::times(WideCount sent, WideCount received) const {
  return std::max({ratio(sent, sends), ratio(received, receptions), ratio(sent + received, both)});
}

LowerBound bound_of(const LeastStartups& startups, LowerBound times) {
  raise_undivided(times, startups.count, "start-ups");
  times.least.startups = times.undivided.startups = startups.count;
  times.startups_by = startups.by;
  return times;
}

LowerBound strongest(LowerBound one, const LowerBound& other) {
  raise_term(one.least.startups, one.startups_by, other.least.startups, other.startups_by);
  one.undivided.startups = one.least.startups;
  raise_term(one.least.message_times, one.message_times_by, other.least.message_times,
             other.message_times_by);
  raise_term(one.undivided.message_times, one.undivided_by, other.undivided.message_times,
             other.undivided_by);
  if (one.latency.last == 0) one.latency = other.latency;
  return one;
}

}  // namespace lockstep::detail
