// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/program/program.hpp"
#include "lockstep/topology/build_network.hpp"

/// Total exchange in a tree of two levels of switches: processors below switches, and these below
/// one, each by a link of several lanes. A processor injects one message in a step, for the next
/// processor each time; labels say where a message is from and where it goes; switches queue per
/// port, first in first out.
class QueueingTree {
 public:
  struct Memory {                                              // of one node
    std::vector<std::deque<std::uint32_t>> queues;             // of a switch: slots, by port
    std::deque<std::pair<std::uint32_t, std::uint64_t>> free;  // and from which step on
    std::uint64_t injected = 0;                                // by a processor
    std::size_t longest = 0;                                   // queue so far
  };
  static constexpr auto activity = lockstep::Activity::sparse;
  static constexpr lockstep::Traits traits = lockstep::Traits::labels | lockstep::Traits::blocks_of;

  /// `longest`: of every switch, the longest queue; written by each for itself.
  QueueingTree(std::uint64_t switches, std::uint64_t below_each, std::uint64_t lanes,
               std::vector<std::size_t>& longest)
      : switches_(switches),
        below_each_(below_each),
        lanes_(lanes),
        longest_((longest.assign(switches + 1, 0), longest.data())) {}

  lockstep::Network network() const {
    std::vector<lockstep::Link> links;
    for (std::uint64_t u = 0; u < processors(); ++u)
      links.push_back({lockstep::NodeId{u}, lockstep::NodeId{processors() + u / below_each_}});
    for (std::uint64_t s = 0; s < switches_; ++s)
      for (std::uint64_t lane = 0; lane < lanes_; ++lane)
        links.push_back({lockstep::NodeId{processors() + s}, root()});
    return lockstep::build_network("switch tree", processors() + switches_ + 1, links,
                                   processors());
  }
  std::uint64_t processors() const { return switches_ * below_each_; }

  std::vector<lockstep::NodeId> starts() const {
    std::vector<lockstep::NodeId> all;
    for (std::uint64_t u = 0; u < processors(); ++u) all.push_back(lockstep::NodeId{u});
    return all;
  }
  std::vector<std::uint32_t> regions() const { return {room_of_a_switch()}; }
  std::uint32_t blocks_of(lockstep::NodeId node, lockstep::Region) const {
    return index(node) < processors() ? 2 : room_of_a_switch();
  }

  void operator()(auto& here) const {
    if (index(here.node()) < processors())
      exchange(here);
    else
      pass_on(here);
  }

 private:
  static constexpr lockstep::Region room{0};

  lockstep::NodeId root() const { return lockstep::NodeId{processors() + switches_}; }
  std::uint32_t room_of_a_switch() const {
    return static_cast<std::uint32_t>(processors() * processors());
  }

  void exchange(auto& here) const {
    while (const auto arrival = here.take_first())
      here.deliver(arrival, 0, lockstep::Origin{arrival.word(0) / processors()});
    std::uint64_t& injected = here.memory().injected;
    if (injected + 1 >= processors()) return;
    const std::uint64_t own = index(here.node());
    const std::uint64_t to = (own + ++injected) % processors();
    const auto slot = static_cast<std::uint32_t>(injected % 2);  // the other is read in this step
    here.load(room, slot, lockstep::NodeId{to});
    here.set_word(room, slot, own * processors() + to);
    here.send(lockstep::Port{0}, lockstep::Blocks{room, slot, 1});
    here.stay_active();
  }

  void pass_on(auto& here) const {
    Memory& memory = here.memory();
    if (memory.queues.empty()) {
      memory.queues.resize(here.degree());
      for (std::uint32_t slot = 0; slot < room_of_a_switch(); ++slot)
        memory.free.push_back({slot, 0});
    }
    while (const auto arrival = here.take_first()) {
      const auto [slot, since] = memory.free.front();
      memory.free.pop_front();
      here.store(arrival, {room, slot, 1});
      queue_to(here, arrival.word(0) % processors()).push_back(slot);
    }
    bool waiting = false;
    for (std::size_t p = 0; p < memory.queues.size(); ++p) {
      std::deque<std::uint32_t>& queue = memory.queues[p];
      memory.longest = std::max(memory.longest, queue.size());
      if (queue.empty()) continue;
      here.send(lockstep::port(p), lockstep::Blocks{room, queue.front(), 1});
      memory.free.push_back({queue.front(), here.step() + 2});  // read in the next step
      queue.pop_front();
      waiting = waiting || !queue.empty();
    }
    longest_[index(here.node()) - processors()] = memory.longest;
    if (waiting) here.stay_active();
  }

  /// Down to the processor, or the switch above it; up by the lane with the shortest queue.
  std::deque<std::uint32_t>& queue_to(auto& here, std::uint64_t processor) const {
    auto& queues = here.memory().queues;
    const std::uint64_t below = processor / below_each_;
    const auto shortest = [&](std::uint64_t first) -> std::deque<std::uint32_t>& {
      const auto begin = queues.begin() + static_cast<std::ptrdiff_t>(first);
      return *std::min_element(begin, begin + static_cast<std::ptrdiff_t>(lanes_),
                               [](const auto& a, const auto& b) { return a.size() < b.size(); });
    };
    if (here.node() == root()) return shortest(below * lanes_);
    if (index(here.node()) == processors() + below) return queues[processor % below_each_];
    return shortest(below_each_);
  }

  std::uint64_t switches_;
  std::uint64_t below_each_;
  std::uint64_t lanes_;
  std::size_t* longest_;
};
