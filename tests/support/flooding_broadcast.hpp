// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/program/program.hpp"

/// Broadcast by flooding, on any graph: a processor forwards the block to all neighbours when it
/// first receives it.
struct FloodingBroadcast {
  struct Memory {  // the variables of one processor
    bool informed = false;
  };
  static constexpr auto activity = lockstep::Activity::sparse;  // only reached processors run
  lockstep::NodeId root{0};

  std::vector<lockstep::NodeId> starts() const { return {root}; }
  std::vector<std::uint32_t> regions() const { return {1}; }  // room for one block

  void operator()(auto& here) const {  // the rule of one processor in one step
    const lockstep::Blocks mine{.region = lockstep::Region{0}, .first = 0, .count = 1};
    bool& informed = here.memory().informed;
    bool news = here.step() == 0;
    if (news) here.load(mine.region, 0, root);
    for (std::size_t p = 0; p < here.degree(); ++p) {
      const auto arrival = here.take(lockstep::port(p));
      if (!arrival || informed || news) continue;
      here.store(arrival, mine);
      here.deliver(mine.region, 0, root);
      news = true;
    }
    informed = informed || news;
    for (std::size_t p = 0; news && p < here.degree(); ++p) here.send(lockstep::port(p), mine);
  }
};
