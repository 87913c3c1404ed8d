// SPDX-License-Identifier: Apache-2.0

/// Broadcast in the hypercube over its d edge-disjoint spanning binomial trees.
/// Single-port: messages of step s cross dimension s mod d. Part p leaves the root in step p and
/// spreads from its first receiver in steps p + 1 to p + d; the last part spreads from the root.
/// All-port: tree j begins with dimension j and goes on with j + 1, .., j (cyclic), never back to
/// the root; part p takes tree p mod d.
/// Source: S. L. Johnsson, C.-T. Ho, IEEE Trans. Computers 38 (1989).

#include <cstdint>
#include <vector>

#include "algorithm/pipeline.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "topology/graph_shapes.hpp"

namespace lockstep {
namespace {

struct Spread {
  std::uint64_t root;
  std::uint64_t dimensions;
  Transfers plan;

  void move(std::uint64_t step, std::uint64_t part, std::uint64_t from, std::uint64_t dimension) {
    const std::uint64_t sender = from ^ root;
    plan.move_part(step, root, everyone, sender, sender ^ (std::uint64_t{1} << dimension), part);
  }
};

/// From the holder across dimension `next` first, and so on; the root has the part already.
void spread_from(Spread& spread, std::uint64_t first, std::uint64_t part, std::uint64_t holder,
                 std::uint64_t next) {
  std::vector<std::uint64_t> holders{holder};
  for (std::uint64_t t = 0; t < spread.dimensions; ++t) {
    const std::uint64_t dimension = (next + t) % spread.dimensions;
    const std::size_t before = holders.size();
    for (std::size_t i = 0; i < before; ++i) {
      const std::uint64_t to = holders[i] ^ (std::uint64_t{1} << dimension);
      if (to == 0) continue;
      spread.move(first + t, part, holders[i], dimension);
      holders.push_back(to);
    }
  }
}

[[nodiscard]] Transfers over_cube_trees(const PlanRequest& asked, Ports ports) {
  Spread made{index(asked.root), *hypercube_dimensions(asked.network),
              every_node_a_class(asked.network.node_count())};
  made.plan.parts = asked.parts;
  for (std::uint64_t part = 0; part < asked.parts; ++part) {
    if (ports == Ports::one && part + 1 == asked.parts) {
      spread_from(made, part, part, 0, part);
      continue;
    }
    const std::uint64_t tree = part % made.dimensions;
    const std::uint64_t first = ports == Ports::one ? part : part / made.dimensions;
    made.move(first, part, 0, tree);
    spread_from(made, first + 1, part, std::uint64_t{1} << tree, tree + 1);
  }
  made.plan.sort_by_step();
  return std::move(made.plan);
}

}  // namespace

const PlannedAlgorithm edge_disjoint_trees_in_turn = in_any_numbering(
    {.info =
         plain_info("edge-disjoint-trees-in-turn", Operation::broadcast, port_models::single_port,
                    "Johnsson, Ho 1989", {"P + d - 1", "(P + d - 1)/P"},
                    "parts take d edge-disjoint binomial trees in turn"),
     .networks = shapes::hypercube.up_to_nodes(most_cube_nodes),
     .plan = [](const PlanRequest& asked) { return over_cube_trees(asked, Ports::one); },
     .parts = Parts::open});

const PlannedAlgorithm edge_disjoint_trees = in_any_numbering(
    {.info = plain_info("edge-disjoint-trees", Operation::broadcast, port_models::all_port,
                        "Johnsson, Ho 1989",
                        {"ceil(P, d) + d - (d == 1)", "(ceil(P, d) + d - (d == 1))/P"},
                        "parts take d edge-disjoint binomial trees at the same time"),
     .networks = shapes::hypercube.up_to_nodes(most_cube_nodes),
     .plan = [](const PlanRequest& asked) { return over_cube_trees(asked, Ports::all); },
     .parts = Parts::open});

}  // namespace lockstep
