// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Who makes the blocks of a many-to-all on any network: as placement.hpp says it for tori; any
/// other network is a row of its processors, 1 x P.

#include <array>

#include "algorithm/many_to_all/placement.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

inline constexpr std::array placement_parameters{messages_parameter, placement_parameter,
                                                 parts_parameter};

/// homes_of() and fixed_homes() of any network; throw as they do.
[[nodiscard]] Pattern homes_on(const ErasedTopology& network, const Settings& settings,
                               const Pattern& fixed);
[[nodiscard]] Pattern fixed_homes_on(const ErasedTopology& network, const Settings& settings);

/// The number of the user's messages, as Algorithm::chosen() says it; empty without homes.
[[nodiscard]] Settings messages_of(const Pattern& pattern);

}  // namespace lockstep
