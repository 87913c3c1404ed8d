// SPDX-License-Identifier: Apache-2.0
/// An algorithm of one's own beside those of the catalogue:
///     own_algorithm compare ring:8 broadcast
#include <lockstep/catalog/register_algorithm.hpp>
#include <lockstep/cli/main.hpp>
#include <lockstep/topology/ring.hpp>

using namespace lockstep;

/// Broadcast that sends the block once round the ring, one way.
struct RoundTheRing : Algorithm {
  using TopologyType = Ring;
  static constexpr AlgorithmInfo info{.name = "round",
                                      .operation = Operation::broadcast,
                                      .model = port_models::single_port,
                                      .source = "this file",
                                      .costs = "N - 1 of both",
                                      .summary = "once round the ring"};
  struct Program {
    using Memory = NoMemory;
    static constexpr Activity activity = Activity::dense;
    static constexpr Traits traits = Traits::step_count;
    std::uint64_t nodes;
    std::vector<std::uint32_t> regions() const { return {1}; }
    std::uint64_t step_count() const { return nodes - 1; }
    void operator()(auto& here) const {
      if (index(here.node()) != here.step()) return;  // the block is at node t in step t
      if (here.step() == 0) here.load(Region{0}, 0, NodeId{0});
      if (const auto arrival = here.take_first()) {
        here.store(arrival, {Region{0}, 0, 1});
        here.deliver(Region{0}, 0, NodeId{0});
      }
      if (!here.last_call()) here.send(Port{0}, {Region{0}, 0, 1});
    }
  };

  RoundTheRing(const Ring& ring, const Settings&) : nodes(ring.node_count()) {}
  std::optional<Cost> promise() const override { return Cost{nodes - 1, nodes - 1}; }
  Footprint footprint() const override { return {.steps = nodes - 1, .blocks_per_processor = 1}; }
  Program program() const { return {nodes}; }
  std::uint64_t nodes;
};

int main(int argc, char** argv) {
  register_algorithm<RoundTheRing>("ring");
  return lockstep_main(argc, argv);
}
