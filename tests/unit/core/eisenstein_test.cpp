// SPDX-License-Identifier: Apache-2.0
#include "lockstep/core/eisenstein.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

namespace lockstep {
namespace {

template <class Check>
void for_every_small(Check check) {
  for (std::int64_t x = -12; x <= 12; ++x)
    for (std::int64_t y = -12; y <= 12; ++y) check(Eisenstein{x, y});
}

TEST(Eisenstein, UnitsArePowersOfRho) {
  // rho (x + y rho) = x rho + y (rho - 1)
  for (std::size_t k = 0; k < 6; ++k) {
    const Eisenstein unit = eisenstein_units[k];
    EXPECT_EQ(eisenstein_units[(k + 1) % 6], (Eisenstein{-unit.y, unit.x + unit.y}));
    EXPECT_EQ(eisenstein_units[(k + 3) % 6], -unit);
    EXPECT_EQ(length(unit), 1);
  }
}

/// Specification, section 1: the least |p| + |q| + |r| over all p + q rho + r rho^2.
TEST(Eisenstein, LengthIsTheLeastSumOfCoefficients) {
  for_every_small([](Eisenstein z) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::int64_t r = -30; r <= 30; ++r)  // r rho^2 = -r + r rho
      least = std::min(least, std::abs(z.x + r) + std::abs(z.y - r) + std::abs(r));
    EXPECT_EQ(length(z), least) << to_paper(z);
  });
}

/// The inverse of sector_of.
[[nodiscard]] Eisenstein from_sector(const Sector& place) {
  const Eisenstein minor = eisenstein_units[static_cast<std::size_t>(place.sector - 1)];
  const Eisenstein major = eisenstein_units[static_cast<std::size_t>(place.sector % 6)];
  return {place.minor_count * minor.x + place.major_count * major.x,
          place.minor_count * minor.y + place.major_count * major.y};
}

TEST(Eisenstein, EveryIntegerLiesInOneSector) {
  EXPECT_EQ(sector_of({}), Sector{});
  for_every_small([](Eisenstein z) {
    if (z == Eisenstein{}) return;
    int sectors = 0;
    for (int j = 1; j <= 6; ++j)
      for (std::int64_t minor = 0; minor <= 24; ++minor)
        for (std::int64_t major = 1; major <= 24; ++major)
          if (from_sector({j, minor, major}) == z) {
            ++sectors;
            EXPECT_EQ(sector_of(z), (Sector{j, minor, major}));
            EXPECT_EQ(minor + major, length(z));
          }
    EXPECT_EQ(sectors, 1) << to_paper(z);
  });
}

TEST(Eisenstein, AsThePaperWritesIt) {
  EXPECT_EQ(to_paper({}), "0");
  EXPECT_EQ(to_paper({2, -1}), "1-rho^2");
  EXPECT_EQ(to_paper({1, 1}), "1+rho");
  EXPECT_EQ(to_paper({0, -3}), "-3rho");
  EXPECT_EQ(to_paper({-2, 5}), "3rho+2rho^2");
  EXPECT_EQ(to_paper({-5, 3}), "-2+3rho^2");
  EXPECT_EQ(to_paper({-2, -1}), "-2-rho");
  EXPECT_EQ(to_paper({1, -2}), "-rho-rho^2");
  EXPECT_EQ(to_paper({3, -3}), "-3rho^2");
}

TEST(Eisenstein, TextsAreReadBack) {
  for_every_small([](Eisenstein z) { EXPECT_EQ(eisenstein_from_text(to_paper(z)), z); });
  EXPECT_EQ(eisenstein_from_text("3+rho"), (Eisenstein{3, 1}));
  EXPECT_EQ(eisenstein_from_text(" 1 - rho^2 "), (Eisenstein{2, -1}));
  EXPECT_EQ(eisenstein_from_text("+2rho^2-rho+0"), (Eisenstein{-2, 1}));
  EXPECT_EQ(eisenstein_from_text("-1000000000000000000"),
            (Eisenstein{-1'000'000'000'000'000'000, 0}));
}

TEST(Eisenstein, OtherTextsAreNot) {
  for (const std::string text : {"",
                                 " ",
                                 "+",
                                 "-",
                                 "1+",
                                 "rho^",
                                 "rho^3",
                                 "rho2",
                                 "2 3",
                                 "1 rho",
                                 "1rho 2",
                                 "(1)",
                                 "1--rho",
                                 "x",
                                 "1+1+1+1",
                                 "rhorho",
                                 "1,2",
                                 "1000000000000000001",
                                 "99999999999999999999",
                                 "0x1",
                                 "1.5",
                                 "rho^2 rho",
                                 "RHO"})
    EXPECT_EQ(eisenstein_from_text(text), std::nullopt) << text;
}

TEST(Eisenstein, SumsAndDifferences) {
  const Eisenstein z{3, -5};
  const Eisenstein w{-1, 2};
  EXPECT_EQ(z + w, (Eisenstein{2, -3}));
  EXPECT_EQ(z - w, (Eisenstein{4, -7}));
  EXPECT_EQ(z - w + w, z);
}

}  // namespace
}  // namespace lockstep
