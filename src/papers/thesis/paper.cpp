// SPDX-License-Identifier: Apache-2.0

/// Chapters 2 and 3 of V. V. Dimakopoulos, "Collective communication problems in multiprocessors":
/// thesis.json has what they print, this file what its formulas ask of networks and machine.

#include "papers/paper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/joined.hpp"
#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/topology/detail/topology_model.hpp"
#include "lockstep/topology/metrics.hpp"
#include "papers/measured.hpp"
#include "topology/balanced_trees.hpp"
#include "topology/disjoint_paths.hpp"
#include "topology/graph_file.hpp"
#include "topology/least_broadcast_steps.hpp"
#include "topology/product_factors.hpp"
#include "topology/rule_trees.hpp"

namespace lockstep::papers {

extern const std::string_view thesis_json;

namespace {

[[nodiscard]] NodeId its_root(const Call& call) {
  return network_of(call).find(call.text("root")).value();
}

/// ('broadcast', 'tree') from the root of the row, if it has one.
[[nodiscard]] Value counted_steps_of(const Call& call) {
  Job job{call.text("topology"), parse_operation(call.text(0)), call.text(1)};
  if (call.scope.names.contains("root")) job.settings["root"] = index(its_root(call));
  return steps_of(job);
}

/// On the graph of these links, as letters: "va vb ac".
[[nodiscard]] Value steps_on_links(const std::string& links, const std::string& algorithm) {
  std::string text;
  for (std::size_t i = 0; i + 1 < links.size(); i += 3)
    text += fmt::format("{} {}\n", links[i], links[i + 1]);
  const AnyTopology graph{ErasedTopology(std::make_shared<TopologyModel<Network>>(
      read_graph_text("figure", "figure", text, GraphFormat::edges)))};
  RunRequest request = request_of({"linear:2", Operation::scatter, algorithm});
  request.topology = graph;
  request.settings["root"] = index(graph.find("v").value());
  const RunResult result = prepare(request)->execute();
  if (!result.ok()) throw std::runtime_error(links + " failed");
  return result.record.steps;
}

/// Nodes of a product whose figure is not the sum of those of their coordinates: (2.1) to (2.3).
[[nodiscard]] Value differing_sums(const Call& call) {
  const AnyTopology network = network_of(call);
  const auto figure = [&](const ErasedTopology& of, NodeId u) -> std::uint64_t {
    if (call.text(0) == "degree") return of.degree(u);
    if (call.text(0) == "eccentricity") return eccentricity(of, u);
    return distances_from(of, NodeId{0})[index(u)];
  };
  std::uint64_t different = 0;
  for (std::uint64_t u = 0; u < network.node_count(); ++u) {
    std::uint64_t sum = 0;
    for (const ProductFactor& factor : product_factors(network))
      sum += figure(factor.topology, factor.coordinate(NodeId{u}));
    different += sum == figure(network, NodeId{u}) ? 0U : 1U;
  }
  return different;
}

/// Figures that a node-symmetric network has only one of: degrees, and nodes by distance.
[[nodiscard]] Value kinds_of_nodes(const Call& call) {
  const AnyTopology network = network_of(call);
  std::vector<std::vector<std::uint64_t>> kinds;
  for (std::uint64_t u = 0; u < network.node_count(); ++u) {
    kinds.push_back(level_sizes(network, NodeId{u}));
    kinds.back().push_back(network.degree(NodeId{u}));
  }
  std::ranges::sort(kinds);
  return std::unique(kinds.begin(), kinds.end()) - kinds.begin();
}

/// Whether the paths lead from one node to another over links, and share no other node.
[[nodiscard]] bool are_disjoint(const ErasedTopology& network, const std::vector<Path>& paths) {
  std::vector<NodeId> inner;
  for (const Path& path : paths) {
    inner.insert(inner.end(), path.begin() + 1, path.end() - 1);
    for (std::size_t i = 1; i < path.size(); ++i)
      if (!port_to(network, path[i - 1], path[i])) return false;
  }
  inner.push_back(paths.front().front());
  inner.push_back(paths.front().back());
  std::ranges::sort(inner);
  return std::adjacent_find(inner.begin(), inner.end()) == inner.end();
}

/// The p_i of theorem 2.1: paths in the factor, or neighbours.
[[nodiscard]] std::vector<Path> factor_paths(const ProductFactor& factor, NodeId from, NodeId to) {
  const NodeId a = factor.coordinate(from);
  if (a != factor.coordinate(to))
    return most_disjoint_paths(factor.topology, a, factor.coordinate(to));
  std::vector<Path> hops;
  for (std::size_t p = 0; p < factor.topology.degree(a); ++p)
    hops.push_back({a, factor.topology.neighbor(a, port(p)), a});
  return hops;
}

[[nodiscard]] std::vector<Path> corrected_paths(const ErasedTopology& network, NodeId from,
                                                NodeId to) {
  std::size_t count = 0;
  for (const ProductFactor& factor : product_factors(network))
    count += factor_paths(factor, from, to).size();
  std::vector<Path> paths = disjoint_paths(network, from, to);
  return paths.size() == count ? paths : std::vector<Path>{};
}

/// As section 2.2 says: class i goes to a penultimate node of dimension i, corrects dimensions
/// i + 1, .., k, 1, .., i - 1, and makes the last hop.
[[nodiscard]] std::vector<Path> printed_paths(const ErasedTopology& network, NodeId from,
                                              NodeId to) {
  const std::vector<ProductFactor> factors = product_factors(network);
  std::vector<Path> paths;
  for (std::size_t i = 0; i < factors.size(); ++i)
    for (const Path& own : factor_paths(factors[i], from, to)) {
      Path& path = paths.emplace_back(Path{from});
      for (std::size_t k = 1; k + 1 < own.size(); ++k)
        path.push_back(factors[i].with(path.back(), own[k]));
      for (std::size_t next = 1; next < factors.size(); ++next) {
        const ProductFactor& factor = factors[(i + next) % factors.size()];
        if (factor.coordinate(from) == factor.coordinate(to)) continue;
        const Path shortest = factor_paths(factor, from, to).front();
        for (std::size_t k = 1; k < shortest.size(); ++k)
          path.push_back(factor.with(path.back(), shortest[k]));
      }
      path.push_back(factors[i].with(path.back(), own.back()));
    }
  return paths;
}

/// Ordered pairs of nodes that `paths` leads from one to the other, by disjoint paths.
template <std::vector<Path> (*paths)(const ErasedTopology&, NodeId, NodeId)>
[[nodiscard]] Value pairs_joined(const Call& call) {
  const AnyTopology network = network_of(call);
  std::uint64_t pairs = 0;
  for (std::uint64_t u = 0; u < network.node_count(); ++u)
    for (std::uint64_t v = 0; v < network.node_count(); ++v) {
      if (u == v) continue;
      const std::vector<Path> found = paths(network, NodeId{u}, NodeId{v});
      pairs += !found.empty() && are_disjoint(network, found) ? 1U : 0U;
    }
  return pairs;
}

/// Sizes of the subtrees at the root of the tree of section 3.1, rising.
[[nodiscard]] Value subtrees_by_rule(const Call& call) {
  const AnyTopology network = network_of(call);
  const SpanningTree tree = rule_tree(network, NodeId{0});
  std::vector<std::uint64_t> sizes;
  for (const SpanningTree::Child& child : tree.children(NodeId{0}))
    sizes.push_back(tree.subtree_size(NodeId{child.node}));
  std::ranges::sort(sizes);
  return joined(sizes, " ");
}

/// Those of section 3.4.2 in the order A, B, C, D: the root's neighbours to the north, east, south
/// and west.
[[nodiscard]] std::vector<std::uint64_t> torus_regions(const Call& call) {
  const AnyTopology torus = network_of(call);
  const SpanningTree tree = balanced_tree(torus, NodeId{0});
  const std::uint64_t columns = index(torus.neighbor(NodeId{0}, Port{0}));
  std::vector<std::uint64_t> sizes;
  for (const std::uint64_t top :
       {torus.node_count() - columns, std::uint64_t{1}, columns, columns - 1})
    sizes.push_back(tree.subtree_size(NodeId{top}));
  return sizes;
}

/// Messages by the printed rule of section 3.1 for extended rings, those of weight 0 included.
[[nodiscard]] std::uint64_t printed_copies(std::uint64_t n, std::uint64_t rho) {
  const std::uint64_t d = (n / 2 + rho - 1) / rho;
  const std::uint64_t w = (n - 1) / rho - d;
  const std::uint64_t k = n - (w + d) * rho - 1;
  return rho * d + k * (w + 1) + (rho - k) * std::max<std::uint64_t>(w, 1);
}

/// Nodes at distance d or more from the root of the row, for all d.
[[nodiscard]] std::vector<std::uint64_t> at_least(const Call& call) {
  std::vector<std::uint64_t> levels = level_sizes(network_of(call), NodeId{0});
  for (std::size_t d = levels.size() - 1; d > 0; --d) levels[d - 1] += levels[d];
  return levels;
}

[[nodiscard]] std::uint64_t corollary_34(std::uint64_t d, std::uint64_t nodes) {
  const double power = std::pow(4.0, static_cast<double>(d) - 1);
  const auto r = static_cast<double>(nodes);
  if (r >= power) return static_cast<std::uint64_t>(std::ceil(std::log2(power + r) - 1e-9));
  const double steps =
      static_cast<double>(d) / 2 +
      std::pow(std::tgamma(static_cast<double>(d) + 1) * (r - 1), 1 / (static_cast<double>(d) + 1));
  return static_cast<std::uint64_t>(std::ceil(steps - 1e-9));
}

/// The largest over d of the corollary; from d = `first` on.
[[nodiscard]] Value corollary(const Call& call) {
  const std::vector<std::uint64_t> nodes = at_least(call);
  std::uint64_t most = 0;
  for (std::uint64_t d = call.number(0); d < nodes.size(); ++d)
    most = std::max(most, corollary_34(d, nodes[d]));
  return most;
}

const Functions functions{
    {"nodes", [](const Call& call) { return network_of(call).node_count(); }},
    {"degree", [](const Call& call) { return network_of(call).max_degree(); }},
    {"diameter", [](const Call& call) { return network_of(call).diameter().value(); }},
    {"distance",
     [](const Call& call) {
       const AnyTopology network = network_of(call);
       return distances_from(
           network, network.find(call.text(0)).value())[index(network.find(call.text(1)).value())];
     }},
    {"neighbours",
     [](const Call& call) {
       const AnyTopology network = network_of(call);
       const NodeId u = network.find(call.text(0)).value();
       std::vector<std::string> labels;
       for (std::size_t p = 0; p < network.degree(u); ++p)
         labels.push_back(network.label(network.neighbor(u, port(p))));
       return joined(labels, " ");
     }},
    {"eccentricity",
     [](const Call& call) { return eccentricity(network_of(call), its_root(call)); }},
    {"eccentricity_of_0",
     [](const Call& call) { return eccentricity(network_of(call), NodeId{0}); }},
    {"differing_sums", differing_sums},
    {"kinds_of_nodes", kinds_of_nodes},
    {"pairs_joined", pairs_joined<corrected_paths>},
    {"pairs_joined_as_printed", pairs_joined<printed_paths>},
    {"steps", counted_steps_of},
    {"steps_on_links", steps_on_links},
    {"subtrees", subtrees_by_rule},
    {"height",
     [](const Call& call) { return rule_tree(network_of(call), its_root(call)).height(); }},
    {"depth",
     [](const Call& call) {
       return rule_tree(network_of(call), NodeId{0}).depth(NodeId{call.number(0)});
     }},
    {"printed_copies", printed_copies},
    {"choose",
     [](std::uint64_t n, std::uint64_t k) {
       std::uint64_t ways = 1;
       for (std::uint64_t i = 0; i < k; ++i) ways = ways * (n - i) / (i + 1);
       return k > n ? 0 : ways;
     }},
    {"theorem_33",
     [](const Call& call) {
       return least_broadcast_steps(level_sizes(network_of(call), NodeId{0}));
     }},
    {"corollary_34", corollary},
    {"farthest", [](const Call& call) { return at_least(call).back(); }},
    {"regions", [](const Call& call) { return joined(torus_regions(call), " "); }},
    {"region", [](const Call& call) { return torus_regions(call).at(call.number(0)); }}};

}  // namespace

const Paper thesis_paper{.name = "thesis", .data = data_from<thesis_json, functions>};

}  // namespace lockstep::papers
