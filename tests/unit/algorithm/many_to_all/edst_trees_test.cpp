// SPDX-License-Identifier: Apache-2.0

/// Four arc-disjoint spanning trees, walked node by node over the links of the torus.

#include "algorithm/many_to_all/edst_trees.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

using Form = EdstTrees::Form;

/// Links to the root, by way of the parents; fails where there is no way.
class Walk {
 public:
  Walk(const Torus& torus, const EdstTrees& trees, std::size_t tree)
      : torus_(torus), trees_(trees), tree_(tree), depths_(torus.node_count()) {}

  [[nodiscard]] NodeId parent(NodeId u) const {
    return torus_.neighbor(u, trees_.parent_port(tree_, trees_.place(tree_, u)));
  }
  [[nodiscard]] std::uint64_t depth(NodeId u) {
    std::vector<NodeId> path;
    while (u != NodeId{0} && depths_[index(u)] == 0 && path.size() < depths_.size()) {
      path.push_back(u);
      u = parent(u);
    }
    EXPECT_LT(path.size(), depths_.size()) << "a cycle";
    std::uint64_t depth = depths_[index(u)];
    while (!path.empty()) {
      depths_[index(path.back())] = ++depth;
      path.pop_back();
    }
    return depth;
  }

 private:
  const Torus& torus_;
  const EdstTrees& trees_;
  std::size_t tree_;
  std::vector<std::uint64_t> depths_;
};

void expect_four_trees(std::uint64_t n, Form form, std::uint64_t height) {
  SCOPED_TRACE(std::to_string(n) + ", " + std::string(EdstTrees::forms[index(form)]));
  const Torus torus({n, n});
  const EdstTrees trees(torus, form);
  EXPECT_EQ(trees.height(), height);
  std::vector<int> uses(4 * n * n);  // of arcs, by node and port that they leave
  for (std::size_t tree = 0; tree < EdstTrees::count; ++tree) {
    Walk walk(torus, trees, tree);
    std::uint64_t highest = 0;
    for (std::uint64_t u = 1; u < n * n; ++u) {
      const Port up = trees.parent_port(tree, trees.place(tree, NodeId{u}));
      const NodeId parent = walk.parent(NodeId{u});
      const Port down = torus.reverse_port(NodeId{u}, up);
      if (tree == 0) {
        EXPECT_EQ(trees.parent(NodeId{u}), parent);
      }
      ++uses[4 * index(parent) + index(down)];
      const auto children = trees.children(trees.place(tree, parent));
      EXPECT_EQ(std::count_if(children.begin(), children.end(),
                              [&](const SpanningTree::Child& child) {
                                return EdstTrees::turned(child.port, tree) == down;
                              }),
                1);
      highest = std::max(highest, walk.depth(NodeId{u}));
    }
    EXPECT_EQ(highest, height);
  }
  EXPECT_EQ(*std::max_element(uses.begin(), uses.end()), 1);
  EXPECT_EQ(std::count(uses.begin(), uses.end(), 1), static_cast<std::ptrdiff_t>(4 * (n * n - 1)));
}

TEST(EdstTrees, OfTablesSpanTheTorusWithoutACommonArc) {
  for (std::uint64_t n = 3; n <= 60; ++n) {
    const bool known = n <= 30 || n == 50;
    EXPECT_EQ(EdstTrees::table(n).size(), known ? n * n / 4 + (n % 2 == 0 ? 1 : 0) : 0);
    if (known) expect_four_trees(n, Form::table, n == 3 ? 3 : 2 * (n / 2) + 2);
  }
}

TEST(EdstTrees, OfClosedFormsSpanTheTorusWithoutACommonArc) {
  for (std::uint64_t n = 3; n <= 60; ++n) {
    if (n % 2 == 1) expect_four_trees(n, Form::odd, n - 1 + n / 2);
    expect_four_trees(n, Form::any, 2 * n - 2);
  }
}

TEST(EdstTrees, TheLowestAreOfATableWhereThereIsOne) {
  EXPECT_EQ(EdstTrees::lowest(3), Form::table);
  EXPECT_EQ(EdstTrees::lowest(30), Form::table);
  EXPECT_EQ(EdstTrees::lowest(31), Form::odd);
  EXPECT_EQ(EdstTrees::lowest(32), Form::any);
  EXPECT_EQ(EdstTrees::lowest(50), Form::table);
}

TEST(EdstTrees, OthersAreRefused) {
  EXPECT_THROW(EdstTrees(Torus({31, 31}), Form::table), InvalidParameter);
  EXPECT_THROW(EdstTrees(Torus({4, 4}), Form::odd), InvalidParameter);
}

}  // namespace
}  // namespace lockstep
