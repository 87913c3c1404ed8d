// SPDX-License-Identifier: Apache-2.0
/// Broadcast by flooding, on any graph: who hears the block for the first time tells all
/// neighbours.
#include <iostream>
#include <lockstep/lockstep.hpp>
using namespace lockstep;

struct Flooding {
  struct Memory {  // of one processor
    bool informed = false;
  };
  static constexpr auto activity = Activity::sparse;  // only who is reached runs
  NodeId root{0};

  std::vector<NodeId> starts() const { return {root}; }
  std::vector<std::uint32_t> regions() const { return {1}; }  // room for one block

  void operator()(auto& here) const {  // the rule of one processor in one step
    const Blocks mine{.region = Region{0}, .first = 0, .count = 1};
    bool& informed = here.memory().informed;
    bool news = here.step() == 0;
    if (news) here.load(mine.region, 0, root);
    while (const auto arrival = here.take_first()) {
      if (informed || news) continue;
      here.store(arrival, mine);
      here.deliver(mine.region, 0, root);
      news = true;
    }
    informed = informed || news;
    for (std::size_t p = 0; news && p < here.degree(); ++p) here.send(port(p), mine);
  }
};

int main() {
  const std::vector<Link> links{{NodeId{0}, NodeId{1}},
                                {NodeId{1}, NodeId{2}},
                                {NodeId{1}, NodeId{3}},
                                {NodeId{3}, NodeId{4}},
                                {NodeId{4}, NodeId{0}}};
  const RunOptions options{.model = port_models::all_port, .name = "flooding"};
  const RunReport star = run(StarGraph{6}, Flooding{}, {Operation::broadcast}, options);
  const NodeId leaf{2};
  const RunReport own = run(build_network("a cycle with a leaf", 5, links), Flooding{leaf},
                            {Operation::broadcast, leaf}, options);
  std::cout << to_text(star) << '\n' << to_text(own);
  return star.result.ok() && own.result.ok() ? 0 : 1;
}
