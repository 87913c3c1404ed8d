// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Random schedules of one class of nodes: all kinds of actions in every order a schedule may have
/// them, lawful or not. Blocks end at random places, with random claims of where they come from, so
/// that most deliveries are wrong - in the same way on every machine.
///
///     const Schedule schedule = random_schedule(random, star, {.most_sends = 1});

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "lockstep/program/grouped_schedule_program.hpp"
#include "reference/random.hpp"

namespace lockstep::reference {

/// Chances in percent.
struct ScheduleChances {
  std::uint64_t most_steps = 8;
  std::uint64_t most_sends = 1;  ///< of a processor in a step
  std::uint64_t send = 80;       ///< a message is sent (again)
  std::uint64_t same_port = 0;   ///< through a port that is used already
  std::uint64_t no_such_port = 0;
  std::uint64_t unread = 0;      ///< a message is not taken
  std::uint64_t wrong_size = 0;  ///< a message is taken for one of another size
  std::uint64_t any_slot = 0;    ///< blocks lie anywhere, or nowhere
};

template <CayleyTopology Group>
class RandomSchedule {
 public:
  RandomSchedule(Random& random, const Group& group, const ScheduleChances& chances)
      : random_(random), group_(group), chances_(chances), schedule_(group) {
    for (std::size_t i = 0; i < 3; ++i) {
      // In a small one most of what is stored is sent on.
      const std::uint32_t blocks = number(widest, random_.happens(60) ? widest + 1 : most_blocks);
      spaces_.push_back({schedule_.add_region(blocks), blocks});
    }
  }

  Schedule made() {
    const std::uint64_t steps = random_.number(0, chances_.most_steps);
    for (std::uint64_t step = 0; step <= steps; ++step) {
      // Written in every third step, read in the next.
      space_ = spaces_[step % 3];
      take_all();
      const std::uint64_t between = random_.number(0, 2);
      for (std::uint64_t i = 0; i < between; ++i) load_or_deliver();
      sent_.clear();
      if (step == steps) break;
      send_some();
      schedule_.next_step();
    }
    return std::move(schedule_);
  }

 private:
  struct Sent {
    Port port{};
    std::uint32_t blocks = 0;
  };
  /// A region: strides of a sender's and of a receiver's differ.
  struct Space {
    Region region{};
    std::uint32_t blocks = 0;
  };
  static constexpr std::uint32_t most_blocks = 12;
  static constexpr std::uint32_t widest = 4;

  [[nodiscard]] std::uint32_t number(std::uint64_t low, std::uint64_t high) {
    return static_cast<std::uint32_t>(random_.number(low, high));
  }
  [[nodiscard]] Blocks some_blocks(std::uint32_t count) {
    if (random_.happens(chances_.any_slot)) {
      const Space space = random_.happens(90) ? random_.one_of(spaces_) : Space{Region{7}, widest};
      return {space.region, number(0, space.blocks - (random_.happens(70) ? count : 0)), count};
    }
    return {space_.region, number(0, space_.blocks - count), count};
  }
  [[nodiscard]] Elements some_elements(std::uint32_t count) {
    std::vector<NodeId> elements;
    for (std::uint32_t i = 0; i < count; ++i)
      elements.push_back(NodeId{random_.number(0, group_.node_count() - 1)});
    return schedule_.add_elements(elements);
  }
  [[nodiscard]] GatherList some_list(std::uint32_t count) {
    std::vector<std::uint32_t> slots(space_.blocks);
    std::iota(slots.begin(), slots.end(), 0U);
    random_.shuffle(slots);
    slots.resize(count);
    if (random_.happens(chances_.any_slot)) slots.back() = number(0, space_.blocks);
    return schedule_.add_list(slots);
  }

  void take_all() {
    random_.shuffle(sent_);
    for (const Sent& sent : sent_) {
      if (random_.happens(chances_.unread)) continue;
      const std::uint32_t size =
          random_.happens(chances_.wrong_size) ? number(1, widest) : sent.blocks;
      switch (random_.number(0, 2)) {
        case 0:
          schedule_.take_store(sent.port, some_blocks(size));
          break;
        case 1:
          schedule_.take_scatter(sent.port, space_.region, some_list(size));
          break;
        default:
          schedule_.take_deliver(sent.port, some_elements(size));
      }
    }
    // A delivered block stays as it is until the step ends, so deliveries come last.
    if (random_.happens(30)) load_or_deliver();
  }

  void load_or_deliver() {
    const std::uint32_t count = number(1, widest);
    const Blocks blocks = some_blocks(count);
    const Elements elements = some_elements(count);
    if (random_.happens(50) && !delivered_)
      return schedule_.load(blocks, some_elements(1), elements);
    schedule_.deliver(blocks, elements);
    delivered_ = true;
  }

  void send_some() {
    delivered_ = false;
    std::vector<Port> ports;
    for (std::size_t p = 0; p < group_.max_degree(); ++p) ports.push_back(port(p));
    random_.shuffle(ports);
    for (std::uint64_t i = 0; i < chances_.most_sends && random_.happens(chances_.send); ++i) {
      if (random_.happens(chances_.no_such_port)) {
        schedule_.send(port(group_.max_degree()), some_blocks(1));
        continue;
      }
      const bool again = !sent_.empty() && random_.happens(chances_.same_port);
      if (!again && ports.empty()) continue;
      Sent sent{again ? sent_.front().port : ports.back(), number(1, widest)};
      if (!again) ports.pop_back();
      if (random_.happens(50))
        schedule_.send(sent.port, some_blocks(sent.blocks));
      else
        schedule_.send(sent.port, space_.region, some_list(sent.blocks));
      if (!again) sent_.push_back(sent);
    }
  }

  Random& random_;
  const Group& group_;
  ScheduleChances chances_;
  Schedule schedule_;
  std::vector<Space> spaces_;
  Space space_{};
  std::vector<Sent> sent_;  // in the step before
  bool delivered_ = false;  // something of the own memory in this step
};

template <CayleyTopology Group>
Schedule random_schedule(Random& random, const Group& group, const ScheduleChances& chances) {
  return RandomSchedule<Group>(random, group, chances).made();
}

}  // namespace lockstep::reference
