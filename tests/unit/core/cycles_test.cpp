// SPDX-License-Identifier: Apache-2.0
#include "lockstep/core/detail/cycles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "lockstep/core/errors.hpp"
#include "support/cases.hpp"

namespace lockstep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

[[nodiscard]] std::string refusal(const std::string& text) {
  try {
    (void)permutation_from_cycles(text);
  } catch (const InvalidParameter& problem) {
    return problem.what();
  }
  return "accepted";
}

TEST(CyclesTest, EveryPointGoesToTheNextOfItsCycle) {
  EXPECT_THAT(permutation_from_cycles("(1 2)(3 4)"), ElementsAre(1, 0, 3, 2));
  EXPECT_THAT(permutation_from_cycles("(1 3 2)"), ElementsAre(2, 0, 1));
  EXPECT_THAT(permutation_from_cycles("(2 4)"), ElementsAre(0, 3, 2, 1));
  EXPECT_THAT(permutation_from_cycles(" ( 2 , 1 ) (3) "), ElementsAre(1, 0, 2));
  EXPECT_THAT(permutation_from_cycles("(1,2)(3,4)"), ElementsAre(1, 0, 3, 2));
  EXPECT_THAT(permutation_from_cycles("()"), IsEmpty());
  EXPECT_EQ(permutation_from_cycles("(1 255)").size(), max_points);
}

TEST(CyclesTest, OneWayToWriteEach) {
  EXPECT_EQ(to_cycles(permutation_from_cycles("(4 3)(2 1)")), "(1 2)(3 4)");
  EXPECT_EQ(to_cycles(permutation_from_cycles("(5 1 9)")), "(1 9 5)");
  EXPECT_EQ(to_cycles(permutation_from_cycles("(7)(2)")), "()");
  EXPECT_EQ(to_cycles({}), "()");
}

TEST(CyclesTest, TextAndBack) {
  const auto any_permutation = [](test::Random& random) {
    PointImages images(test::uniform(random, 1, max_points));
    std::iota(images.begin(), images.end(), std::uint8_t{0});
    std::shuffle(images.begin(), images.end(), random);
    return images;
  };
  test::for_all(200, any_permutation, [](const PointImages& images) {
    PointImages read = permutation_from_cycles(to_cycles(images));
    while (read.size() < images.size()) read.push_back(static_cast<std::uint8_t>(read.size()));
    EXPECT_EQ(read, images);
    const PointImages back = inverse(images);
    for (std::size_t i = 0; i < images.size(); ++i) EXPECT_EQ(back[images[i]], i);
  });
}

TEST(CyclesTest, SaysWhatIsWrong) {
  EXPECT_EQ(refusal("(1 2"),
            "generator '(1 2': ')' is missing; expected cycles of different points 1..255 such as "
            "(1 2)(3 4)");
  EXPECT_THAT(refusal(""), HasSubstr("no cycle"));
  EXPECT_THAT(refusal("  "), HasSubstr("no cycle"));
  EXPECT_THAT(refusal("1 2"), HasSubstr("'1' is outside a cycle"));
  EXPECT_THAT(refusal("(1 2))"), HasSubstr("')' is outside a cycle"));
  EXPECT_THAT(refusal("(1 2)x"), HasSubstr("'x' is outside a cycle"));
  EXPECT_THAT(refusal("((1 2))"), HasSubstr("'(' is not a point"));
  EXPECT_THAT(refusal("(1 a)"), HasSubstr("'a' is not a point"));
  EXPECT_THAT(refusal("(1 -2)"), HasSubstr("'-' is not a point"));
  EXPECT_THAT(refusal("(1 1)"), HasSubstr("point 1 occurs twice"));
  EXPECT_THAT(refusal("(1 2)(2 3)"), HasSubstr("point 2 occurs twice"));
  EXPECT_THAT(refusal("(0 1)"), HasSubstr("point 0"));
  EXPECT_THAT(refusal("(1 256)"), HasSubstr("point 256"));
  EXPECT_THAT(refusal("(1 99999999999999999999)"), HasSubstr("point 99999999999999999999"));
}

}  // namespace
}  // namespace lockstep
