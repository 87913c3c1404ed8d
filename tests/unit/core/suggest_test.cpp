// SPDX-License-Identifier: Apache-2.0
#include "core/suggest.hpp"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(EditDistanceTest, CountsTheFourMistakesOfTyping) {
  EXPECT_EQ(edit_distance("star", "star"), 0U);
  EXPECT_EQ(edit_distance("star", "stair"), 1U);  // a letter too many
  EXPECT_EQ(edit_distance("stair", "star"), 1U);  // one too few
  EXPECT_EQ(edit_distance("stat", "star"), 1U);   // a wrong one
  EXPECT_EQ(edit_distance("satr", "star"), 1U);   // two exchanged
  EXPECT_EQ(edit_distance("", "ring"), 4U);
  EXPECT_EQ(edit_distance("ring", ""), 4U);
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(NearestTest, GuessesWhatIsNearAndNothingElse) {
  const std::vector<std::string_view> names{"ring", "star", "hypercube"};
  EXPECT_EQ(nearest("stra", names), "star");
  EXPECT_EQ(nearest("hyper", names), "hypercube");  // a beginning of two letters and more
  EXPECT_EQ(nearest("hypercbue", names), "hypercube");
  EXPECT_EQ(nearest("h", names), "");
  EXPECT_EQ(nearest("butterfly", names), "");
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(nearest("star", {}), "");
  EXPECT_EQ(nearest("STAR", names), "star");
  EXPECT_EQ(nearest("-k", {"--root", "--k"}), "--k");
  EXPECT_EQ(nearest("-x", {"--root", "--k"}), "");
  EXPECT_EQ(nearest("--foo", {"--root", "--k"}), "");  // the dashes do not make them alike
}

TEST(UnknownTest, SaysWhatWasGivenMeantAndAllowed) {
  EXPECT_EQ(unknown("topology", "stra", {"ring", "star"}),
            "unknown topology 'stra'; did you mean 'star'? Allowed: ring, star");
  EXPECT_EQ(unknown("topology", "mesh", {"ring", "star"}),
            "unknown topology 'mesh'; allowed: ring, star");
}

}  // namespace
}  // namespace lockstep
