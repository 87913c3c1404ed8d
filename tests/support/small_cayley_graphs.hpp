// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Small Cayley graphs of every family of the catalogue: awkward sizes, and the example of each.
///
///     for (const AnyTopology& graph : small_cayley_graphs()) check(*graph.cayley());

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/catalog/catalog.hpp"

namespace lockstep::test {

/// Whether there is such a family: "torus" of "torus:3x4".
inline bool catalogued(std::string_view topology) {
  const std::string_view family = topology.substr(0, topology.find(':'));
  const auto& all = topology_catalog();
  return std::any_of(all.begin(), all.end(), [&](const TopologyInfo& info) {
    return info.grammar.substr(0, info.grammar.find(':')) == family;
  });
}

inline std::vector<AnyTopology> small_cayley_graphs(std::uint64_t most_nodes = 130) {
  constexpr std::string_view sizes[] = {"star:2",
                                        "star:3",
                                        "star:4",
                                        "star:5",
                                        "ring:3",
                                        "ring:4",
                                        "ring:5",
                                        "ring:17",
                                        "hypercube:0",
                                        "hypercube:1",
                                        "hypercube:2",
                                        "hypercube:5",
                                        "complete:1",
                                        "complete:2",
                                        "complete:3",
                                        "complete:13",
                                        "torus:3x4",
                                        "torus:2x5",
                                        "torus:3x3x3",
                                        "torus:7",
                                        "circulant:13,1,5",
                                        "extended-ring:8,3",
                                        "extended-ring:6,3",
                                        "generalized-hypercube:2x3x4",
                                        "ccc:3",
                                        "butterfly:3",
                                        "pancake:3",
                                        "pancake:5",
                                        "bubble-sort:3",
                                        "bubble-sort:5",
                                        "cayley:(1 2)(3 4);(1 2 3 4 5)"};
  std::vector<std::string> names;
  for (const std::string_view name : sizes)
    if (catalogued(name)) names.emplace_back(name);
  for (const TopologyInfo& info : topology_catalog())
    if (!info.example.empty()) names.emplace_back(info.example);
  std::vector<AnyTopology> graphs;
  for (const std::string& name : names) {
    AnyTopology graph = make_topology(name);
    if (graph.cayley() && graph.node_count() <= most_nodes) graphs.push_back(std::move(graph));
  }
  return graphs;
}

}  // namespace lockstep::test
