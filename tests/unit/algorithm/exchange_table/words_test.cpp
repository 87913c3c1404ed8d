// SPDX-License-Identifier: Apache-2.0
#include "algorithm/exchange_table/words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "lockstep/core/errors.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "support/golden.hpp"

namespace lockstep {
namespace {

using test::golden;
using test::GoldenRow;
using testing::ElementsAre;

std::vector<std::string> texts(const std::vector<Word>& words) {
  std::vector<std::string> all;
  for (const Word& word : words) all.push_back(word_text(word));
  return all;
}

Permutation destination_of(std::size_t symbols, const char* word) {
  return destination(symbols, word_from_text(word));
}

/// Spec of the tables: from 0 1 2 via port 1 to 1 0 2, via port 2 to 2 0 1, the cycle (0 1 2).
/// Products read from right to left would give the inverse, 1 2 0.
TEST(Words, ProductsAreReadFromLeftToRight) {
  const Permutation r = destination_of(3, "12");
  EXPECT_EQ(to_paper_label(r), "312");
  EXPECT_EQ(word_text(standard_word(r)), "12");
  const Permutation g = r.inverse();  // symbol -> position: 0 -> 1 -> 2 -> 0
  EXPECT_EQ(g[0], 1U);
  EXPECT_EQ(g[1], 2U);
  EXPECT_EQ(g[2], 0U);
}

/// The word that leads from the identity to r leads from every s to product(s, r).
TEST(Words, LeadFromEveryNodeToTheProduct) {
  const StarGraph star{4};
  for (std::uint64_t s = 0; s < star.node_count(); ++s)
    for (std::uint64_t r = 0; r < star.node_count(); ++r) {
      NodeId at{s};
      for (const Port p : standard_word(star.permutation(NodeId{r}))) at = star.neighbor(at, p);
      ASSERT_EQ(at, star.product(NodeId{s}, NodeId{r})) << s << " " << r;
    }
}

/// Section 2: "12343, 12434, 34312, 43412"; erratum 6: two more.
TEST(Words, ThoseOfThePaperAndTwoMore) {
  EXPECT_THAT(texts(minimal_words(destination_of(5, "12343"))),
              ElementsAre("12343", "12434", "13432", "14342", "34312", "43412"));
  EXPECT_EQ(minimal_words(destination_of(5, "121343")).size(), 24U);  // (1 2)(3 4)
}

/// Against all words of up to the diameter's length: none shorter, none left out, none wrong.
TEST(Words, AreAllOfTheShortestOnes) {
  for (const std::size_t n : {2U, 3U, 4U, 5U}) {
    std::map<std::uint64_t, std::vector<Word>> shortest;
    std::vector<Word> level{{}};
    while (shortest.size() < factorial(n)) {
      std::map<std::uint64_t, std::vector<Word>> found;
      std::vector<Word> next;
      for (const Word& word : level) {
        found[rank(destination(n, word))].push_back(word);
        for (std::size_t p = 0; p + 1 < n; ++p) {
          next.push_back(word);
          next.back().push_back(port(p));
        }
      }
      shortest.merge(found);  // keeps what is there
      level = next;
    }
    for (const auto& [r, words] : shortest) {
      const Permutation node = unrank(n, r);
      ASSERT_EQ(minimal_words(node), words) << n << " " << r;
      ASSERT_EQ(minimal_words(node, 1).front(), words.front());
      ASSERT_TRUE(std::binary_search(words.begin(), words.end(), standard_word(node)));
    }
  }
}

TEST(Words, NodesAndWordsByDistance) {
  for (const GoldenRow& row : golden("tables/distances.csv")) {
    const std::size_t n = row.number("n");
    std::uint64_t nodes = 0;
    std::uint64_t words = 0;
    std::uint64_t exceptional = 0;
    for (std::uint64_t r = 0; r < factorial(n); ++r) {
      const Permutation node = unrank(n, r);
      if (star_detail::distance_from_identity(node) != row.number("distance")) continue;
      ++nodes;
      words += minimal_words(node).size();
      if (is_exceptional(node)) ++exceptional;
      ASSERT_EQ(standard_word(node).size(), row.number("distance"));
    }
    EXPECT_EQ(nodes, row.number("nodes")) << n << " " << row.text("distance");
    EXPECT_EQ(words, row.number("minimal_words")) << n << " " << row.text("distance");
    EXPECT_EQ(exceptional, row.number("exceptional")) << n << " " << row.text("distance");
  }
}

/// How many different nodes the rotations of a node are; a divisor of n - 1.
std::size_t orbit_size(Permutation destination) {
  std::size_t size = 1;
  for (Permutation r = rotated(destination); r != destination; r = rotated(r)) ++size;
  return size;
}

TEST(Words, OrbitsBySize) {
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> nodes;
  for (const std::size_t n : {3U, 4U, 5U, 6U})
    for (std::uint64_t r = 1; r < factorial(n); ++r) ++nodes[{n, orbit_size(unrank(n, r))}];
  std::size_t rows = 0;
  for (const GoldenRow& row : golden("tables/orbits.csv")) {
    const std::size_t size = row.number("size");
    EXPECT_EQ((nodes[{row.number("n"), size}]), size * row.number("orbits"));
    ++rows;
  }
  EXPECT_EQ(rows, nodes.size());
}

TEST(Words, ExceptionalNodes) {
  for (const GoldenRow& row : golden("tables/nodes.csv")) {
    const std::size_t n = row.number("n");
    std::set<std::string> words;
    std::uint64_t odd = 0;
    std::uint64_t odd_letters = 0;
    std::uint64_t letters = 0;
    for (const Permutation r : exceptional_nodes(n)) {
      const Word word = standard_word(r);
      words.insert(word_text(word));
      letters += word.size();
      odd += word.size() % 2;
      odd_letters += word.size() % 2 * word.size();
    }
    const std::vector<std::string> expected = test::split(row.text("exceptional_words"), ' ');
    EXPECT_EQ(words, std::set<std::string>(expected.begin(), expected.end())) << n;
    EXPECT_EQ(words.size(), row.number("exceptional"));
    EXPECT_EQ(letters, row.number("exceptional_letters"));
    EXPECT_EQ(odd, row.number("exceptional_odd"));
    EXPECT_EQ(odd_letters, row.number("exceptional_odd_letters"));
    std::uint64_t most = 0;
    std::uint64_t full = 0;
    std::uint64_t full_odd = 0;
    for (std::uint64_t r = 1; r < factorial(n); ++r) {
      const Permutation node = unrank(n, r);
      most = std::max<std::uint64_t>(most, minimal_words(node).size());
      if (orbit_size(node) != n - 1) continue;
      ++full;
      full_odd += star_detail::distance_from_identity(node) % 2;
    }
    EXPECT_EQ(most, row.number("most_minimal_words"));
    EXPECT_EQ(full, (n - 1) * row.number("full_orbits"));
    EXPECT_EQ(full_odd, (n - 1) * row.number("full_orbits_odd"));
  }
}

/// Lemma 1 and lemma 2 against the orbits themselves; the identity commutes with all and is no
/// message (errata 10 and 11).
TEST(Words, ExceptionalAreThoseWhoseOrbitsAreNotFull) {
  for (std::size_t n = 3; n <= 8; ++n) {
    std::vector<Permutation> expected;
    for (std::uint64_t r = 0; r < factorial(n); ++r) {
      const Permutation node = unrank(n, r);
      const bool small = orbit_size(node) != n - 1 && r != 0;
      ASSERT_EQ(is_exceptional(node), small) << n << " " << r;
      if (small) expected.push_back(node);
    }
    EXPECT_EQ(exceptional_nodes(n), expected) << n;
  }
  const std::map<std::size_t, std::size_t> counts{{9, 383}, {10, 161}, {12, 10}};
  for (const auto& [n, count] : counts) EXPECT_EQ(exceptional_nodes(n).size(), count) << n;
  EXPECT_THROW((void)exceptional_nodes(2), InvalidParameter);
  EXPECT_THROW((void)exceptional_nodes(13), InvalidParameter);
}

/// "For n=4: 1231, sigma(1231) = 2312 and sigma^2(1231) = 3123 denote the same node."
TEST(Words, RotationOfANodeIsTheNodeOfTheRotatedWord) {
  EXPECT_EQ(word_text(rotated(word_from_text("1231"), 1, 4)), "2312");
  EXPECT_EQ(word_text(rotated(word_from_text("1231"), 2, 4)), "3123");
  EXPECT_EQ(destination_of(4, "1231"), destination_of(4, "2312"));
  for (const std::size_t n : {2U, 3U, 6U})
    for (std::uint64_t r = 0; r < factorial(n); ++r) {
      const Word word = standard_word(unrank(n, r));
      ASSERT_EQ(rotated(unrank(n, r)), destination(n, rotated(word, 1, n)));
    }
}

TEST(Words, RandomOnesAreMinimalOnesAndEachOccurs) {
  std::mt19937_64 random(1);
  const Permutation node = destination_of(5, "12343");
  std::set<Word> seen;
  for (int i = 0; i < 200; ++i) seen.insert(random_minimal_word(node, random));
  const std::vector<Word> all = minimal_words(node);
  EXPECT_EQ(std::vector<Word>(seen.begin(), seen.end()), all);
  EXPECT_TRUE(random_minimal_word(Permutation::identity(5), random).empty());
}

TEST(Words, Texts) {
  EXPECT_EQ(word_text(Word{Port{0}, Port{8}, Port{9}, Port{34}}), "19az");
  EXPECT_EQ(word_text(Word{Port{35}}), "?");
  EXPECT_EQ(word_from_text("19az"), (Word{Port{0}, Port{8}, Port{9}, Port{34}}));
  EXPECT_TRUE(word_from_text("").empty());
  for (const char* const text : {"0", "1 2", "A", "1.", "-"})
    EXPECT_THROW((void)word_from_text(text), InvalidParameter) << text;
}

}  // namespace
}  // namespace lockstep
