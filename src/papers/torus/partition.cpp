// SPDX-License-Identifier: Apache-2.0

/// What section 2 of the torus paper states of subtori and blocks, held against all nodes and all
/// shortest dimension-ordered routes.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "lockstep/topology/cyclic_networks.hpp"
#include "papers/torus/torus.hpp"

namespace lockstep::papers::torus {
namespace {

using Place = std::pair<std::uint64_t, std::uint64_t>;  // row, column

/// DDN k, or block number b; nodes by subnetwork.
using Subnetworks = std::vector<std::vector<Place>>;

[[nodiscard]] Subnetworks ddns_of(std::uint64_t n, std::uint64_t h) {
  Subnetworks all(h);
  for (std::uint64_t i = 0; i < n; ++i)
    for (std::uint64_t j = i % h; j < n; j += h) all[i % h].emplace_back(i, j);
  return all;
}

[[nodiscard]] Subnetworks blocks_of(std::uint64_t n, std::uint64_t h) {
  Subnetworks all(n / h * (n / h));
  for (std::uint64_t i = 0; i < n; ++i)
    for (std::uint64_t j = 0; j < n; ++j) all[i / h * (n / h) + j / h].emplace_back(i, j);
  return all;
}

/// Steps of the shorter way round, and whether it goes up.
[[nodiscard]] std::pair<std::uint64_t, bool> way(std::uint64_t from, std::uint64_t to,
                                                 std::uint64_t n) {
  const std::uint64_t up = (to + n - from) % n;
  return {std::min(up, n - up), up <= n - up};
}

/// A link by the node it leaves, its dimension, and whether it goes up.
using Link = std::tuple<Place, int, bool>;

/// Of all shortest routes between two nodes of a subnetwork: down its column, then along its row.
[[nodiscard]] std::set<Link> links_in(const std::vector<Place>& nodes, std::uint64_t n) {
  std::set<Link> links;
  for (const Place& from : nodes)
    for (const auto& [row, column] : nodes) {
      Place at = from;
      const auto go = [&](std::uint64_t& place, std::uint64_t to, int dimension) {
        const auto [steps, up] = way(place, to, n);
        for (std::uint64_t step = 0; step < steps; ++step) {
          links.emplace(at, dimension, up);
          place = (place + (up ? 1 : n - 1)) % n;
        }
      };
      go(at.first, row, 1);
      go(at.second, column, 2);
    }
  return links;
}

/// Links of routes in more than one of them.
[[nodiscard]] std::uint64_t shared_links(const Subnetworks& all, std::uint64_t n) {
  std::map<Link, std::uint64_t> uses;
  for (const std::vector<Place>& nodes : all)
    for (const Link& link : links_in(nodes, n)) ++uses[link];
  return static_cast<std::uint64_t>(
      std::count_if(uses.begin(), uses.end(), [](const auto& use) { return use.second > 1; }));
}

/// "1", or "1 to 3": nodes that one of each have in common.
[[nodiscard]] std::string common_nodes(const Subnetworks& ones, const Subnetworks& others) {
  std::set<std::size_t> counts;
  for (const std::vector<Place>& one : ones)
    for (const std::vector<Place>& other : others)
      counts.insert(
          static_cast<std::size_t>(std::count_if(one.begin(), one.end(), [&](const Place& place) {
            return std::find(other.begin(), other.end(), place) != other.end();
          })));
  const std::string least = fmt::format("{}", *counts.begin());
  return counts.size() == 1 ? least : fmt::format("{} to {}", least, *counts.rbegin());
}

/// "4 of 4 x 4"
[[nodiscard]] std::string shape_of(const Subnetworks& all) {
  std::set<std::uint64_t> rows;
  std::set<std::uint64_t> columns;
  for (const auto& [row, column] : all.front()) {
    rows.insert(row);
    columns.insert(column);
  }
  const bool alike = std::all_of(all.begin(), all.end(), [&](const auto& nodes) {
    return nodes.size() == rows.size() * columns.size();
  });
  return alike ? fmt::format("{} of {} x {}", all.size(), rows.size(), columns.size()) : "uneven";
}

/// Whether DDN k is DDN 0, k rows and columns farther.
[[nodiscard]] bool are_translates(const Subnetworks& ddns, std::uint64_t n) {
  for (std::size_t k = 0; k < ddns.size(); ++k) {
    std::set<Place> moved;
    for (const auto& [row, column] : ddns.front()) moved.emplace((row + k) % n, (column + k) % n);
    if (moved != std::set<Place>(ddns[k].begin(), ddns[k].end())) return false;
  }
  return true;
}

[[nodiscard]] std::uint64_t nodes_in(const Subnetworks& all) {
  std::set<Place> nodes;
  for (const std::vector<Place>& some : all) nodes.insert(some.begin(), some.end());
  return nodes.size();
}

}  // namespace

PaperRows partition_claims() {
  constexpr std::size_t n = 16;
  constexpr std::uint64_t h = 4;
  const Torus torus({n, n});
  const Subnetworks ddns = ddns_of(n, h);
  const Subnetworks blocks = blocks_of(n, h);
  PaperRows rows{
      claim("Section 2.1", n, "the first node, P(i,j)", "1,1", torus.label(NodeId{0}), 1),
      claim("Section 2.1", n, "dimension 1 leads from P(0,0) to", "1,0",
            torus.label(torus.neighbor(NodeId{0}, Port{0})), 26),
      claim("Section 2.2", n, "h = 4: DDNs, tori of nodes", "4 of 4 x 4", shape_of(ddns)),
      claim("Section 2.2", n, "h = 4: blocks, meshes of nodes", "16 of 4 x 4", shape_of(blocks)),
      claim("Section 2.2", n, "h = 4: a of the blocks DCN(a,b)", "(0..15)/4",
            fmt::format("0..{}", n / h - 1), 2),
      claim("Section 2.2", n, "obtained by slicing the torus evenly", "DDNs", "DCNs", 2),
      claim("Section 2.2", n, "h = 4: nodes in the blocks together", fmt::format("{}", n * n),
            fmt::format("{}", nodes_in(blocks))),
      claim("Section 2.2", n, "h = 4: nodes that a DDN and a DCN share", "at least 1",
            common_nodes(ddns, blocks), 2),
      claim("Section 2.2", n, "h = 4: DDNs are", "isomorphic",
            are_translates(ddns, n) ? "isomorphic" : "different")};
  for (const auto& [side, subtori] :
       {std::pair<std::size_t, std::uint64_t>{10, 5}, {12, 3}, {16, 4}, {25, 5}}) {
    rows.push_back(claim("Section 2.2", side, fmt::format("h = {}: links that DDNs share", subtori),
                         "0", fmt::format("{}", shared_links(ddns_of(side, subtori), side)), 24));
    rows.push_back(claim("Section 2.2", side, fmt::format("h = {}: links that DCNs share", subtori),
                         "0", fmt::format("{}", shared_links(blocks_of(side, subtori), side)), 24));
  }
  // Every node but the root is entered once by every tree.
  const std::uint64_t links = 2 * n * n;
  append(
      rows,
      {claim("Section 2.3", n, "spanning trees without a common edge, at most", "4",
             fmt::format("{} (of links: {})", 2 * links / (n * n - 1), links / (n * n - 1)), 20)});
  return rows;
}

}  // namespace lockstep::papers::torus
