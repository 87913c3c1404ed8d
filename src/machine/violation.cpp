// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/violation.hpp"

#include <fmt/format.h>

namespace lockstep {
namespace {

[[nodiscard]] std::string labelled_node(NodeId node, const std::map<NodeId, std::string>& labels) {
  const auto found = labels.find(node);
  return found == labels.end() ? fmt::format("node {}", index(node))
                               : fmt::format("node {} ({})", index(node), found->second);
}

}  // namespace

std::string text_of(const Violation& v) { return text_of(v, {}); }

std::string text_of(const Violation& v, const std::map<NodeId, std::string>& labels) {
  const std::string node = labelled_node(v.node, labels);
  if (v.rule == Rule::memory || v.rule == Rule::in_flight)
    return fmt::format("step {}, {}{}: {} violated", v.step, node, slot_of(v), name_of(v.rule));
  // A link has two ends; the report names both.
  const bool shared = v.rule == Rule::half_duplex || v.rule == Rule::link_held;
  return fmt::format("step {}, {}, port {}{}{}: {} violated, {} counted", v.step, node,
                     index(v.port), shared ? ", link to " + labelled_node(v.other_end, labels) : "",
                     takers_of(v), name_of(v.rule), v.count);
}

std::string slot_of(const Violation& v) {
  if (v.rule != Rule::memory && v.rule != Rule::in_flight) return {};
  return fmt::format(", region {}, slot {}", index(v.region), v.slot);
}

std::string takers_of(const Violation& v) {
  if (v.rule != Rule::link_held) return {};
  return fmt::format(", taken from node {}, port {}, and from node {}, port {}",
                     index(v.one.sender), index(v.one.port), index(v.other.sender),
                     index(v.other.port));
}

}  // namespace lockstep
