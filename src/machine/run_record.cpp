// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/run_record.hpp"

#include <fmt/format.h>

#include "lockstep/core/detail/counted.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "topology/node_names.hpp"

namespace lockstep {

bool operator==(const StepRecord& a, const StepRecord& b) noexcept {
  return a.step == b.step && a.senders == b.senders && a.receivers == b.receivers &&
         a.active == b.active && a.messages == b.messages && a.hops == b.hops &&
         a.blocks == b.blocks && a.largest_message_blocks == b.largest_message_blocks &&
         a.control_words == b.control_words && a.largest_control_words == b.largest_control_words &&
         a.ports_used == b.ports_used && a.switch_senders == b.switch_senders &&
         a.switch_receivers == b.switch_receivers && a.switches_active == b.switches_active;
}

bool operator==(const PhaseRecord& a, const PhaseRecord& b) noexcept {
  return a.name == b.name && a.first_step == b.first_step && a.steps == b.steps &&
         a.startups == b.startups && a.message_times == b.message_times &&
         a.control_words == b.control_words &&
         a.largest_message_blocks == b.largest_message_blocks &&
         a.messages_sent == b.messages_sent && a.hops == b.hops && a.blocks_moved == b.blocks_moved;
}

std::string text_of(const UnmetUse& use) { return text_of(use, ErasedTopology()); }

std::string text_of(const UnmetUse& use, const ErasedTopology& network) {
  const std::string place =
      "step " + std::to_string(use.step) + ", node " + node_text(network, use.node) + " uses ";
  if (use.arrived == 0) return place + "a message that did not arrive";
  return place + counted(use.wanted, "block") + " of a message of " +
         counted(use.arrived, "block") + "; expected a message of that length";
}

std::string text_of(const Violation& v) { return text_of(v, ErasedTopology()); }

std::string text_of(const Violation& v, const ErasedTopology& network) {
  // A link has two ends; the report names both. A limit of the node concerns all its ports.
  const bool shared = v.rule == Rule::half_duplex || v.rule == Rule::link_held;
  const bool of_node = v.rule == Rule::sends || v.rule == Rule::receptions;
  const std::string slot = slot_of(v);
  return fmt::format("step {}, node {}{}{}{}: {}{} (rule {})", v.step,
                     node_and_label(network, v.node),
                     !slot.empty() ? slot
                     : of_node     ? ""
                                   : fmt::format(", port {}", index(v.port)),
                     shared ? ", link to node " + node_and_label(network, v.other_end) : "",
                     takers_of(v, network), rule_list[static_cast<std::size_t>(v.rule)].violation,
                     of_node ? fmt::format(": {}, allowed 1", v.count) : "", name_of(v.rule));
}

std::string slot_of(const Violation& v) {
  if (v.rule != Rule::memory && v.rule != Rule::in_flight) return {};
  return fmt::format(", region {}, slot {}", index(v.region), v.slot);
}

std::string takers_of(const Violation& v, const ErasedTopology& network) {
  if (v.rule != Rule::link_held) return {};
  return fmt::format(", taken from node {}, port {}, and from node {}, port {}",
                     node_text(network, v.one.sender), index(v.one.port),
                     node_text(network, v.other.sender), index(v.other.port));
}

bool RunRecord::same_facts(const RunRecord& other) const {
  return nodes == other.nodes && processors == other.processors &&
         block_bytes == other.block_bytes && steps == other.steps && startups == other.startups &&
         message_times == other.message_times &&
         largest_message_blocks == other.largest_message_blocks &&
         control_words == other.control_words && control_words_moved == other.control_words_moved &&
         envelope_bytes == other.envelope_bytes && messages_sent == other.messages_sent &&
         hops == other.hops && blocks_moved == other.blocks_moved &&
         blocks_loaded == other.blocks_loaded && senders == other.senders &&
         receivers == other.receivers && switch_senders == other.switch_senders &&
         switch_receivers == other.switch_receivers && deliveries == other.deliveries &&
         violations == other.violations && violation_count == other.violation_count &&
         interrupted == other.interrupted && series == other.series && phases == other.phases &&
         stores_without_message == other.stores_without_message &&
         first_unmet == other.first_unmet && waits == other.waits && queues == other.queues;
}

}  // namespace lockstep
