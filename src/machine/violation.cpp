// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/violation.hpp"

#include <fmt/format.h>

namespace lockstep {

std::string text_of(const Violation& v) {
  if (v.rule == Rule::memory || v.rule == Rule::in_flight)
    return fmt::format("step {}, node {}{}: rule {}", v.step, index(v.node), slot_of(v),
                       name_of(v.rule));
  // A link has two ends, and who used it both ways, or took it, is to know both.
  const bool shared = v.rule == Rule::half_duplex || v.rule == Rule::link_held;
  return fmt::format("step {}, node {}, port {}{}{}: rule {}, counted {}", v.step, index(v.node),
                     index(v.port),
                     shared ? fmt::format(", link to node {}", index(v.other_end)) : "",
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
