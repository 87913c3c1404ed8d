// SPDX-License-Identifier: Apache-2.0

/// The subtori and blocks of section 2 of the torus paper: their nodes, and the links of all
/// shortest dimension-ordered routes.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "papers/torus/torus.hpp"

namespace lockstep::papers::torus {

namespace {

using Place = std::pair<std::uint64_t, std::uint64_t>;  // row, column

/// DDN k, or block number b; nodes by subnetwork.
using Subnetworks = std::vector<std::vector<Place>>;

/// The side of the torus.
[[nodiscard]] std::uint64_t side(const Call& call) { return call.number("n"); }

[[nodiscard]] Subnetworks ddns_of(const Call& call) {
  const std::uint64_t n = side(call);
  const std::uint64_t h = call.number("h");
  Subnetworks all(h);
  for (std::uint64_t i = 0; i < n; ++i)
    for (std::uint64_t j = i % h; j < n; j += h) all[i % h].emplace_back(i, j);
  return all;
}

[[nodiscard]] Subnetworks blocks_of(const Call& call) {
  const std::uint64_t n = side(call);
  const std::uint64_t h = call.number("h");
  Subnetworks all(n / h * (n / h));
  for (std::uint64_t i = 0; i < n; ++i)
    for (std::uint64_t j = 0; j < n; ++j) all[i / h * (n / h) + j / h].emplace_back(i, j);
  return all;
}

/// Those that the first argument names.
[[nodiscard]] Subnetworks named(const Call& call) {
  return call.text(0) == "DDN" ? ddns_of(call) : blocks_of(call);
}

/// Steps of the shorter way round, and whether it goes up.
[[nodiscard]] std::pair<std::uint64_t, bool> way(std::uint64_t from, std::uint64_t to,
                                                 std::uint64_t n) {
  const std::uint64_t up = (to + n - from) % n;
  return {std::min(up, n - up), up <= n - up};
}

/// A link by the node it leaves, its dimension, and whether it goes up.
using Link = std::tuple<Place, int, bool>;

/// The links of all shortest routes between two nodes of a subnetwork: down its column, then along
/// its row.
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
      std::ranges::count_if(uses, [](const auto& use) { return use.second > 1; }));
}

/// "1", or "1 to 3": nodes that one of each have in common.
[[nodiscard]] std::string common_nodes(const Subnetworks& ones, const Subnetworks& others) {
  std::set<std::size_t> counts;
  for (const std::vector<Place>& one : ones)
    for (const std::vector<Place>& other : others)
      counts.insert(static_cast<std::size_t>(std::ranges::count_if(one, [&](const Place& place) {
        return std::ranges::find(other, place) != other.end();
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
  const bool alike = std::ranges::all_of(
      all, [&](const auto& nodes) { return nodes.size() == rows.size() * columns.size(); });
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

Functions partition_functions() {
  return {{"shape", [](const Call& call) { return shape_of(named(call)); }},
          {"nodes", [](const Call& call) { return nodes_in(named(call)); }},
          {"shared_links", [](const Call& call) { return shared_links(named(call), side(call)); }},
          {"common_nodes",
           [](const Call& call) { return common_nodes(ddns_of(call), blocks_of(call)); }},
          {"are_translates",
           [](const Call& call) { return are_translates(ddns_of(call), side(call)); }}};
}

}  // namespace lockstep::papers::torus
