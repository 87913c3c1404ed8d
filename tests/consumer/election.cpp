// SPDX-License-Identifier: Apache-2.0
/// Election on a ring by control words (Chang, Roberts): everybody sends its number to the right,
/// and passes on what is larger than its own. Who sees its own number again is the leader, and
/// announces it by a broadcast, which proves that the right one was elected, and only one.
#include <iostream>
#include <lockstep/lockstep.hpp>
using namespace lockstep;

struct Election {
  struct Memory {  // of one processor
    bool informed = false;
  };
  static constexpr auto activity = Activity::sparse;
  static constexpr Traits traits = Traits::control_regions;
  static constexpr Region block{0};
  static constexpr Port left{1};
  static constexpr Port right{0};
  std::vector<std::uint64_t> numbers;  // of the processors, all different
  NodeId leader;                       // only to name the block: found out by the election

  std::vector<NodeId> starts() const {
    std::vector<NodeId> all;
    for (std::uint64_t u = 0; u < numbers.size(); ++u) all.push_back(NodeId{u});
    return all;
  }
  // The announcement, and words to send in even and in odd steps.
  std::vector<std::uint32_t> regions() const { return {1, 1, 1}; }
  std::vector<Region> control_regions() const { return {Region{1}, Region{2}}; }

  void operator()(auto& here) const {
    const std::uint64_t own = numbers[index(here.node())];
    if (here.step() == 0) return pass_on(here, own);
    const auto arrival = here.take(left);
    if (!arrival || here.memory().informed) return;
    if (here.step() <= numbers.size()) {  // after so many steps no number is on its way
      if (arrival.word(0) > own) return pass_on(here, arrival.word(0));
      if (arrival.word(0) < own) return;
      here.load(block, 0, here.node());  // its own has come round: it is the leader
    } else {
      here.store(arrival, Blocks{block, 0, 1});
      here.deliver(block, 0, leader);
    }
    here.memory().informed = true;
    here.send(right, Blocks{block, 0, 1});
  }
  static void pass_on(auto& here, std::uint64_t number) {
    const auto out = static_cast<Region>(1 + here.step() % 2);
    here.set_word(out, 0, number);
    here.send(right, Blocks{out, 0, 1});
  }
};

int main() {
  const std::vector<std::uint64_t> numbers{31, 8, 59, 26, 41, 5, 97, 12};
  const NodeId leader{6};
  const RunReport report =
      run(Ring{8}, Election{numbers, leader}, {Operation::broadcast, leader}, {.name = "election"});
  std::cout << to_text(report);
  return report.result.ok() ? 0 : 1;
}
