// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Broadcast in the binary d-cube along its binomial tree: a node whose address differs from the
/// root's lowest in bit l is told through port l, and tells the nodes behind ports l-1, ..., 0.
///
///     CubeBroadcast{.dimensions = 4, .root = NodeId{5}}

#include <bit>
#include <cstdint>
#include <vector>

#include "lockstep/program/program.hpp"

namespace lockstep::test {

/// Whether a node tells all at once (all-port), or in step t the one behind port d-1-t
/// (single-port): then it stays active until it told the last.
enum class Telling : std::uint8_t { at_once, one_by_one };

struct CubeBroadcast {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::sparse;
  static constexpr bool receives_once = true;
  static constexpr CompiledChannels compiled_channels = CompiledChannels::every;
  std::size_t dimensions = 0;
  NodeId root{};
  Telling telling = Telling::at_once;

  [[nodiscard]] std::vector<NodeId> starts() const { return {root}; }
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1}; }
  void operator()(auto& here) const {
    if (here.step() == 0) here.load(Region{0}, 0, root);
    if (const auto arrival = here.take_first()) {
      here.store(arrival, Blocks{});
      here.deliver(Region{0}, 0, root);
    }
    const std::uint64_t displacement = index(here.node()) ^ index(root);
    const auto ports =
        displacement == 0 ? dimensions : static_cast<std::size_t>(std::countr_zero(displacement));
    if (telling == Telling::at_once) {
      for (std::size_t p = ports; p-- > 0;) here.send(port(p), Blocks{});
    } else if (here.step() < dimensions) {
      here.send(port(dimensions - 1 - here.step()), Blocks{});
      if (here.step() + 1 < dimensions) here.stay_active();
    }
  }
};

static_assert(ReceiveOnceProgram<CubeBroadcast>);

}  // namespace lockstep::test
