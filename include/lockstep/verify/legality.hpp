// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Legality: the port model recounted from a trace of sends. Written from the truth table of
/// program/port_model.hpp, without a line of what the machine judges by; where the two disagree,
/// one of them is wrong.
///
///     const Recount recount = recount_trace(trace, port_models::single_port);
///     EXPECT_EQ(disagreements(recount, record), std::vector<std::string>{});
///
/// A trace cannot show what was never sent or never read, what a host was asked for or which memory
/// was named: the rules `port`, `switching`, `unread`, `after_end`, `host`, `memory` and
/// `in_flight` are not recounted.

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/machine/run_record.hpp"
#include "lockstep/machine/send_event.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

struct Recount {
  std::vector<StepRecord> steps;  ///< those in which something was sent, in order
  std::vector<Violation>
      violations;  ///< of sends, receptions, half_duplex, arc_capacity, link_held
};

/// The trace may be in any order within a step. A message that finds its arc in use counts as sent,
/// not as received.
/// Nodes from `processors` on are switches, counted apart.
[[nodiscard]] Recount recount_trace(SendTrace trace, const PortModel& model,
                                    std::uint64_t processors = ~std::uint64_t{0});

/// One sentence for each figure or violation in which the two differ; none: they agree. `record` is
/// of a run in which every message was taken, in full and with its series.
[[nodiscard]] std::vector<std::string> disagreements(const Recount& recount,
                                                     const RunRecord& record);

/// Whether the links of a message follow one another to its receiver. Precondition: the first
/// exists.
template <Topology T>
[[nodiscard]] bool leads_there(const SendEvent& event, const T& network) {
  LinkName link{event.sender, event.port};
  for (const LinkName& next : event.further) {
    if (network.neighbor(link.from, link.through) != next.from ||
        index(next.through) >= network.degree(next.from))
      return false;
    link = next;
  }
  return network.neighbor(link.from, link.through) == event.receiver &&
         network.reverse_port(link.from, link.through) == event.receiver_port;
}

/// Events that no link of the network can have carried.
template <Topology T>
[[nodiscard]] SendTrace impossible_sends(const SendTrace& trace, const T& network) {
  SendTrace impossible;
  for (const SendEvent& event : trace) {
    const bool has_port = index(event.sender) < network.node_count() &&
                          index(event.port) < network.degree(event.sender);
    if (!has_port || !leads_there(event, network)) impossible.push_back(event);
  }
  return impossible;
}

}  // namespace lockstep
