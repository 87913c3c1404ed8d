// SPDX-License-Identifier: Apache-2.0

/// Matrix Market files of all fields and symmetries.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/graph_texts.hpp"

namespace lockstep {
namespace {

using testing::HasSubstr;

[[nodiscard]] ReadLinks matrix(const std::string& text, GraphReadOptions options = {}) {
  return read_links(text, GraphFormat::matrix, options);
}

/// A ring of four; `value` behind every entry.
[[nodiscard]] std::string ring_matrix(const std::string& banner, const std::string& value) {
  return banner + "\n% a remark\n\n4 4 4\n2 1" + value + "\n3 2" + value + "\n4 3" + value +
         "\n4 1" + value + "\n";
}

constexpr const char* matrix_ring = "1-2 1-4 2-3 3-4";

TEST(GraphMatrix, EveryFieldGivesThePattern) {
  struct Case {
    const char* field;
    const char* value;
  };
  for (const Case& of : std::vector<Case>{{"pattern", ""},
                                          {"real", " -0.5e+3"},
                                          {"double", " 0"},
                                          {"integer", " 7"},
                                          {"complex", " 1.5 -2"}})
    for (const char* symmetry : {"symmetric", "skew-symmetric", "hermitian"}) {
      const ReadLinks read = matrix(ring_matrix(
          std::string("%%MatrixMarket matrix coordinate ") + of.field + " " + symmetry, of.value));
      EXPECT_EQ(read.links, matrix_ring) << of.field << symmetry << read.answer;
      EXPECT_EQ(read.answer, *of.value == '\0' ? "" : "ignored 4 values (first in line 5)");
    }
}

TEST(GraphMatrix, BannersOfOtherWriters) {
  for (const char* banner : {"%MatrixMarket matrix coordinate pattern symmetric",
                             "%%matrixmarket MATRIX Coordinate Pattern SYMMETRIC",
                             "%%MatrixMarket  matrix coordinate pattern symmetric \r"})
    EXPECT_EQ(matrix(ring_matrix(banner, "")).links, matrix_ring) << banner;
}

TEST(GraphMatrix, BothTrianglesAndRepeatedEntriesAreOneLinkEach) {
  const std::string banner = "%%MatrixMarket matrix coordinate pattern symmetric\n";
  const ReadLinks both = matrix(banner + "3 3 4\n2 1\n1 2\n3 2\n2 3\n");
  EXPECT_EQ(both.links, "1-2 2-3");
  EXPECT_EQ(both.answer, "joined the two directions of 2 links");
  const ReadLinks some = matrix(banner + "3 3 4\n2 1\n1 2\n3 2\n3 2\n");
  EXPECT_EQ(some.links, "1-2 2-3");
  EXPECT_EQ(some.answer,
            "ignored 1 repeated link (first in line 6); joined the two directions of 1 link");
}

TEST(GraphMatrix, AGeneralMatrixHasArcs) {
  const std::string banner = "%%MatrixMarket matrix coordinate integer general\n";
  EXPECT_EQ(matrix(banner + "2 2 2\n1 2 5\n2 1 6\n").links, "1-2");
  EXPECT_THAT(matrix(banner + "2 2 1\n1 2 5\n").answer, HasSubstr("--undirected"));
  EXPECT_EQ(matrix(banner + "2 2 1\n1 2 5\n", {.undirected = true}).links, "1-2");
}

TEST(GraphMatrix, DiagonalsAreDroppedOnRequest) {
  const std::string text =
      "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1.0\n2 1 1\n2 2 1\n";
  EXPECT_THAT(matrix(text).answer, HasSubstr("--drop-self-loops"));
  const ReadLinks read = matrix(text, {.drop_self_loops = true});
  EXPECT_EQ(read.links, "1-2");
  EXPECT_THAT(read.answer, HasSubstr("dropped 2 self-loops (first in line 3)"));
}

TEST(GraphMatrix, WhatIsNoNetworkIsRefused) {
  struct Case {
    const char* text;
    const char* refusal;
  };
  for (const Case& wrong : std::vector<Case>{
           {"", "net:1: the first line is not '%%MatrixMarket"},
           {"4 4 4\n", "net:1: the first line is not '%%MatrixMarket"},
           {"%%MatrixMarket matrix array real general\n2 2\n1\n", "a dense matrix ('array')"},
           {"%%MatrixMarket matrix coordinate text general\n", "real, integer or complex"},
           {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1\n",
            "net:3: '2 1' given; allowed: 'row column value'"},
           {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 x\n", "net:3: '2 1 x'"},
           {"%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1 1\n",
            "net:3: '2 1 1' given; allowed: 'row column'"},
           {"%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n2 1\n",
            "net:2: 1 entry listed, but the header says 2"},
           {"%%MatrixMarket matrix coordinate pattern symmetric\n% x\n", "no line with the sizes"}})
    EXPECT_THAT(matrix(wrong.text).answer, HasSubstr(wrong.refusal)) << wrong.text;
}

}  // namespace
}  // namespace lockstep
