// SPDX-License-Identifier: Apache-2.0
#include "lockstep/verify/legality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "lockstep/core/detail/counted.hpp"

namespace lockstep {
namespace {

using Events = SendTrace::const_iterator;

/// The traffic of one node in one step.
struct NodeTraffic {
  std::multiset<Port> sent;  // one entry per message
  std::set<Port> received;   // a port takes in one message at most
  std::uint64_t held = 0;    // the most messages on a link that begins here
};

using StepTraffic = std::map<NodeId, NodeTraffic>;

/// The links of a message.
[[nodiscard]] std::vector<LinkName> links_of(const SendEvent& event) {
  std::vector<LinkName> links{{event.sender, event.port}};
  links.insert(links.end(), event.further.begin(), event.further.end());
  return links;
}

/// A message that finds its lane in use stays where it is; of several that take one link the lowest
/// keeps it, and no other arrives through it.
[[nodiscard]] StepTraffic traffic_of(Events first, Events last) {
  std::map<LinkName, const SendEvent*> left;           // by first link
  std::map<LinkName, std::multiset<LinkName>> takers;  // by link: their first links
  StepTraffic traffic;
  for (auto event = first; event != last; ++event) {
    traffic[event->sender].sent.insert(event->port);
    const std::vector<LinkName> links = links_of(*event);
    if (!left.emplace(links.front(), &*event).second) continue;
    for (const LinkName& link : links) takers[link].insert(links.front());
  }
  for (const auto& [start, event] : left)
    if (*takers[links_of(*event).back()].begin() == start)
      traffic[event->receiver].received.insert(event->receiver_port);
  for (const auto& [link, messages] : takers)
    if (messages.size() > 1) {
      const std::set<LinkName> different(messages.begin(), messages.end());
      std::uint64_t& held = traffic[link.from].held;
      held = std::max({held, different.size(), std::size_t{2}});
    }
  return traffic;
}

/// One violation per node and rule, as in the record.
void judge(std::uint64_t step, const StepTraffic& traffic, const PortModel& model,
           std::vector<Violation>& violations) {
  for (const auto& [node, ports] : traffic) {
    const auto add = [&, node = node](Rule rule, std::uint64_t count) {
      violations.push_back({step, node, Port{}, rule, count});
    };
    if (ports.sent.size() > model.sends) add(Rule::sends, ports.sent.size());
    if (ports.received.size() > model.receptions) add(Rule::receptions, ports.received.size());
    bool both_ways = false;
    bool used_twice = false;
    for (const Port port : ports.sent) {
      both_ways = both_ways || ports.received.count(port) != 0;
      used_twice = used_twice || ports.sent.count(port) > 1;
    }
    if (both_ways && model.duplex == Duplex::half) add(Rule::half_duplex, 2);
    if (used_twice) add(Rule::arc_capacity, 2);
    if (ports.held != 0) add(Rule::link_held, ports.held);
  }
}

[[nodiscard]] StepRecord counted(Events first, Events last, const StepTraffic& traffic,
                                 std::uint64_t processors) {
  StepRecord step{.step = first->step};
  for (const auto& [node, ports] : traffic) {
    const auto active = static_cast<std::uint64_t>(!ports.sent.empty() || !ports.received.empty());
    const auto sent = static_cast<std::uint64_t>(!ports.sent.empty());
    const auto received = static_cast<std::uint64_t>(!ports.received.empty());
    const bool is_processor = index(node) < processors;
    (is_processor ? step.active : step.switches_active) += active;
    (is_processor ? step.senders : step.switch_senders) += sent;
    (is_processor ? step.receivers : step.switch_receivers) += received;
  }
  for (auto event = first; event != last; ++event) {
    ++step.messages;
    step.hops += 1 + event->further.size();
    step.blocks += event->blocks;
    step.largest_message_blocks = std::max(step.largest_message_blocks, event->blocks);
    step.control_words += event->words;
    step.largest_control_words = std::max(step.largest_control_words, event->words);
    step.ports_used |= std::uint64_t{1} << std::min<unsigned>(index(event->port), 63);
  }
  return step;
}

[[nodiscard]] std::string described(const StepRecord& step) {
  return fmt::format(
      "senders {}, receivers {}, active {}, messages {}, links {}, blocks {}, largest message {}, "
      "control words {}, at most {}, ports {:#x}; of switches senders {}, receivers {}, active {}",
      step.senders, step.receivers, step.active, step.messages, step.hops, step.blocks,
      step.largest_message_blocks, step.control_words, step.largest_control_words, step.ports_used,
      step.switch_senders, step.switch_receivers, step.switches_active);
}

/// Ports are left out: where several are at fault, the record names one.
using Broken = std::tuple<std::uint64_t, NodeId, Rule, std::uint64_t>;

[[nodiscard]] std::set<Broken> broken_rules(const std::vector<Violation>& violations) {
  std::set<Broken> rules;
  constexpr std::array recounted{Rule::sends, Rule::receptions, Rule::half_duplex,
                                 Rule::arc_capacity, Rule::link_held};
  for (const Violation& v : violations)
    if (std::ranges::find(recounted, v.rule) != recounted.end())
      rules.insert({v.step, v.node, v.rule, v.count});
  return rules;
}

void compare_rules(const std::set<Broken>& left, const std::set<Broken>& right, const char* only_in,
                   std::vector<std::string>& found) {
  for (const Broken& broken : left) {
    if (right.count(broken) != 0) continue;
    const auto& [step, node, rule, count] = broken;
    found.push_back(fmt::format("step {}, node {}: {} ({}), only in the {}", step, index(node),
                                name_of(rule), count, only_in));
  }
}

/// Adds a step to the totals of a run, or of one of its phases.
template <class Record>
void add_counted(const StepRecord& step, Record& total) {
  ++total.startups;
  total.message_times += step.largest_message_blocks;
  total.control_words += step.largest_control_words;
  total.largest_message_blocks =
      std::max(total.largest_message_blocks, step.largest_message_blocks);
  total.messages_sent += step.messages;
  total.hops += step.hops;
  total.blocks_moved += step.blocks;
}

void compare_totals(const Recount& recount, const RunRecord& record,
                    std::vector<std::string>& found) {
  RunRecord total;
  for (const StepRecord& step : recount.steps) {
    add_counted(step, total);
    total.senders += step.senders;
    total.receivers += step.receivers;
    total.switch_senders += step.switch_senders;
    total.switch_receivers += step.switch_receivers;
  }
  const auto compare = [&found](const char* what, std::uint64_t ours, std::uint64_t theirs) {
    if (ours != theirs)
      found.push_back(fmt::format("{}: recounted {}, recorded {}", what, ours, theirs));
  };
  compare("startups", total.startups, record.startups);
  compare("message-times", total.message_times, record.message_times);
  compare("control words", total.control_words, record.control_words);
  compare("messages sent", total.messages_sent, record.messages_sent);
  compare("hops", total.hops, record.hops);
  compare("blocks moved", total.blocks_moved, record.blocks_moved);
  compare("senders", total.senders, record.senders);
  compare("receivers", total.receivers, record.receivers);
  compare("senders among switches", total.switch_senders, record.switch_senders);
  compare("receivers among switches", total.switch_receivers, record.switch_receivers);
}

/// Where a phase ends is for the record to say; idle steps leave no trace.
void compare_phases(const Recount& recount, const RunRecord& record,
                    std::vector<std::string>& found) {
  std::uint64_t end = record.steps;
  for (auto phase = record.phases.rbegin(); phase != record.phases.rend(); ++phase) {
    PhaseRecord total{.name = phase->name, .first_step = phase->first_step};
    total.steps = end - std::min(end, phase->first_step);
    for (const StepRecord& step : recount.steps)
      if (step.step >= phase->first_step && step.step < end) add_counted(step, total);
    if (!(total == *phase))
      found.push_back(
          fmt::format("phase '{}' from step {}: not as recounted", phase->name, phase->first_step));
    end = std::min(end, phase->first_step);
  }
}

}  // namespace

Recount recount_trace(SendTrace trace, const PortModel& model, std::uint64_t processors) {
  std::ranges::stable_sort(trace, {}, &SendEvent::step);
  Recount recount;
  for (auto first = trace.cbegin(); first != trace.cend();) {
    const auto last = std::find_if(
        first, trace.cend(), [&](const SendEvent& event) { return event.step != first->step; });
    const StepTraffic traffic = traffic_of(first, last);
    recount.steps.push_back(counted(first, last, traffic, processors));
    judge(first->step, traffic, model, recount.violations);
    first = last;
  }
  return recount;
}

std::vector<std::string> disagreements(const Recount& recount, const RunRecord& record) {
  std::vector<std::string> found;
  auto counted_step = recount.steps.begin();
  for (const StepRecord& recorded : record.series) {
    StepRecord expected{.step = recorded.step};
    if (counted_step != recount.steps.end() && counted_step->step == recorded.step)
      expected = *counted_step++;
    if (!(expected == recorded))
      found.push_back(fmt::format("step {}: recounted {}; recorded {}", recorded.step,
                                  described(expected), described(recorded)));
  }
  for (; counted_step != recount.steps.end(); ++counted_step)
    found.push_back(fmt::format("step {}: recounted {}; not recorded", counted_step->step,
                                described(*counted_step)));
  compare_totals(recount, record, found);
  compare_phases(recount, record, found);
  const std::set<Broken> ours = broken_rules(recount.violations);
  const std::set<Broken> theirs = broken_rules(record.violations);
  compare_rules(ours, theirs, "recount", found);
  compare_rules(theirs, ours, "record", found);
  return found;
}

}  // namespace lockstep
