// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/port_ledger.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace lockstep {

PortLedger::PortLedger(const PortModel& model, const ArcLayout& arcs)
    : arcs_(arcs),
      half_duplex_(model.duplex == Duplex::half),
      by_arc_(arcs.ports() > ports_in_word) {
  if (!half_duplex_) return;
  for (auto& sent : sent_) sent.resize(by_arc_ ? 0 : arcs.nodes());
  for (auto& used : used_) used.resize(by_arc_ ? arcs.size() : 0);
}

void settle(std::vector<Violation>& violations) {
  std::ranges::sort(violations, {},
                    [](const Violation& v) { return std::tuple(v.step, v.node, v.rule); });
  std::vector<Violation> settled;
  const auto overrun = [&settled](const Violation& unread) {
    return std::any_of(settled.rbegin(), settled.rend(), [&](const Violation& v) {
      return v.step == unread.step && v.node == unread.node && v.rule == Rule::receptions;
    });
  };
  for (const Violation& next : violations) {
    if (!settled.empty() && settled.back().step == next.step && settled.back().node == next.node &&
        settled.back().rule == next.rule) {
      if (next.port < settled.back().port) {
        settled.back().port = next.port;
        settled.back().one = next.one;
        settled.back().other = next.other;
      }
      if (std::pair(next.region, next.slot) <
          std::pair(settled.back().region, settled.back().slot)) {
        settled.back().region = next.region;
        settled.back().slot = next.slot;
      }
      settled.back().count = std::max(settled.back().count, next.count);
    } else if (next.rule != Rule::unread || !overrun(next)) {
      settled.push_back(next);
    }
  }
  violations = std::move(settled);
}

}  // namespace lockstep
