// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "lockstep/program/program.hpp"

/// One step of messages over given routes, a block each: to see which links meet.
class OneStepRoutes {
 public:
  using Memory = lockstep::NoMemory;
  static constexpr auto activity = lockstep::Activity::dense;
  static constexpr lockstep::Traits traits =
      lockstep::Traits::step_count | lockstep::Traits::routes;

  void add(lockstep::NodeId from, const std::vector<lockstep::Port>& ports) {
    sends_[from].push_back(routes_.add(ports));
  }
  std::vector<std::uint32_t> regions() const { return {1}; }
  std::uint64_t step_count() const { return 1; }
  const lockstep::Routes& routes() const { return routes_; }

  void operator()(auto& here) const {
    if (here.last_call()) {
      while (here.take_first()) {
      }
      return;
    }
    here.load(lockstep::Region{0}, 0, here.node());
    if (const auto own = sends_.find(here.node()); own != sends_.end())
      for (const lockstep::Route route : own->second)
        here.send(route, lockstep::Blocks{lockstep::Region{0}, 0, 1});
  }

 private:
  lockstep::Routes routes_;
  std::map<lockstep::NodeId, std::vector<lockstep::Route>> sends_;
};
