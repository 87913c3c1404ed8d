// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "lockstep/program/program.hpp"

/// Many-to-all by flooding, on any graph: s blocks, made by any nodes, go to all. A label says
/// which block a message brings; who hears of one for the first time tells all neighbours, one
/// block in a step.
struct ManyFlooding {
  struct Memory {  // of one processor
    std::vector<bool> known;
    std::deque<std::uint32_t> news;  // not told yet
  };
  static constexpr auto activity = lockstep::Activity::sparse;
  static constexpr lockstep::Traits traits = lockstep::Traits::labels;
  std::vector<lockstep::NodeId> homes;  // of block 0, 1, ..
  bool lies = false;                    // for tests: the label of block 0 is 1

  std::vector<lockstep::NodeId> starts() const { return homes; }
  std::vector<std::uint32_t> regions() const {  // room for every block
    return {static_cast<std::uint32_t>(homes.size())};
  }

  void operator()(auto& here) const {
    Memory& memory = here.memory();
    memory.known.resize(homes.size());
    for (std::uint32_t block = 0; here.step() == 0 && block < homes.size(); ++block) {
      if (homes[block] != here.node()) continue;
      here.load(room, block, lockstep::Origin{block}, here.node());
      here.set_word(room, block, label_of(block));
      learn(memory, block);
    }
    while (const auto arrival = here.take_first()) {
      const auto block = static_cast<std::uint32_t>(arrival.word(0));
      if (memory.known[block]) continue;
      here.store(arrival, {room, block, 1});
      here.deliver(room, block, lockstep::Origin{block});
      learn(memory, block);
    }
    if (memory.news.empty()) return;
    for (std::size_t p = 0; p < here.degree(); ++p)
      here.send(lockstep::port(p), {room, memory.news.front(), 1});
    memory.news.pop_front();
    if (!memory.news.empty()) here.stay_active();
  }

 private:
  static constexpr lockstep::Region room{0};

  std::uint64_t label_of(std::uint32_t block) const { return lies && block == 0 ? 1 : block; }

  static void learn(Memory& memory, std::uint32_t block) {
    memory.known[block] = true;
    memory.news.push_back(block);
  }
};
