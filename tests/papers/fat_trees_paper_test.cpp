// SPDX-License-Identifier: Apache-2.0

/// `reproduce fat-trees`: its rows against figures of an independent simulation, typed; what the
/// thesis prints, and which errata it takes.

#include <gtest/gtest.h>

#include <map>
#include <set>
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

/// Theorem 6.6 is below what the root alone has to send for every k >= 3.
TEST(FatTreesPaper, TotalExchangeOfTable61IsCorrected) {
  std::map<std::string, std::pair<std::string, std::string>> exchanges;
  for (const PaperRow& row : part("fat-trees", "Table 6.1"))
    if (row.quantity == "total exchange") exchanges[row.topology] = {row.printed, row.ours};
  using Figures = std::pair<std::string, std::string>;
  EXPECT_EQ(exchanges["fat-tree:3^2"], (Figures{"43", "57"}));
  EXPECT_EQ(exchanges["fat-tree:4^3"], (Figures{"1731", "3077"}));
  EXPECT_EQ(exchanges["fat-tree:2^4"], (Figures{"165", "165"}));
}

/// A row that differs has its erratum, and no erratum stands there without a row.
TEST(FatTreesPaper, EveryRowHasAVerdict) {
  std::size_t lost = 0;
  std::set<unsigned> used;
  for (const PaperRow& row : whole("fat-trees")) {
    EXPECT_TRUE(row.explained()) << row.where << ": " << row.quantity << " " << row.ours;
    lost += row.lost ? 1 : 0;
    if (row.erratum != 0) used.insert(row.erratum);
  }
  EXPECT_EQ(lost, 9U);
  std::set<unsigned> listed;
  for (const papers::Erratum& erratum : paper("fat-trees").data().errata())
    listed.insert(erratum.number);
  EXPECT_EQ(used, listed);
}

/// The steps of what is printed, where errata say that it is wrong.
TEST(FatTreesPaper, ClaimsThatDifferAreCountedAsErrataHaveIt) {
  std::map<unsigned, std::set<std::string>> ours;
  for (const PaperRow& row : whole("fat-trees"))
    if (!row.agrees()) ours[row.erratum].insert(row.printed + " -> " + row.ours);
  const auto expect = [&](unsigned erratum, const std::string& change) {
    EXPECT_TRUE(ours[erratum].contains(change)) << erratum << ": " << change;
  };
  expect(1, "381 -> 491");
  expect(2, "16 -> 2");
  expect(3, "3 -> 4");
  expect(4, "14 -> 18");
  expect(5, "74 -> 73");
  expect(5, "350 -> 265");
  expect(6, "open question -> 27, 1 buffered of a link");
  expect(7, "2 -> 3");
  expect(8, "6 -> 7");
  expect(9, "3 -> 2");
  expect(10, "decreasing -> 17 17 15");
  expect(11, "14 -> 15");
  expect(13, "O(n/log n) at best -> 52 48 36 27");
  expect(18, "29 -> 83");
  expect(27, "tighter -> 18 against 19");
  expect(28, "18 -> 21");
  expect(29, "5 -> 6");
}

}  // namespace
}  // namespace lockstep::test
