// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/program/program.hpp"

/// Broadcast on a ring by routes: who has the block answers for a stretch of processors to its
/// right, and hands half of it to the first of that half, over all links between. ceil(log2 n)
/// steps where hop by hop it takes n / 2; no two routes share a link. The label of the block is the
/// length of the stretch that is handed over.
class RingHalving {
 public:
  struct Memory {  // of one processor
    std::uint64_t stretch = 0;
  };
  static constexpr auto activity = lockstep::Activity::sparse;
  static constexpr lockstep::Traits traits = lockstep::Traits::labels | lockstep::Traits::routes;

  explicit RingHalving(std::uint64_t nodes, lockstep::NodeId root = {})
      : nodes_(nodes), root_(root) {
    for (std::vector<lockstep::Port> links; links.size() < (nodes + 1) / 2;) {
      links.push_back(lockstep::Port{0});  // to the right
      routes_.add(links);                  // route i: i + 1 links
    }
  }

  std::vector<lockstep::NodeId> starts() const { return {root_}; }
  // The block twice: what was sent, and its label, stays as it is until it was read.
  std::vector<std::uint32_t> regions() const { return {2}; }
  const lockstep::Routes& routes() const { return routes_; }

  void operator()(auto& here) const {
    std::uint64_t& stretch = here.memory().stretch;
    if (here.step() == 0) {
      for (const std::uint32_t slot : {0U, 1U}) here.load(room, slot, root_);
      stretch = nodes_;
    } else if (const auto arrival = here.take_first()) {
      for (const std::uint32_t slot : {0U, 1U}) here.store(arrival, {room, slot, 1});
      here.deliver(room, 0, root_);
      stretch = arrival.word(0);
    }
    if (stretch < 2) return;
    const std::uint64_t kept = (stretch + 1) / 2;
    const auto slot = static_cast<std::uint32_t>(here.step() % 2);
    here.set_word(room, slot, stretch - kept);
    here.send(static_cast<lockstep::Route>(kept - 1), lockstep::Blocks{room, slot, 1});
    stretch = kept;
    here.stay_active();
  }

 private:
  static constexpr lockstep::Region room{0};

  std::uint64_t nodes_;
  lockstep::NodeId root_;
  lockstep::Routes routes_;
};
