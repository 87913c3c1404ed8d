// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What every broadcast of one block that computes its sends from the address does on arrival: the
/// root loads its block, every other processor stores and delivers what comes.
///
///     void operator()(StepView& here) const {
///       if (takes_root_block(here, root_)) here.send(next_, root_block);
///     }

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/settings.hpp"

namespace lockstep {

/// Where a processor keeps it: Program::regions() is {1}.
inline constexpr Blocks root_block{Region{0}, 0, 1};

/// Whether this node has the block since this step.
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

/// What it promises and takes: each step sends one block, and each processor receives it once.
template <class Net>
class RootBroadcast : public Algorithm {
 public:
  using TopologyType = Net;

  [[nodiscard]] std::optional<Cost> promise() const override { return Cost{steps_, steps_}; }
  [[nodiscard]] Footprint footprint() const override {
    return {.steps = steps_,
            .hops = network_.node_count() - 1,
            .blocks_per_processor = 1,
            .plan_bytes = plan_bytes_};
  }

 protected:
  /// Throws InvalidParameter where the network has no such root.
  RootBroadcast(std::string_view algorithm, const Net& network, const Settings& settings)
      : network_(network), root_{settings.number(root_parameter.name)} {
    if (index(root_) >= network.node_count())
      throw InvalidParameter(fmt::format("{} on {}: root {} is not valid; expected 0..{}",
                                         algorithm, network.name(), index(root_),
                                         network.node_count() - 1));
  }

  void set_plan(std::uint64_t steps, std::uint64_t bytes) noexcept {
    steps_ = steps;
    plan_bytes_ = bytes;
  }
  [[nodiscard]] const Net& network() const noexcept { return network_; }
  [[nodiscard]] NodeId root() const noexcept { return root_; }

 private:
  Net network_;
  NodeId root_;
  std::uint64_t steps_ = 0;
  std::uint64_t plan_bytes_ = 0;
};

}  // namespace lockstep
