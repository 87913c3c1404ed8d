// SPDX-License-Identifier: Apache-2.0

/// `reproduce fat-trees`: its rows against figures of an independent simulation, typed.

#include <gtest/gtest.h>

#include <string>

#include "support/golden.hpp"
#include "support/papers.hpp"

namespace lockstep::test {
namespace {

using papers::PaperRow;
using papers::PaperRows;

/// By network and the first words of the quantity.
const PaperRow& row_of(const PaperRows& rows, const std::string& network,
                       const std::string& quantity) {
  for (const PaperRow& row : rows)
    if (row.topology == network && row.quantity.starts_with(quantity)) return row;
  throw InvalidParameter(network + ", " + quantity + ": no such row");
}

TEST(FatTreesPaper, SmallTreesTakeTheStepsOfTheSimulation) {
  const PaperRows rows = part("fat-trees", "small trees");
  for (const GoldenRow& row : golden("fattree/small_trees.csv")) {
    const std::string tree = "fat-tree:" + row.text("k") + "^" + row.text("h");
    EXPECT_EQ(row_of(rows, tree, "one send").ours, row.text("one_send")) << tree;
    EXPECT_EQ(row_of(rows, tree, "all ports").ours, row.text("all_ports")) << tree;
    const auto phases_and_bound = [&](const std::string& network) {
      const std::string ours = row_of(rows, network, "total exchange").ours;
      return ours.substr(0, ours.find(' ')) + ours.substr(ours.rfind(' '));
    };
    EXPECT_EQ(phases_and_bound(tree), row.text("constant")) << tree;
    EXPECT_EQ(phases_and_bound(tree + ",exponential"), row.text("exponential")) << tree;
  }
}

}  // namespace
}  // namespace lockstep::test
