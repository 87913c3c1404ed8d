// SPDX-License-Identifier: Apache-2.0
#include "lockstep/core/permutation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "support/cases.hpp"
#include "support/lexicographic_rank.hpp"

namespace lockstep {
namespace {

using test::for_all;
using test::lexicographic_rank;
using test::Random;
using test::random_permutation;
using test::uniform;

using Symbols = std::vector<std::uint8_t>;

Symbols symbols_of(Permutation x) {
  Symbols symbols;
  for (std::size_t i = 0; i < x.size(); ++i) symbols.push_back(static_cast<std::uint8_t>(x[i]));
  return symbols;
}

Symbols ascending(std::size_t n) {
  Symbols symbols(n);
  std::iota(symbols.begin(), symbols.end(), std::uint8_t{0});
  return symbols;
}

/// The definition, word for word.
std::uint64_t slow_rank(const Symbols& x) {
  std::uint64_t result = 0;
  std::uint64_t weight = 1;
  for (std::size_t i = 1; i < x.size(); ++i) {
    weight *= i;
    for (std::size_t l = 0; l < i; ++l) result += x[l] > x[i] ? weight : 0;
  }
  return result;
}

struct Pair {
  Permutation a;
  Permutation b;
};

Pair random_pair(Random& random) {
  const std::size_t n = uniform(random, 0, Permutation::max_size);
  return {random_permutation(random, n), random_permutation(random, n)};
}

static_assert(rank(Permutation::identity(16)) == 0);
static_assert(rank(unrank(12, 479'001'599)) == 479'001'599);
static_assert(factorial(0) == 1);
static_assert(factorial(20) == 2'432'902'008'176'640'000U);

TEST(Permutation, HoldsTheSymbolsGiven) {
  const Permutation x = Permutation::from_symbols(Symbols{2, 1, 3, 0});
  EXPECT_EQ(x.size(), 4U);
  EXPECT_EQ(x.packed(), 0x0312U);
  EXPECT_EQ(symbols_of(x), (Symbols{2, 1, 3, 0}));
  EXPECT_EQ(x.position_of(3), 2U);
  EXPECT_EQ(Permutation::from_packed(0x0312U, 4), x);
}

TEST(Permutation, IdentityOfEverySize) {
  for (std::size_t n = 0; n <= Permutation::max_size; ++n) {
    EXPECT_EQ(symbols_of(Permutation::identity(n)), ascending(n));
    EXPECT_EQ(Permutation::from_symbols(ascending(n)), Permutation::identity(n));
  }
}

TEST(Permutation, EmptyAndSingleSymbolAreLawful) {
  for (const std::size_t n : {0U, 1U}) {
    const Permutation x = Permutation::identity(n);
    EXPECT_EQ(rank(x), 0U);
    EXPECT_EQ(lexicographic_rank(x), 0U);
    EXPECT_EQ(unrank(n, 0), x);
    EXPECT_EQ(lexicographic_unrank(n, 0), x);
    EXPECT_EQ(x.inverse(), x);
  }
}

TEST(Permutation, RefusesWhatIsNoPermutation) {
  EXPECT_THROW((void)Permutation::from_symbols(Symbols{0, 0}), InvalidParameter);
  EXPECT_THROW((void)Permutation::from_symbols(Symbols{1}), InvalidParameter);
  EXPECT_THROW((void)Permutation::from_symbols(Symbols{0, 255}), InvalidParameter);
  EXPECT_THROW((void)Permutation::from_symbols(ascending(17)), InvalidParameter);
}

TEST(Permutation, RanksInLocalityOrderUpToSevenSymbols) {
  for (std::size_t n = 0; n <= 7; ++n) {
    Symbols symbols = ascending(n);
    std::vector<bool> seen(factorial(n), false);
    do {
      const Permutation x = Permutation::from_symbols(symbols);
      ASSERT_EQ(rank(x), slow_rank(symbols));
      ASSERT_EQ(unrank(n, rank(x)), x);
      seen[rank(x)] = true;
    } while (std::next_permutation(symbols.begin(), symbols.end()));
    EXPECT_THAT(seen, testing::Each(true));
  }
}

TEST(Permutation, LexicographicRankCountsSortedWords) {
  for (std::size_t n = 0; n <= 7; ++n) {
    Symbols symbols = ascending(n);
    std::uint64_t place = 0;
    do {
      const Permutation x = Permutation::from_symbols(symbols);
      ASSERT_EQ(lexicographic_rank(x), place);
      ASSERT_EQ(lexicographic_unrank(n, place), x);
      ++place;
    } while (std::next_permutation(symbols.begin(), symbols.end()));
  }
}

TEST(Permutation, RanksComeBackAtEverySize) {
  for_all(2'000, random_pair, [](const Pair& pair) {
    const std::size_t n = pair.a.size();
    EXPECT_EQ(rank(pair.a), slow_rank(symbols_of(pair.a)));
    EXPECT_EQ(unrank(n, rank(pair.a)), pair.a);
    EXPECT_EQ(lexicographic_unrank(n, lexicographic_rank(pair.a)), pair.a);
  });
}

TEST(Permutation, LastOfEverySizeIsDescending) {
  for (std::size_t n = 0; n <= Permutation::max_size; ++n) {
    Symbols descending = ascending(n);
    std::reverse(descending.begin(), descending.end());
    const Permutation x = Permutation::from_symbols(descending);
    EXPECT_EQ(rank(x), factorial(n) - 1);
    EXPECT_EQ(unrank(n, factorial(n) - 1), x);
    EXPECT_EQ(lexicographic_rank(x), factorial(n) - 1);
    EXPECT_EQ(lexicographic_unrank(n, factorial(n) - 1), x);
  }
}

TEST(Permutation, ExchangeWithFirstStaysInItsBlock) {
  for_all(500, random_pair, [](const Pair& pair) {
    for (std::size_t i = 1; i < pair.a.size(); ++i) {
      const Permutation y = pair.a.with_exchanged(0, i);
      EXPECT_EQ(rank(y) / factorial(i + 1), rank(pair.a) / factorial(i + 1));
      EXPECT_EQ(y.with_exchanged(i, 0), pair.a);
    }
  });
}

TEST(Permutation, ExchangeMovesJustTwoSymbols) {
  const Permutation x = permutation_from_label("3241");
  EXPECT_EQ(to_paper_label(x.with_exchanged(0, 3)), "1243");
  EXPECT_EQ(to_paper_label(x.with_exchanged(1, 2)), "3421");
  EXPECT_EQ(x.with_exchanged(2, 2), x);
}

TEST(Permutation, ComposesAsAGroup) {
  for_all(1'000, random_pair, [](const Pair& pair) {
    const auto& [a, b] = pair;
    const Permutation product = compose(a, b);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(product[i], a[b[i]]);
    EXPECT_EQ(compose(a, a.inverse()), Permutation::identity(a.size()));
    EXPECT_EQ(compose(a.inverse(), a), Permutation::identity(a.size()));
    EXPECT_EQ(product.inverse(), compose(b.inverse(), a.inverse()));
  });
}

TEST(Permutation, ExtensionFixesTheNewPositionsAndKeepsTheRank) {
  const Permutation x = permutation_from_label("3241");
  EXPECT_EQ(to_paper_label(x.extended(7)), "3241567");
  for (std::size_t n = 4; n <= Permutation::max_size; ++n) EXPECT_EQ(rank(x.extended(n)), rank(x));
  EXPECT_EQ(x.extended(4), x);
}

TEST(Permutation, LabelsAreThePapers) {
  EXPECT_EQ(to_paper_label(Permutation::from_symbols(Symbols{2, 1, 3, 0})), "3241");
  EXPECT_EQ(to_paper_label(Permutation::identity(9)), "123456789");
  EXPECT_EQ(to_paper_label(Permutation::identity(10)), "1.2.3.4.5.6.7.8.9.10");
  EXPECT_EQ(permutation_from_label("3.2.4.1"), permutation_from_label("3241"));
}

TEST(Permutation, LabelsComeBackAtEverySize) {
  for_all(500, random_pair, [](const Pair& pair) {
    if (pair.a.size() == 0) return;  // no symbols, no label
    EXPECT_EQ(permutation_from_label(to_paper_label(pair.a)), pair.a);
  });
}

TEST(Permutation, RefusesLabelsThatNameNoPermutation) {
  for (const std::string label :
       {"", "0", "2", "11", "13", "12x", "1 2", "1.2.", ".1", "1..2", "1.2.17", "-1", "1.3",
        "1.18446744073709551618", "1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17", "12345678910"}) {
    try {
      (void)permutation_from_label(label);
      ADD_FAILURE() << "accepted '" << label << "'";
    } catch (const InvalidParameter& refused) {
      EXPECT_THAT(refused.what(), testing::HasSubstr("'" + label + "'"));
    }
  }
}

}  // namespace
}  // namespace lockstep
