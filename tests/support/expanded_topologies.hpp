// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The topologies that a text with ranges and lists means, or why it means none.

#include <string>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep::test {

[[nodiscard]] inline std::vector<std::string> expanded(const std::string& text) {
  std::vector<std::string> names;
  for (const AnyTopology& topology : expand_topologies(text)) names.push_back(topology.name());
  return names;
}

[[nodiscard]] inline std::string expansion_refusal(const std::string& text) {
  try {
    (void)expand_topologies(text);
  } catch (const InvalidParameter& problem) {
    return problem.what();
  }
  return "accepted";
}

}  // namespace lockstep::test
