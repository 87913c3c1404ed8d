// SPDX-License-Identifier: Apache-2.0

/// The designed runs of a calibration, and those by which its predictions are judged. Message
/// lengths are those of CalibrationPlan::block_bytes. Steps are dense (exchanges: every node sends)
/// and sparse (trees: few do), small networks tell the time of a step and large ones that of a
/// message; trees and exchanges differ in blocks per message, paths of one link and of many in
/// deliveries per message. The lists share no algorithm of a network.

#include <array>

#include "study/calibration.hpp"

namespace lockstep::study {
namespace {

using enum Operation;

constexpr std::array designed{
    // Groups of nodes that make the same moves.
    DesignedRun{"star:4", total_exchange, "packing", "k=1"},
    DesignedRun{"star:5", total_exchange, "packing", "k=1"},
    DesignedRun{"star:5", total_exchange, "packing", "k=2"},
    DesignedRun{"star:5", total_exchange, "packing", "k=3"},
    DesignedRun{"star:5", total_exchange, "packing", "k=4", true},
    DesignedRun{"star:6", total_exchange, "levelwise"},
    DesignedRun{"star:6", total_exchange, "table-single-port"},
    DesignedRun{"star:7", total_exchange, "table-single-port"},
    DesignedRun{"star:8", total_exchange, "table-single-port", {}, false, 4},
    DesignedRun{"star:7", total_exchange, "node-invariant"},
    DesignedRun{"star:9", total_exchange, "packing", "k=2", false, 20},
    DesignedRun{"star:9", total_exchange, "packing", "k=3", false, 20},
    DesignedRun{"star:9", total_exchange, "packing", "k=4", false, 20},
    DesignedRun{"star:6", all_gather, "mesh"},
    DesignedRun{"pancake:5", total_exchange, "node-invariant"},
    DesignedRun{"pancake:6", total_exchange, "node-invariant", {}, true},
    DesignedRun{"pancake:7", total_exchange, "node-invariant"},
    DesignedRun{"bubble-sort:6", total_exchange, "node-invariant"},
    DesignedRun{"bubble-sort:7", total_exchange, "node-invariant"},
    DesignedRun{"pancake:8", total_exchange, "node-invariant", {}, false, 4},
    DesignedRun{"hypercube:11", total_exchange, "node-invariant"},
    DesignedRun{"hypercube:12", total_exchange, "node-invariant"},
    DesignedRun{"torus:60x60", total_exchange, "node-invariant"},
    DesignedRun{"hypercube:5", total_exchange, "node-invariant"},
    DesignedRun{"hypercube:9", total_exchange, "node-invariant"},
    DesignedRun{"ring:600", total_exchange, "node-invariant"},
    DesignedRun{"torus:24x24", total_exchange, "edge-colouring"},
    DesignedRun{"torus:9x9", all_gather, "ring-by-ring"},
    DesignedRun{"hypercube:6", all_gather, "recursive-doubling"},
    DesignedRun{"star:5", all_gather, "mesh"},
    DesignedRun{"star:5", all_gather, "hamiltonian-ring"},
    DesignedRun{"hypercube:9", all_gather, "recursive-doubling"},
    DesignedRun{"hypercube:11", all_gather, "recursive-doubling"},
    DesignedRun{"torus:14x14", all_gather, "ring-by-ring"},
    DesignedRun{"torus:20x20", all_gather, "ring-by-ring"},
    DesignedRun{"ring:300", all_gather, "ring-by-ring"},
    // Nodes one by one, and those that are active.
    DesignedRun{"hypercube:7", all_gather, "tree"}, DesignedRun{"mesh:14x14", all_gather, "tree"},
    DesignedRun{"mesh:14x14", all_gather, "shortest-paths", {}, true},
    DesignedRun{"torus:14x14", all_gather, "shortest-paths"},
    DesignedRun{"mesh:14x14", all_gather, "shortest-paths-in-turn"},
    DesignedRun{"mesh:8x10", all_gather, "shortest-paths"},
    DesignedRun{"ccc:4", all_gather, "shortest-paths"},
    DesignedRun{"torus:8x9", all_gather, "shortest-paths"},
    DesignedRun{"ccc:5", all_gather, "shortest-paths"},
    DesignedRun{"torus:18x20", all_gather, "shortest-paths"},
    DesignedRun{"mesh:16x24", all_gather, "shortest-paths"},
    DesignedRun{"butterfly:6", all_gather, "shortest-paths"},
    DesignedRun{"generalized-petersen:150,7", all_gather, "shortest-paths"},
    DesignedRun{"ccc:4", total_exchange, "shortest-paths"},
    DesignedRun{"mesh:60x60", broadcast, "tree"}, DesignedRun{"hypercube:7", broadcast, "tree"},
    DesignedRun{"torus:20x20", broadcast, "tree"}, DesignedRun{"ccc:5", broadcast, "tree"},
    DesignedRun{"mesh:10x10", total_exchange, "shortest-paths"},
    DesignedRun{"mesh:14x14", total_exchange, "shortest-paths-in-turn"},
    DesignedRun{"ccc:5", total_exchange, "shortest-paths"},
    DesignedRun{"mesh:14x14", broadcast, "tree", {}, true},
    DesignedRun{"mesh:24x24", broadcast, "tree"}, DesignedRun{"ccc:7", broadcast, "tree"},
    DesignedRun{"hypercube:11", broadcast, "tree"}, DesignedRun{"hypercube:12", broadcast, "tree"},
    DesignedRun{"torus:60x60", broadcast, "matching"},
    DesignedRun{"ej:4+5", broadcast, "improved", {}, true},
    DesignedRun{"mesh:120x120", broadcast, "tree"}, DesignedRun{"mesh:14x14", scatter, "tree"},
    DesignedRun{"hypercube:9", scatter, "tree"}, DesignedRun{"hypercube:9", gather, "tree"},
    DesignedRun{"torus:10x10", many_to_all, "aggregation", "messages=40"},
    DesignedRun{"torus:9x9", many_to_all, "aggregation", "messages=40"},
    DesignedRun{"torus:20x20", many_to_all, "aggregation", "messages=40"},
    DesignedRun{"torus:30x30", many_to_all, "aggregation", "messages=40"},
    DesignedRun{"torus:40x40", many_to_all, "aggregation", "messages=40"},
    DesignedRun{"torus:10x10", many_to_all, "ring2d", "messages=40"},
    DesignedRun{"torus:10x10", many_to_all, "edst", "messages=40"},
    DesignedRun{"mesh:10x10", many_to_all, "shortest-paths", "messages=40"},
    DesignedRun{"mesh:16x24", many_to_all, "shortest-paths", "messages=40"},
    DesignedRun{"ccc:5", many_to_all, "shortest-paths", "messages=40"},
    DesignedRun{"hypercube:9", many_to_all, "tree", "messages=40"},
    DesignedRun{"mesh:14x14", many_to_all, "tree", "messages=40"},
    DesignedRun{"ccc:5", many_to_all, "tree", "messages=40"},
    // Reductions.
    DesignedRun{"hypercube:8", all_reduce, "recursive-doubling"},
    DesignedRun{"hypercube:8", all_reduce, "halving-doubling"},
    DesignedRun{"hypercube:9", all_reduce, "recursive-doubling"},
    DesignedRun{"hypercube:11", all_reduce, "recursive-doubling"},
    DesignedRun{"hypercube:12", all_reduce, "recursive-doubling"},
    DesignedRun{"torus:10x10", all_reduce, "ring-by-ring"},
    DesignedRun{"mesh:10x10", all_reduce, "tree"}, DesignedRun{"mesh:14x14", all_reduce, "tree"},
    DesignedRun{"ccc:5", all_reduce, "tree"}, DesignedRun{"ccc:7", all_reduce, "tree"},
    DesignedRun{"mesh:24x24", all_reduce, "tree"},
    DesignedRun{"torus:14x14", all_reduce, "ring-by-ring"},
    DesignedRun{"mesh:30x30", all_reduce, "matching"}, DesignedRun{"hypercube:9", reduce, "tree"},
    DesignedRun{"mesh:30x30", reduce, "tree"},
    DesignedRun{"hypercube:8", reduce_scatter, "recursive-halving"},
    DesignedRun{"hypercube:8", scan, "recursive-doubling"},
    DesignedRun{"hypercube:11", scan, "recursive-doubling"}};

constexpr std::array judged{DesignedRun{"star:6", total_exchange, "packing", "k=1"},
                            DesignedRun{"star:6", total_exchange, "packing", "k=2"},
                            DesignedRun{"star:6", total_exchange, "packing", "k=3"},
                            DesignedRun{"star:6", total_exchange, "packing", "k=4"},
                            DesignedRun{"star:6", total_exchange, "packing", "k=5"},
                            DesignedRun{"star:7", total_exchange, "packing", "k=1"},
                            DesignedRun{"star:7", total_exchange, "packing", "k=2"},
                            DesignedRun{"star:7", total_exchange, "packing", "k=3"},
                            DesignedRun{"star:7", total_exchange, "packing", "k=4"},
                            DesignedRun{"star:7", total_exchange, "packing", "k=5"},
                            DesignedRun{"star:7", total_exchange, "packing", "k=6"},
                            DesignedRun{"star:8", total_exchange, "packing", "k=1"},
                            DesignedRun{"star:8", total_exchange, "packing", "k=2"},
                            DesignedRun{"star:8", total_exchange, "packing", "k=3"},
                            DesignedRun{"star:8", total_exchange, "packing", "k=4"},
                            DesignedRun{"star:8", total_exchange, "packing", "k=5"},
                            DesignedRun{"star:8", total_exchange, "packing", "k=6"},
                            DesignedRun{"star:8", total_exchange, "packing", "k=7"},
                            DesignedRun{"torus:16x16", all_gather, "ring-by-ring"},
                            DesignedRun{"mesh:20x20", all_gather, "shortest-paths"},
                            DesignedRun{"hypercube:10", all_gather, "recursive-doubling"},
                            DesignedRun{"ccc:6", all_gather, "shortest-paths"},
                            DesignedRun{"torus:16x16", broadcast, "tree"},
                            DesignedRun{"mesh:20x20", broadcast, "tree"},
                            DesignedRun{"hypercube:10", broadcast, "tree"},
                            DesignedRun{"ccc:6", broadcast, "tree"},
                            DesignedRun{"torus:16x16", many_to_all, "aggregation", "messages=40"},
                            DesignedRun{"mesh:20x20", many_to_all, "shortest-paths", "messages=40"},
                            DesignedRun{"hypercube:10", many_to_all, "tree", "messages=40"},
                            DesignedRun{"ccc:6", many_to_all, "tree", "messages=40"},
                            DesignedRun{"torus:16x16", all_reduce, "ring-by-ring"},
                            DesignedRun{"mesh:20x20", all_reduce, "tree"},
                            DesignedRun{"hypercube:10", all_reduce, "recursive-doubling"},
                            DesignedRun{"ccc:6", all_reduce, "tree"}};

}  // namespace

std::span<const DesignedRun> calibration_runs() { return designed; }
std::vector<DesignedRun> check_runs() {
  std::vector<DesignedRun> runs(judged.begin(), judged.end());
  constexpr double share = 3;  // as well as they can be measured
  for (DesignedRun& run : runs) {
    run.judged = true;
    run.share = share;
  }
  return runs;
}

}  // namespace lockstep::study
