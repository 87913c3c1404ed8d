// SPDX-License-Identifier: Apache-2.0

/// Laws of every paper: its rows are complete, every difference has an erratum, and every erratum a
/// row; and the claims that were computed elsewhere or by hand are judged as there.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "support/golden.hpp"
#include "support/papers.hpp"

namespace lockstep::test {
namespace {

using papers::all_papers;
using papers::Erratum;
using papers::Paper;
using papers::PaperRow;
using papers::PaperRows;

TEST(AllPapers, RowsAreCompleteAndDifferencesExplained) {
  for (const Paper* const paper : all_papers())
    for (const PaperRow& row : whole(std::string(paper->name))) {
      SCOPED_TRACE(std::string(paper->name) + ", " + row.where + ", " + row.topology + ": " +
                   row.quantity + ", " + row.ours);
      EXPECT_FALSE(row.where.empty() || row.quantity.empty());
      EXPECT_TRUE(!row.ours.empty() || row.lost);
      EXPECT_TRUE(row.explained());
      EXPECT_TRUE(row.agrees() || !row.printed.empty());
    }
}

/// In ascending order, and none that says nothing.
TEST(AllPapers, ErrataAreThoseThatRowsReferTo) {
  for (const Paper* const paper : all_papers()) {
    SCOPED_TRACE(paper->name);
    std::set<unsigned> referred;
    for (const PaperRow& row : whole(std::string(paper->name)))
      if (row.erratum != 0) referred.insert(row.erratum);
    std::set<unsigned> listed;
    unsigned last = 0;
    for (const Erratum& erratum : paper->data().errata()) {
      EXPECT_GT(erratum.number, last);
      last = erratum.number;
      listed.insert(erratum.number);
      EXPECT_FALSE(erratum.sentence.empty());
    }
    EXPECT_EQ(referred, listed);
  }
}

TEST(AllPapers, PicturesAndOursAloneHaveNothingPrinted) {
  for (const Paper* const paper : all_papers())
    for (const std::string& name : paper->data().parts())
      if (name.starts_with("Figure") || name == "beyond")
        for (const PaperRow& row : part(std::string(paper->name), name)) {
          EXPECT_TRUE(row.printed.empty() && row.agrees()) << paper->name << ", " << name;
          const bool on_a_curve = row.step == 0 || !row.curve.empty();
          EXPECT_TRUE(on_a_curve) << paper->name << ", " << name;
        }
}

TEST(AllPapers, PartsHaveAllTheirRows) {
  const std::map<std::string, std::map<std::string, std::size_t>> expected{
      {"star",
       {{"Table 1", 12},
        {"Table 2", 45},
        {"Table 3", 11},
        {"Figure 2", 55},  // n = 3..12, k = 2..n-1
        {"Figure 3", 55},
        {"Figure 4", 55},
        {"Figure 6", 30}}},
      {"tables",
       {{"Table 1", 3 + 1},
        {"Table 2", 3 + 1},
        {"Table 3", 4 + 1},
        {"Table 4", 4 + 1},
        {"Table 5", 5 + 1},
        {"beyond", 6}}},
      {"ej",
       {{"Table 1", 9 * 4 + 3},
        {"Table 2", 9 * 4 + 2},
        {"Table 3", 4 * 6},
        {"Figure 15", 2 * 9},
        {"Figure 16", 2 * 9},
        {"Figure 17", 2 * 9},
        {"Figure 18", 2 * 9},
        {"Figure 19", 2 * 12},
        {"Figure 20", 2 * 12},
        {"Figure 21", 2 * 12},
        {"Figure 22", 2 * (12 + 15 + 18)}}}};
  for (const auto& [name, sizes] : expected)
    for (const auto& [one, size] : sizes)
      EXPECT_EQ(part(name, one).size(), size) << name << ", " << one;
  for (const Paper* const paper : all_papers()) {
    const std::string name{paper->name};
    std::size_t all = 0;
    for (const std::string& one : paper->data().parts()) all += part(name, one).size();
    EXPECT_EQ(whole(name).size(), all) << name;
  }
}

TEST(AllPapers, RefuseWhatTheyHaveNot) {
  const std::map<std::string, std::vector<std::string>> missing{
      {"star", {"Figure 0", "Figure 1", "Figure 5", "Figure 7"}},
      {"tables", {"Table 0", "Table 6"}},
      {"ej", {"Table 0", "Table 4", "Figure 14", "Figure 23"}}};
  for (const auto& [name, parts] : missing)
    for (const std::string& one : parts)
      EXPECT_THROW((void)part(name, one), InvalidParameter) << name << ", " << one;
}

/// Values in pictures that are lost are not compared.
TEST(AllPapers, LostPictures) {
  const std::map<std::string, std::int64_t> expected{
      {"star", 0}, {"tables", 0}, {"ej", 0}, {"torus", 3}, {"thesis", 14}, {"fat-trees", 9}};
  for (const auto& [name, lost] : expected) {
    const PaperRows rows = whole(name);
    EXPECT_EQ(std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row.lost; }),
              lost)
        << name;
  }
}

/// How many rows each erratum explains.
TEST(AllPapers, RowsThatDiffer) {
  const auto differing = [](const PaperRows& rows) {
    std::map<unsigned, std::size_t> count;
    for (const PaperRow& row : rows)
      if (!row.agrees()) ++count[row.erratum];
    return count;
  };
  using Counts = std::map<unsigned, std::size_t>;
  EXPECT_EQ(differing(whole("star")), (Counts{{1, 1}, {3, 1}, {17, 3}, {18, 1}}));
  EXPECT_EQ(differing(whole("tables")), (Counts{{1, 1}, {3, 4}, {6, 1}, {9, 1}, {10, 1}}));
}

TEST(AllPapers, ClaimsAreJudgedAsElsewhere) {
  std::ifstream file(golden_folder() + "/papers/claims.txt");
  std::map<std::string, std::set<std::string>> judged;
  const auto said = [](const std::string& text) { return text.empty() ? "-" : text; };
  for (const Paper* const paper : all_papers())
    for (const PaperRow& row : whole(std::string(paper->name)))
      judged[std::string(paper->name)].insert(row.where + " | " + std::to_string(row.n) + " | " +
                                              row.quantity + " | " + said(row.printed) + " | " +
                                              row.ours + " | " + said(papers::judgement(row)));
  std::size_t claims = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    ++claims;
    const std::size_t bar = line.find(" | ");
    EXPECT_TRUE(judged[line.substr(0, bar)].contains(line.substr(bar + 3))) << line;
  }
  EXPECT_EQ(claims, 98U);
}

}  // namespace
}  // namespace lockstep::test
