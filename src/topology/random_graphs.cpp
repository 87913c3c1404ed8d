// SPDX-License-Identifier: Apache-2.0
#include "topology/random_graphs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/random.hpp>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/topology/build_network.hpp"

namespace lockstep {
namespace {

using Generator = boost::random::mt19937_64;
using RandomGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;

constexpr std::uint64_t most_random_links = std::uint64_t{1} << 24U;
constexpr int most_draws = 100;

[[nodiscard]] bool is_connected(const RandomGraph& graph) {
  std::vector<std::size_t> components(num_vertices(graph));
  return boost::connected_components(graph, components.data()) == 1;
}

using Pair = std::pair<std::uint64_t, std::uint64_t>;

/// The lower end of each first.
[[nodiscard]] std::vector<Pair> sorted_links(const RandomGraph& graph) {
  std::vector<Pair> links;
  for (auto [edge, end] = edges(graph); edge != end; ++edge)
    links.emplace_back(std::minmax(source(*edge, graph), target(*edge, graph)));
  std::ranges::sort(links);
  return links;
}

/// The links of the nodes in rising order, so that ports do not depend on how they were drawn.
[[nodiscard]] Network network_of(const std::string& name, const RandomGraph& graph) {
  std::vector<Link> links;
  links.reserve(num_edges(graph));
  for (const auto& [u, v] : sorted_links(graph)) links.push_back({NodeId{u}, NodeId{v}});
  return build_network(name, num_vertices(graph), links);
}

/// Draws until a graph is connected; `draw` may fail, too.
template <class Draw>
[[nodiscard]] Network first_connected(const std::string& name, std::uint64_t seed,
                                      const Draw& draw) {
  Generator random(seed);
  for (int i = 0; i < most_draws; ++i)
    if (const std::optional<RandomGraph> graph = draw(random); graph && is_connected(*graph))
      return network_of(name, *graph);
  throw invalid("{}: none of {} random graphs is connected; use more links", name, most_draws);
}

void check_number(const std::string& name, std::uint64_t number, std::string_view what) {
  if (number > most_random_links)
    throw invalid("{}: {}; allowed: up to {}", name, counted(number, what),
                  grouped(most_random_links));
}

/// Whether two nodes with free stubs exist that no link joins yet.
[[nodiscard]] bool can_go_on(const std::set<Pair>& links, std::vector<std::uint64_t> stubs) {
  std::ranges::sort(stubs);
  stubs.erase(std::unique(stubs.begin(), stubs.end()), stubs.end());
  for (std::size_t i = 0; i < stubs.size(); ++i)
    for (std::size_t j = i + 1; j < stubs.size(); ++j)
      if (!links.contains({stubs[i], stubs[j]})) return true;
  return stubs.empty();
}

/// Empty where the stubs that are left cannot be joined.
[[nodiscard]] std::optional<RandomGraph> joined_stubs(std::uint64_t nodes, std::uint64_t degree,
                                                      Generator& random) {
  std::set<Pair> links;
  std::vector<std::uint64_t> stubs;
  for (std::uint64_t i = 0; i < nodes * degree; ++i) stubs.push_back(i % nodes);
  while (!stubs.empty()) {
    for (std::size_t i = stubs.size(); i > 1; --i)
      std::swap(stubs[i - 1],
                stubs[boost::random::uniform_int_distribution<std::size_t>(0, i - 1)(random)]);
    std::vector<std::uint64_t> left;
    for (std::size_t i = 0; i + 1 < stubs.size(); i += 2) {
      const Pair link = std::minmax(stubs[i], stubs[i + 1]);
      if (link.first == link.second || !links.insert(link).second)
        left.insert(left.end(), {stubs[i], stubs[i + 1]});
    }
    if (left.size() == stubs.size() && !can_go_on(links, left)) return std::nullopt;
    stubs = std::move(left);
  }
  return RandomGraph(links.begin(), links.end(), nodes);
}

/// Empty where too many of the links that were drawn were repeated ones.
[[nodiscard]] std::optional<RandomGraph> random_links(std::uint64_t nodes, std::uint64_t links,
                                                      Generator& random) {
  RandomGraph graph;
  if (nodes == 1) return RandomGraph(1);
  boost::generate_random_graph(graph, nodes, links, random, /*allow_parallel=*/false,
                               /*self_edges=*/false);
  if (num_edges(graph) != links) return std::nullopt;
  return graph;
}

/// Links between all pairs that have none.
[[nodiscard]] RandomGraph complement(const RandomGraph& graph) {
  const std::vector<Pair> links = sorted_links(graph);
  RandomGraph others(num_vertices(graph));
  for (std::uint64_t v = 0; v < num_vertices(graph); ++v)
    for (std::uint64_t u = 0; u < v; ++u)
      if (!std::ranges::binary_search(links, Pair{u, v})) add_edge(u, v, others);
  return others;
}

}  // namespace

Network random_regular_graph(std::uint64_t nodes, std::uint64_t degree, std::uint64_t seed) {
  const std::string name = fmt::format("random-regular:{},{},{}", nodes, degree, seed);
  if (nodes == 0 || degree >= nodes || (nodes % 2 != 0 && degree % 2 != 0) ||
      (degree == 0 && nodes > 1) || (degree == 1 && nodes > 2))
    throw invalid(
        "{}: {} nodes of degree {}; the degree must be at least 2 and less than the "
        "number of nodes, and one of the two numbers must be even",
        name, nodes, degree);
  check_number(name, nodes, "node");
  check_number(name, nodes * degree / 2, "link");
  return first_connected(name, seed,
                         [=](Generator& random) { return joined_stubs(nodes, degree, random); });
}

Network erdos_renyi_graph(std::uint64_t nodes, std::uint64_t links, std::uint64_t seed) {
  const std::string name = fmt::format("erdos-renyi:{},{},{}", nodes, links, seed);
  check_number(name, links, "link");
  if (nodes == 0 || nodes - 1 > links)
    throw invalid("{}: {} links; a connected graph needs at least {}", name, links,
                  nodes == 0 ? 0 : nodes - 1);
  const std::uint64_t all = nodes * (nodes - 1) / 2;  // fits: at most one node more than links
  if (links > all) throw invalid("{}: {} links; allowed: up to {}", name, links, all);
  return first_connected(name, seed, [=](Generator& random) {
    if (links <= all / 2) return random_links(nodes, links, random);
    const std::optional<RandomGraph> others = random_links(nodes, all - links, random);
    return others ? std::optional(complement(*others)) : std::nullopt;
  });
}

}  // namespace lockstep
