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
  const auto key = [](const Violation& v) { return std::tuple(v.step, v.node, v.rule); };
  std::ranges::sort(violations, {}, key);
  std::vector<Violation> settled;
  const auto overrun = [&](const Violation& unread) {
    return std::any_of(settled.rbegin(), settled.rend(), [&](const Violation& v) {
      return key(v) == std::tuple(unread.step, unread.node, Rule::receptions);
    });
  };
  for (const Violation& next : violations) {
    if (settled.empty() || key(settled.back()) != key(next)) {
      if (next.rule != Rule::unread || !overrun(next)) settled.push_back(next);
      continue;
    }
    Violation& all = settled.back();
    if (next.port < all.port) {
      all.port = next.port;
      all.one = next.one;
      all.other = next.other;
    }
    if (std::pair(next.region, next.slot) < std::pair(all.region, all.slot)) {
      all.region = next.region;
      all.slot = next.slot;
    }
    all.count = std::max(all.count, next.count);
  }
  violations = std::move(settled);
}

}  // namespace lockstep
