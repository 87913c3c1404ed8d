// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Refusals that many algorithms share.

#include <cstdint>
#include <string>
#include <string_view>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/blocks.hpp"

namespace lockstep {

/// Throws InvalidParameter if there are more than `most` of `what`, such as "nodes".
void check_count(std::string_view algorithm, const std::string& network, std::uint64_t count,
                 std::string_view what, std::uint64_t most = max_region_blocks);

/// The root; throws InvalidParameter unless it is below `nodes`.
NodeId checked_root(std::string_view algorithm, const std::string& network, NodeId root,
                    std::uint64_t nodes);

/// The processor that the settings name as the root.
[[nodiscard]] NodeId checked_root(const AlgorithmInfo& info, const auto& network,
                                  const Settings& settings) {
  return checked_root(info.name, network.name(), NodeId{settings.number(root_parameter.name)},
                      network.processor_count());
}

}  // namespace lockstep
