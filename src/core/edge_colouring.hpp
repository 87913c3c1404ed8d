// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Edges of a bipartite multigraph coloured so that no two that meet have the same colour, with as
/// few colours as there can be: the largest number of edges at a vertex.
///
///     const std::vector<BipartiteEdge> edges{{0, 0}, {0, 1}, {0, 1}, {1, 0}};
///     colours_needed(edges) == 3;
///     edge_colouring(edges);                       // 0 1 2 1
///
/// Read as a timetable: vertices of one side are jobs, of the other machines, an edge is an hour of
/// work of that job on that machine, in any order; a colour is an hour of the clock.
///
/// Source: D. Koenig 1916, whose proof by alternating paths is the algorithm.

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

/// Edges may be parallel.
struct BipartiteEdge {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
};

/// The edges of arcs, messages or whatever goes `from` one vertex `to` another.
[[nodiscard]] std::vector<BipartiteEdge> edges_of(const auto& arcs) {
  std::vector<BipartiteEdge> edges;
  edges.reserve(arcs.size());
  for (const auto& arc : arcs) edges.push_back({arc.from, arc.to});
  return edges;
}

/// The largest degree.
[[nodiscard]] std::uint32_t colours_needed(std::span<const BipartiteEdge> edges);

/// The colour of every edge, below colours_needed(edges). An edge takes the first colour that is
/// free at both ends when those before it have theirs; where none is, two colours change places
/// along a path. The order of the edges thus decides which end up close to each other.
///
/// O(edges * (vertices of the smaller side) * (largest degree on the other)) at the worst; far less
/// where few paths are needed. Memory: 4 bytes per vertex of the smaller side and colour, and 16
/// per edge.
[[nodiscard]] std::vector<std::uint32_t> edge_colouring(std::span<const BipartiteEdge> edges);

}  // namespace lockstep
