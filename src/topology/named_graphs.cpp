// SPDX-License-Identifier: Apache-2.0
#include "topology/named_graphs.hpp"

#include <fmt/format.h>

#include <bit>
#include <string>

#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/topology/build_network.hpp"

namespace lockstep {
namespace {

/// Rotations make all nodes of the ring alike, and all inner nodes.
[[nodiscard]] std::vector<NodeId> orbits_of_rings(std::uint64_t n, std::uint64_t k) {
  const std::uint64_t square = k * k % n;
  const bool alike = square == 1 % n || square == n - 1 || (n == 10 && k == 2);
  return alike ? std::vector{NodeId{0}} : std::vector{NodeId{0}, NodeId{n}};
}

[[nodiscard]] NamedGraph ring_with_inner_nodes(std::string name, std::uint64_t n, std::uint64_t k) {
  std::vector<Link> links;
  for (std::uint64_t i = 0; i < n; ++i) {
    links.push_back({NodeId{i}, NodeId{(i + 1) % n}});
    links.push_back({NodeId{i}, NodeId{n + i}});
    links.push_back({NodeId{n + i}, NodeId{n + (i + k) % n}});
  }
  return {build_network(std::move(name), 2 * n, links), orbits_of_rings(n, k)};
}

}  // namespace

NamedGraph petersen_graph() { return ring_with_inner_nodes("petersen", 5, 2); }
NamedGraph dodecahedron_graph() { return ring_with_inner_nodes("dodecahedron", 10, 2); }

NamedGraph generalized_petersen_graph(std::uint64_t n, std::uint64_t k) {
  constexpr std::uint64_t most = std::uint64_t{1} << 20U;
  std::string name = fmt::format("generalized-petersen:{},{}", n, k);
  if (n < 3 || n > most)
    throw invalid("{}: a ring of {}; allowed: 3..{}", name, counted(n, "node"), grouped(most));
  if (k < 1 || 2 * k >= n)
    throw invalid("{}: inner nodes {} apart; allowed: 1..{}", name, grouped(k),
                  grouped((n - 1) / 2));
  return ring_with_inner_nodes(std::move(name), n, k);
}

NamedGraph odd_graph(std::uint64_t k) {
  constexpr std::uint64_t most = 10;  // 92,378 nodes
  std::string name = fmt::format("odd-graph:{}", k);
  if (k < 2 || k > most) throw invalid("{}: degree {}; allowed: 2..{}", name, grouped(k), most);
  // Rising numbers with k - 1 bits set: the next one moves the lowest run of ones up.
  std::vector<std::uint32_t> subsets;
  const std::uint32_t end = std::uint32_t{1} << (2 * k - 1);
  for (std::uint32_t set = (std::uint32_t{1} << (k - 1)) - 1; set < end;) {
    subsets.push_back(set);
    const std::uint32_t low = set & (~set + 1);
    const std::uint32_t up = set + low;
    set = up | (((up ^ set) >> 2U) >> std::countr_zero(low));
  }
  std::vector<std::uint32_t> number_of(end);
  for (std::uint32_t i = 0; i < subsets.size(); ++i) number_of[subsets[i]] = i;
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < subsets.size(); ++i) {
    const std::uint32_t rest = ~subsets[i] & (end - 1);  // of k numbers: leave out one of them
    for (std::uint32_t left = rest; left != 0; left &= left - 1)
      if (const std::uint32_t j = number_of[rest & ~(left & (~left + 1))]; i < j)
        links.push_back({NodeId{i}, NodeId{j}});
  }
  return {build_network(std::move(name), subsets.size(), links), {NodeId{0}}};
}

}  // namespace lockstep
