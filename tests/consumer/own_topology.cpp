// SPDX-License-Identifier: Apache-2.0
/// A topology and a collective of one's own: in a binary tree every processor has a block for its
/// parent and one for each child; all cross at once.
#include <iostream>
#include <lockstep/lockstep.hpp>
using namespace lockstep;

/// The complete binary tree of `levels` levels, numbered as a heap. Port 0 of a node leads to its
/// parent, the next ones to its children; the root has no parent.
struct BinaryTree {
  std::uint64_t levels;

  std::string name() const { return "binary-tree:" + std::to_string(levels); }
  std::uint64_t node_count() const { return (std::uint64_t{1} << levels) - 1; }
  std::size_t max_degree() const { return 3; }
  std::size_t degree(NodeId u) const {
    return (index(u) == 0 ? 0U : 1U) + (2 * index(u) + 1 < node_count() ? 2U : 0U);
  }
  NodeId neighbor(NodeId u, Port p) const {
    const std::uint64_t child = index(p) + (index(u) == 0 ? 1 : 0);  // 0: the parent
    return NodeId{child == 0 ? (index(u) - 1) / 2 : 2 * index(u) + child};
  }
  Port reverse_port(NodeId u, Port p) const {
    const NodeId v = neighbor(u, p);
    if (index(v) > index(u)) return Port{0};
    return port((index(u) - 1) % 2 + (index(v) == 0 ? 0 : 1));
  }
  std::string label(NodeId u) const { return std::to_string(index(u)); }
};

struct NeighborExchange {
  using Memory = NoMemory;
  static constexpr auto activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count;
  const BinaryTree& tree;

  std::uint64_t step_count() const { return 1; }
  std::vector<std::uint32_t> regions() const { return {3}; }  // a block for each port
  void operator()(auto& here) const {
    for (std::uint32_t p = 0; p < here.degree(); ++p) {
      const NodeId other = tree.neighbor(here.node(), port(p));
      if (here.step() == 1) here.deliver(here.take(port(p)), 0, other);
      if (here.step() == 1) continue;
      here.load(Region{0}, p, other);
      here.send(port(p), Blocks{Region{0}, p, 1});
    }
  }
};

int main() {
  const BinaryTree tree{6};
  const Pattern links = Pattern::where(tree.node_count(), [](Origin from, NodeId to) {
    return (std::max(index(from), index(to)) - 1) / 2 == std::min(index(from), index(to));
  });
  const RunReport report =
      run(tree, NeighborExchange{tree}, {Operation::partial_exchange, {}, links},
          {.model = port_models::all_port, .name = "all at once"});
  std::cout << to_text(report);
  return report.result.ok() ? 0 : 1;
}
