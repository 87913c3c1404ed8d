// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/arc_classes.hpp"

#include <deque>
#include <limits>

#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/fraction.hpp"

namespace lockstep {
namespace {

/// Every port with the one that leads back: one list each.
[[nodiscard]] std::vector<std::vector<Port>> generators_of(const Network& group) {
  std::vector<std::vector<Port>> generators;
  for (std::size_t p = 0; p < group.max_degree(); ++p) {
    const Port back = group.reverse_port(NodeId{0}, port(p));
    if (index(back) < p) continue;
    generators.push_back({port(p)});
    if (index(back) > p) generators.back().push_back(back);
  }
  return generators;
}

/// Ports as a mask of their class.
using Counted = std::vector<bool>;

/// Sum over all nodes of how many of these ports a path from node 0 has to take, where the others
/// are free.
[[nodiscard]] std::uint64_t sum_of_uses(const Network& group, const Counted& counted) {
  constexpr std::uint64_t far = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint64_t> uses(group.node_count(), far);
  std::deque<NodeId> next{NodeId{0}};  // the nearest first
  uses[0] = 0;
  while (!next.empty()) {
    const NodeId u = next.front();
    next.pop_front();
    for (std::size_t p = 0; p < group.max_degree(); ++p) {
      const NodeId v = group.neighbor(u, port(p));
      const std::uint64_t through = uses[index(u)] + (counted[p] ? 1 : 0);
      if (through >= uses[index(v)]) continue;
      uses[index(v)] = through;
      if (counted[p])
        next.push_back(v);
      else
        next.push_front(v);
    }
  }
  std::uint64_t sum = 0;
  for (const std::uint64_t own : uses) sum += own;
  return sum;
}

}  // namespace

void add_copies(std::vector<ArcClass>& classes, const ArcClass& of_factor, std::uint64_t copies) {
  const WideCount uses = WideCount{of_factor.uses} * copies;
  if (uses == 0 || uses > std::numeric_limits<std::uint64_t>::max()) return;
  classes.push_back({of_factor.nodes, of_factor.arcs, static_cast<std::uint64_t>(uses)});
}

ArcClass class_of_all(const std::vector<std::uint64_t>& levels, std::size_t degree) {
  std::uint64_t nodes = 0;
  for (const std::uint64_t level : levels) nodes += level;
  std::vector<ArcClass> all;  // of every node
  add_copies(all, {nodes, nodes * degree, metrics_detail::sum(levels)}, nodes);
  return all.empty() ? ArcClass{} : all.front();
}

std::vector<ArcClass> classes_of_generators(const Network& group, std::uint64_t most_arcs) {
  const std::vector<std::vector<Port>> generators = generators_of(group);
  constexpr std::size_t few = 4;  // 14 choices
  const bool every_choice = generators.size() <= few;
  const std::size_t choices =
      every_choice ? (std::size_t{1} << generators.size()) - 1 : generators.size() + 1;
  std::vector<ArcClass> classes;
  std::uint64_t arcs = 0;
  for (std::size_t choice = 1; choice < choices; ++choice) {
    arcs += group.node_count() * group.max_degree();
    if (arcs > most_arcs) break;
    Counted counted(group.max_degree(), false);
    std::size_t ports = 0;
    for (std::size_t g = 0; g < generators.size(); ++g) {
      if (every_choice ? (choice >> g & 1U) == 0 : g + 1 != choice) continue;
      for (const Port p : generators[g]) counted[index(p)] = true;
      ports += generators[g].size();
    }
    const std::uint64_t nodes = group.node_count();
    add_copies(classes, {nodes, nodes * ports, sum_of_uses(group, counted)}, nodes);
  }
  return classes;
}

}  // namespace lockstep
