// SPDX-License-Identifier: Apache-2.0

/// DIMACS files of graph colouring, shortest paths and the PACE challenges.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/graph_texts.hpp"

namespace lockstep {
namespace {

using testing::HasSubstr;

[[nodiscard]] ReadLinks dimacs(const std::string& text, GraphReadOptions options = {}) {
  return read_links(text, GraphFormat::dimacs, options);
}

TEST(GraphDimacs, TheRingOfFourInManyHands) {
  struct Case {
    const char* text;
    const char* notes;
  };
  for (const Case& writer : std::vector<Case>{
           {"c x\np edge 4 4\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n", ""},
           {"p col 4 4\r\ne 1 2\r\ne 2 3\r\ne 3 4\r\ne 4 1\r\n", ""},
           {"p tw 4 4\n1 2\n2 3\nc x\n3 4\n4 1\n", ""},
           {"p td 4 4\n1 2\n2 3\n3 4\n4 1\n", ""},
           {"p col 4 8\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n",
            "accepted 4 edges, where the file states 8: it counts both directions"},
           {"p col 4 4\ne 1 2\ne 2 1\ne 2 3\ne 3 2\ne 3 4\ne 4 3\ne 4 1\ne 1 4\n",
            "joined the two directions of 4 links; accepted 8 edges, where the file states 4: it "
            "counts one direction"},
           {"p col 4 5\ne 1 2\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n",
            "ignored 1 repeated link (first in line 3)"},
           {"p col 4 5\ne 1 2\ne 2 1\ne 2 3\ne 3 4\ne 4 1\n",
            "joined the two directions of 1 link"},
           {"p edge 4 4\nn 1 3\nn 2 1\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n",
            "ignored 2 descriptor lines (first in line 2)"},
           {"p sp 4 8\na 1 2 5\na 2 1 5\na 2 3 5\na 3 2 5\na 3 4 5\na 4 3 5\na 4 1 5\na 1 4 5\n",
            "made 4 links of 8 arcs, because every arc has its reverse; ignored 8 weights (first "
            "in line 2)"}}) {
    const ReadLinks read = dimacs(writer.text);
    EXPECT_EQ(read.links, "1-2 1-4 2-3 3-4") << writer.text << read.answer;
    EXPECT_EQ(read.answer, writer.notes) << writer.text;
  }
}

/// The least number of links that joins all nodes.
TEST(GraphDimacs, TreesAreRead) {
  EXPECT_EQ(dimacs("p edge 3 2\ne 1 2\ne 2 3\n").links, "1-2 2-3");
  EXPECT_EQ(dimacs("p tw 3 2\n1 2\n2 3\n").links, "1-2 2-3");
  EXPECT_EQ(dimacs("p edge 1 0\n").links, "");
}

TEST(GraphDimacs, ArcsOfRoadsMayBeParallel) {
  const ReadLinks read = dimacs("p sp 2 4\na 1 2 5\na 2 1 5\na 1 2 9\na 2 1 9\n");
  EXPECT_EQ(read.links, "1-2 1-2");
  EXPECT_THAT(read.answer, HasSubstr("read 1 repeated link as further lanes (first in line 4)"));
  EXPECT_THAT(dimacs("p sp 2 1\na 1 2 5\n").answer, HasSubstr("--undirected"));
  EXPECT_EQ(dimacs("p sp 2 1\na 1 2 5\n", {.undirected = true}).links, "1-2");
}

TEST(GraphDimacs, WhatIsNotClearIsRefused) {
  struct Case {
    const char* text;
    const char* refusal;
  };
  for (const Case& wrong : std::vector<Case>{
           {"p tw 2 1\ne 1 2\n", "net:2: 'e 1 2' is not valid; expected 'u v'"},
           {"p col 2 1\n1 2\n", "net:2: '1 2' is not valid; expected 'e u v'"},
           {"p sp 2 1\na 1 2\n", "net:2: 'a 1 2' is not valid; expected 'a u v weight'"},
           {"p cnf 2 1\n1 2\n", "net:1: not a problem line; allowed: 'p edge N M'"},
           {"p tw 2 3\n1 2\n", "net:1: 1 edge listed, but the file states 3"},
           {"p edge 3 8\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n",
            "net:1: 4 edges listed, all in both directions, but the file states 8"},
           {"p edge 3 6\ne 1 2\ne 2 1\ne 2 3\n",
            "net:1: 3 edges listed, some in both directions, but the file states 6"},
           {"p edge 3 2\ne 1 2\ne 2 1\ne 2 3\ne 1 3\n",
            "net:1: 4 edges listed, not all in both directions, but the file states 2"},
           {"p sp 2 4\na 1 2 5\na 2 1 5\n", "net:1: 2 arcs listed, but the file states 4"},
           {"p tw 3 3\n1 2\ncat 3\n2 3\n", "net:3: 'cat' is not a whole number"},
           {"p tw 3 2\n1 2\nd 3\n2 3\n", "net:3: 'd' is not a whole number"},
           {"comment\np tw 2 1\n1 2\n", "net:1: 'comment' comes before the problem line"},
           {"p tw 2 1\n0 1\n", "net:2: unknown node 0; allowed: 1..2"},
           {"p tw 3000000000 3000000000\n1 2\n", "which do not fit in"}})
    EXPECT_THAT(dimacs(wrong.text).answer, HasSubstr(wrong.refusal)) << wrong.text;
}

}  // namespace
}  // namespace lockstep
