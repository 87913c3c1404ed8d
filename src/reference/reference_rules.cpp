// SPDX-License-Identifier: Apache-2.0

/// Which rules a run broke.

#include <algorithm>

#include "reference/reference_machine.hpp"

namespace lockstep::reference {

void ReferenceMachine::judge_sends() {
  for (std::uint64_t u = 0; u < processors_.size(); ++u) {
    const std::vector<Port>& sends = processors_[u].sends;
    if (sends.size() > options_.model.sends)
      note(step_, NodeId{u}, Rule::sends, {sends.back(), sends.size()});
  }
}

/// Of messages that met the node's own one each is a breach by itself; the others are counted
/// together with the one that the node had before.
void ReferenceMachine::judge_refused() {
  for (std::uint64_t u = 0; u < processors_.size(); ++u) {
    std::vector<Port> others;
    for (const Port port : processors_[u].refused_through)
      if (options_.model.duplex == Duplex::half && std::ranges::count(processors_[u].sends, port))
        note(step_, NodeId{u}, Rule::half_duplex, {port, 2});
      else
        others.push_back(port);
    if (!others.empty())
      note(step_, NodeId{u}, Rule::receptions, {others.front(), others.size() + 1});
  }
}

/// Whether a message was taken is known only after the step that follows.
void ReferenceMachine::judge_arrivals_of_step_before() {
  const std::uint64_t most = options_.one_message_per_node ? 1 : port_models::any_number;
  const std::uint64_t allowed = std::min<std::uint64_t>(options_.model.receptions, most);
  for (std::uint64_t u = 0; u < processors_.size(); ++u) {
    const Processor& here = processors_[u];
    const std::vector<Port>& ports = here.arrived_through;
    if (ports.size() > allowed)
      note(step_ - 1, NodeId{u}, Rule::receptions, {ports.front(), ports.size()});
    else if (here.taken.size() < ports.size())
      note(step_ - 1, NodeId{u}, Rule::unread, {ports.front(), ports.size()});
    if (options_.model.duplex == Duplex::full) continue;
    for (const Port port : std::span(ports).first(std::min<std::size_t>(ports.size(), most)))
      if (std::count(here.sends_before.begin(), here.sends_before.end(), port) != 0)
        note(step_ - 1, NodeId{u}, Rule::half_duplex, {port, 2});
  }
}

void ReferenceMachine::note(std::uint64_t step, NodeId node, Rule rule, const Breach& breach) {
  const auto [entry, is_new] = violations_.try_emplace(std::tuple(step, node, rule), breach);
  if (is_new) return;
  const std::uint64_t count = std::max(entry->second.count, breach.count);
  const auto place = [](const Breach& b) { return std::tuple(b.port, b.region, b.slot); };
  if (place(breach) < place(entry->second)) entry->second = breach;
  entry->second.count = count;
}

/// The record shows what is known so far; the run stops when a step is fully judged and broke a
/// rule.
bool ReferenceMachine::must_stop(RunRecord& record) const {
  constexpr std::size_t kept = 64;
  std::vector<Violation> all;
  std::size_t judged = 0;
  for (const auto& [where, what] : violations_) {
    const auto& [step, node, rule] = where;
    all.push_back({step,
                   node,
                   what.port,
                   rule,
                   what.count,
                   {},
                   what.one,
                   what.other,
                   what.region,
                   what.slot});
    if (step < step_ || last_call()) ++judged;
  }
  const bool stop = options_.stop_at_violation && judged != 0;
  if (stop) all.resize(judged);
  record.violation_count = all.size();
  if (all.size() > kept) all.resize(kept);
  record.violations = std::move(all);
  return stop;
}

}  // namespace lockstep::reference
