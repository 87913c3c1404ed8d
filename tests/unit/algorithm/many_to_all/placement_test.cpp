// SPDX-License-Identifier: Apache-2.0
#include "algorithm/many_to_all/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

constexpr PlacementGrid grid{.rows = 5, .columns = 6, .block = 1};

Settings settings_of(std::uint64_t messages, const std::string& placement) {
  Settings settings;
  settings["messages"] = messages;
  settings["placement"] = placement;
  return settings;
}

std::vector<std::uint64_t> homes(std::uint64_t messages, const std::string& placement,
                                 const PlacementGrid& on = grid) {
  std::vector<std::uint64_t> nodes;
  const Pattern pattern = homes_of(settings_of(messages, placement), on);
  for (const NodeId home : *pattern.homes()) nodes.push_back(index(home));
  return nodes;
}

std::string refusal(const Settings& settings) {
  try {
    (void)homes_of(settings, grid);
  } catch (const InvalidParameter& problem) {
    return problem.what();
  }
  return "accepted";
}

class HomesFile {
 public:
  explicit HomesFile(const std::string& text) : name_("placement_test_homes.txt") {
    std::ofstream(name_) << text;
  }
  HomesFile(const HomesFile&) = delete;
  HomesFile& operator=(const HomesFile&) = delete;
  ~HomesFile() { std::filesystem::remove(name_); }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
};

using Nodes = std::vector<std::uint64_t>;

/// By hand, from the formulas of the header.
TEST(Placement, RulesAreTheirFormulas) {
  EXPECT_EQ(homes(4, "perm"), (Nodes{5, 12, 19, 26}));  // 7 j + 5
  EXPECT_EQ(homes(4, "perm", {.rows = 7, .columns = 7, .block = 1}), (Nodes{5, 16, 27, 38}));
  EXPECT_EQ(homes(4, "quad"), (Nodes{0, 10, 4, 12}));
  EXPECT_EQ(homes(5, "onedcn", {.rows = 6, .columns = 6, .block = 2}), (Nodes{0, 6, 1, 7, 0}));
  EXPECT_EQ(homes(2, "onenode"), (Nodes{13, 13}));
  EXPECT_EQ(homes(7, "diag"), (Nodes{0, 7, 14, 21, 28, 5, 6}));
  EXPECT_EQ(homes(3, "row"), (Nodes{6, 7, 8}));
  EXPECT_EQ(homes(0, "perm"), Nodes{});
}

/// A task is the same whichever h is chosen to do it.
TEST(Placement, OneDcnGoesByAGivenHNotByAChosenOne) {
  const Torus torus({6, 8});
  Settings given = settings_of(7, "onedcn");
  given["h"] = std::uint64_t{2};
  EXPECT_EQ(*homes_of(given, grid_of(torus, "")).homes(),
            *homes_of(settings_of(7, "onedcn"), {6, 8, 2}).homes());
  Settings open = settings_of(7, "onedcn");
  open["h"] = std::string("auto");
  const Pattern fixed = fixed_homes(torus, open);
  open["h"] = std::uint64_t{2};
  EXPECT_EQ(*homes_of(open, grid_of(torus, ""), fixed).homes(),
            *homes_of(settings_of(7, "onedcn"), {6, 8, 6}).homes());
  EXPECT_EQ(fixed_homes(torus, settings_of(7, "perm")).homes(), nullptr);
}

TEST(Placement, OneMessagePerNodeWhereNothingIsSaid) {
  const std::vector<NodeId> all = *homes_of({}, grid).homes();
  EXPECT_EQ(all.size(), 30U);
  EXPECT_EQ(std::vector<NodeId>(all.begin(), all.begin() + 2),
            (std::vector<NodeId>{NodeId{5}, NodeId{12}}));
}

TEST(Placement, RandomOnesRepeatBySeedAndReachAllNodes) {
  EXPECT_EQ(homes(1000, "random:1"), homes(1000, "random:1"));
  EXPECT_NE(homes(1000, "random:1"), homes(1000, "random:2"));
  Nodes nodes = homes(1000, "random:1");
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  EXPECT_EQ(nodes.size(), 30U);
  EXPECT_EQ(nodes.back(), 29U);
}

TEST(Placement, FilesSayANodePerLine) {
  const HomesFile file("29\n0\n0\n");
  Settings settings;
  settings["placement"] = file.name();
  EXPECT_EQ(*homes_of(settings, grid).homes(),
            (std::vector<NodeId>{NodeId{29}, NodeId{0}, NodeId{0}}));
  EXPECT_EQ(refusal(settings_of(2, file.name())),
            "messages: 2 is not valid; expected 3, the number of lines of '" + file.name() + "'");
}

TEST(Placement, FilesOfOtherSystemsAreReadToo) {
  const HomesFile file("29\r\n0\r\n0");
  Settings settings;
  settings["placement"] = file.name();
  EXPECT_EQ(*homes_of(settings, grid).homes(),
            (std::vector<NodeId>{NodeId{29}, NodeId{0}, NodeId{0}}));
}

TEST(Placement, RefusalsNameThePlace) {
  for (const std::string line : {"30", "x", "", "-1", "1 2", "99999999999999999999"}) {
    const HomesFile file("3\n" + line + "\n");
    Settings settings;
    settings["placement"] = file.name();
    EXPECT_EQ(refusal(settings),
              file.name() + ":2: '" + line + "' is not valid; expected a node number, 0..29");
  }
  EXPECT_EQ(refusal(settings_of(std::uint64_t{1} << 63U, "perm")),
            "messages: 9223372036854775808 is not valid; expected 0..16,777,216");
  EXPECT_EQ(refusal(settings_of(3, "random:")),
            "placement: 'random:' is not valid; expected random: followed by a whole number");
  EXPECT_EQ(refusal(settings_of(3, "nowhere")),
            "placement: 'nowhere' is not valid; expected perm, quad, onedcn, onenode, diag, row, "
            "random:SEED or a readable file");
}

}  // namespace
}  // namespace lockstep
