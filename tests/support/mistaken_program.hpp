// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A lawful program, of which one node makes a mistake with its memory.

#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/program.hpp"

namespace lockstep::test {

enum class Mistake : std::uint8_t {
  load_beyond,
  load_no_region,
  load_no_region_at_all,
  load_a_word,
  store_beyond,
  store_far_beyond,
  store_no_region,
  store_listed_beyond,
  deliver_beyond,
  deliver_no_region,
  deliver_a_word,
  deliver_a_message_of_words,
  send_too_many,
  send_nothing,
  send_no_region,
  send_beyond_any_message,
  send_region_of_no_message,
  send_listed_beyond,
  send_an_empty_list,
  read_word_beyond,
  read_word_of_blocks,
  write_word_beyond,
  write_word_of_blocks,
  read_bytes_beyond,
  read_bytes_of_words,
  load_after_send,
  load_in_flight,
  store_in_flight,
  store_part_in_flight,
  store_listed_in_flight,
  store_over_listed,
  store_between_two,
  store_over_second,
  write_word_in_flight
};

/// On a ring of 8: every node sends its block 0 to the right in step 0, stores what it got in block
/// 1 and delivers it in step 1. Node 2 makes a mistake, in step 1 where it says so, else in step 0.
class Mistaken {
  static constexpr Region room{0};
  static constexpr Region words{1};
  static constexpr Port right{0};
  static constexpr Port left{1};

 public:
  using Memory = std::uint64_t;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits =
      Traits::step_count | Traits::gather_list | Traits::control_regions | Traits::reads_bytes;

  explicit Mistaken(Mistake made) : mistake_(made) {}

  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {4, 2}; }
  [[nodiscard]] std::vector<Region> control_regions() const { return {words}; }
  [[nodiscard]] std::uint64_t step_count() const { return 3; }
  [[nodiscard]] std::span<const std::uint32_t> gather_list(GatherList list) const {
    static const std::vector<std::vector<std::uint32_t>> lists{{3, 7, 5}, {}, {3, 0}};
    return lists[index(list)];
  }

  void operator()(auto& here) const {
    if (here.step() == 0) {
      here.load(room, 0, NodeId{(index(here.node()) + 1) % 8});
      here.load(room, 3, here.node());
      here.set_word(words, 0, 1);
      if (sends_words()) return here.send(right, Blocks{words, 0, 1});
      if (sends_list()) return here.send(right, room, GatherList{2});
      here.send(right, Blocks{room, 0, 1});
      if (mistake_ == Mistake::store_between_two || mistake_ == Mistake::store_over_second)
        here.send(left, Blocks{room, 3, 1});
      if (here.node() == NodeId{2}) first(here);
    } else if (here.step() == 1) {
      const auto arrival = here.take(left);
      const auto other = here.take(right);
      if (here.node() == NodeId{2}) second(here, arrival, other);
      if (sends_words() || sends_list()) return;
      here.store(arrival, Blocks{room, 1, 1});
      here.deliver(room, 1, NodeId{(index(here.node()) + 7) % 8});
    }
  }

 private:
  [[nodiscard]] bool sends_words() const {
    return mistake_ == Mistake::write_word_in_flight ||
           mistake_ == Mistake::deliver_a_message_of_words;
  }
  [[nodiscard]] bool sends_list() const { return mistake_ == Mistake::store_over_listed; }

  void first(auto& here) const {
    const auto none = here.take(Port{2});
    static constexpr std::uint32_t slots[] = {3, 9, 4};
    switch (mistake_) {
      case Mistake::load_beyond:
        return here.load(room, 1'000, here.node());
      case Mistake::load_no_region:
        return here.load(Region{9}, 0, here.node());
      case Mistake::load_no_region_at_all:
        return here.load(Region{255}, 0, here.node());
      case Mistake::load_a_word:
        return here.load(words, 1, here.node());
      case Mistake::store_beyond:
        return here.store(none, Blocks{room, 2, 3});
      case Mistake::store_far_beyond:
        return here.store(none, Blocks{room, 4'000'000'000, 1'000'000'000});
      case Mistake::store_no_region:
        return here.store(none, Blocks{Region{9}, 0, 1});
      case Mistake::store_listed_beyond:
        return here.store(none, room, slots);
      case Mistake::deliver_beyond:
        return here.deliver(room, 5, here.node());
      case Mistake::deliver_no_region:
        return here.deliver(Region{64}, 0, here.node());
      case Mistake::deliver_a_word:
        return here.deliver(words, 0, here.node());
      case Mistake::send_too_many:
        return here.send(left, Blocks{room, 3, 2});
      case Mistake::send_nothing:
        return here.send(left, Blocks{room, 3, 0});
      case Mistake::send_no_region:
        return here.send(left, Blocks{Region{3}, 0, 1});
      case Mistake::send_beyond_any_message:
        return here.send(left, Blocks{room, 1U << 20U, 1});
      case Mistake::send_region_of_no_message:
        return here.send(left, Blocks{Region{200}, 0, 1});
      case Mistake::send_listed_beyond:
        return here.send(left, room, GatherList{0});
      case Mistake::send_an_empty_list:
        return here.send(left, room, GatherList{1});
      case Mistake::read_word_beyond:
        here.memory() = here.word(words, 2);
        return;
      case Mistake::read_word_of_blocks:
        here.memory() = here.word(room, 2);
        return;
      case Mistake::write_word_beyond:
        return here.set_word(words, 7, 1);
      case Mistake::write_word_of_blocks:
        return here.set_word(room, 1, 1);
      case Mistake::read_bytes_beyond:
        here.memory() = here.bytes(room, 4).size();
        return;
      case Mistake::read_bytes_of_words:
        here.memory() = here.bytes(words, 0).size();
        return;
      case Mistake::load_after_send:
        return here.load(room, 0, here.node());
      default:
        return;
    }
  }

  void second(auto& here, const auto& arrival, const auto& other) const {
    static constexpr std::uint32_t slots[] = {2, 0, 1};
    switch (mistake_) {
      case Mistake::deliver_a_message_of_words:
        return here.deliver(arrival, 0, here.node());
      case Mistake::load_in_flight:
        return here.load(room, 0, here.node());
      case Mistake::store_in_flight:
        return here.store(arrival, Blocks{room, 0, 1});
      case Mistake::store_part_in_flight:
        return here.store(arrival, Blocks{room, 0, 3});
      case Mistake::store_listed_in_flight:
        return here.store(arrival, room, slots);
      case Mistake::store_over_listed:
        return here.store(arrival, Blocks{room, 2, 2});
      case Mistake::store_between_two:  // none
        return here.store(other, Blocks{room, 2, 1});
      case Mistake::store_over_second:
        return here.store(other, Blocks{room, 3, 1});
      case Mistake::write_word_in_flight:
        return here.set_word(words, 0, 2);
      default:
        return;
    }
  }

  Mistake mistake_;
};

}  // namespace lockstep::test
