// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What every broadcast of one block does on arrival: the root loads its block, everybody else
/// stores and delivers what comes.
///
///     void operator()(StepView& here) const {
///       if (takes_root_block(here, root_)) here.send(next_, root_block);
///     }

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string_view>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/settings.hpp"

namespace lockstep {

/// Where a processor keeps it: Program::regions() is {1}.
inline constexpr Blocks root_block{Region{0}, 0, 1};

/// Whether this processor has the block since this step.
template <class StepView>
[[nodiscard, gnu::always_inline]] inline bool takes_root_block(StepView& here, NodeId root) {
  if (here.step() == 0) {  // only the root starts
    here.load(root_block.region, 0, root);
    return true;
  }
  const auto arrival = here.take_first();
  if (!arrival) return false;
  here.store(arrival, root_block);
  here.deliver(root_block.region, 0, root);
  return true;
}

/// What every broadcast takes.
inline constexpr std::array root_parameters{root_parameter};

/// Throws InvalidParameter where the network has no such node.
template <class Net>
[[nodiscard]] NodeId checked_root(std::string_view algorithm, const Net& network,
                                  const Settings& settings) {
  const NodeId root{settings.number(root_parameter.name)};
  if (index(root) >= network.node_count())
    throw InvalidParameter(fmt::format("{} on {}: root {} given, allowed 0..{}", algorithm,
                                       network.name(), index(root), network.node_count() - 1));
  return root;
}

}  // namespace lockstep
