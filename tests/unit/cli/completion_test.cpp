// SPDX-License-Identifier: Apache-2.0
/// What bash offers behind a line, asked as bash asks: the function is called in a shell, with the
/// line, and breaks words at colons.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "support/golden.hpp"
#include "support/program.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::UnorderedElementsAre;

class Completion : public testing::Test {
 protected:
  Completion()
      : folder_(fs::path(testing::TempDir()) / ("completion_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~Completion() override { fs::remove_all(folder_); }

  [[nodiscard]] std::vector<std::string> offered(const std::string& line) const {
    const fs::path script =
        fs::path(test::golden_folder()).parent_path().parent_path() / "tools/completion";
    std::ofstream(folder_ / "script") << "source '" << (script / "lockstep.bash").string() << "'\n"
                                      << "lockstep() { '" << test::program_path() << "' \"$@\"; }\n"
                                      << "COMP_WORDBREAKS=$' \\t\\n\"\\'><=;|&(:' COMP_LINE='"
                                      << line << "' COMP_POINT=" << line.size() << "\n"
                                      << "_lockstep\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n";
    const std::string call = "bash --norc '" + (folder_ / "script").string() + "' > '" +
                             (folder_ / "out").string() + "'";
    EXPECT_EQ(std::system(call.c_str()), 0) << line;
    std::ifstream out(folder_ / "out");
    std::vector<std::string> words;
    for (std::string word; std::getline(out, word);)
      if (!word.empty()) words.push_back(word);
    return words;
  }

  fs::path folder_;
};

TEST_F(Completion, OffersCommandsAndWhatIsBehindThem) {
  EXPECT_THAT(offered("lockstep re"), ElementsAre("reproduce"));
  EXPECT_THAT(offered("lockstep table "), UnorderedElementsAre("build", "search", "check", "show"));
  EXPECT_THAT(offered("lockstep table build star:4 "), UnorderedElementsAre("total", "odd"));
  EXPECT_THAT(offered("lockstep reproduce "),
              AllOf(IsSupersetOf({"star", "tables", "ej", "torus", "all"}),
                    Not(Contains("total-exchange"))));
  EXPECT_THAT(offered("lockstep list ter"), ElementsAre("terms"));
}

TEST_F(Completion, OffersNetworksUpToTheirSize) {
  EXPECT_THAT(offered("lockstep run sta"), ElementsAre("star:"));
  EXPECT_THAT(offered("lockstep run star:4"), IsEmpty());
  EXPECT_THAT(offered("lockstep show hyper"), UnorderedElementsAre("hypercube:", "hypercycle:"));
}

TEST_F(Completion, OffersWhatRunsThere) {
  EXPECT_THAT(offered("lockstep run torus:3x4 "),
              AllOf(Contains("total-exchange"), Not(Contains("odd-distance-exchange"))));
  EXPECT_THAT(
      offered("lockstep run star:4 all-gather --algorithm "),
      UnorderedElementsAre("mesh", "hamiltonian-ring", "levelwise", "tree", "matching",
                           "single-port-tree", "shortest-paths", "shortest-paths-in-turn",
                           "one-way", "both-ways", "neighbour-exchange", "node-invariant",
                           "hamiltonian-cycle", "tree-walk", "generator-sequence", "matched-rounds",
                           "matched-single-blocks", "matched-ports", "balanced-paths"));
  EXPECT_THAT(offered("lockstep sweep star:4..6 --k 3 --quiet all-g"), ElementsAre("all-gather"));
}

TEST_F(Completion, OffersTheValuesOfAnOption) {
  EXPECT_THAT(offered("lockstep run star:4 total-exchange --port-model single-port-h"),
              ElementsAre("single-port-half-duplex"));
  EXPECT_THAT(offered("lockstep run star:4 total-exchange --discipline f"),
              UnorderedElementsAre("fifo", "furthest-first"));
  EXPECT_THAT(offered("lockstep run star:4 total-exchange --k "), IsEmpty());
  EXPECT_THAT(offered("lockstep run torus:5x5 many-to-all --placement one"),
              UnorderedElementsAre("onedcn", "onenode"));
  EXPECT_THAT(offered("lockstep show star:4 --format d"), ElementsAre("dot"));
  EXPECT_THAT(offered("lockstep run star:4 total-exchange --dry"), ElementsAre("--dry-run"));
}

}  // namespace
}  // namespace lockstep
