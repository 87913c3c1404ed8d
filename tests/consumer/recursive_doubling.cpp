// SPDX-License-Identifier: Apache-2.0
/// All-gather on a hypercube by recursive doubling: in step t neighbours in dimension t exchange
/// all that they have. d start-ups and 2^d - 1 message times, both the least there can be.
#include <iostream>
#include <lockstep/lockstep.hpp>
using namespace lockstep;

struct RecursiveDoubling {
  using Memory = NoMemory;
  static constexpr auto activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count;
  std::uint64_t dimensions;

  std::uint64_t step_count() const { return dimensions; }
  std::vector<std::uint32_t> regions() const { return {std::uint32_t{1} << dimensions}; }

  /// The blocks of a processor after t steps: the blocks of all that agree with it but for the
  /// lowest t bits. The block of processor u is in slot u.
  static Blocks known(NodeId node, std::uint64_t t) {
    const auto first = static_cast<std::uint32_t>(index(node) >> t << t);
    return {.region = Region{0}, .first = first, .count = std::uint32_t{1} << t};
  }

  void operator()(auto& here) const {
    const std::uint64_t t = here.step();
    if (t == 0) {
      here.load(Region{0}, static_cast<std::uint32_t>(index(here.node())), here.node());
    } else {
      const Port last = port(t - 1);
      const Blocks theirs = known(NodeId{index(here.node()) ^ (1U << (t - 1))}, t - 1);
      here.store(here.take(last), theirs);
      for (std::uint32_t i = 0; i < theirs.count; ++i)
        here.deliver(Region{0}, theirs.first + i, Origin{theirs.first + i});
    }
    if (!here.last_call()) here.send(port(t), known(here.node(), t));
  }
};

int main() {
  constexpr std::uint64_t d = 8;
  const RunReport report = run(Hypercube{d}, RecursiveDoubling{d}, {Operation::all_gather},
                               {.name = "recursive doubling", .predicted = Cost{d, (1U << d) - 1}});
  std::cout << to_text(report);
  return report.result.ok() ? 0 : 1;
}
