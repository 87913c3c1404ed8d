// SPDX-License-Identifier: Apache-2.0
#include "cli/output.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "core/input_file.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;

class OutputTest : public testing::Test {
 protected:
  OutputTest()
      : folder_(fs::path(testing::TempDir()) / ("output_test_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~OutputTest() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }
  [[nodiscard]] std::string content(const std::string& name) const {
    std::ifstream file(path(name));
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  [[nodiscard]] std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_;
};

TEST_F(OutputTest, TheFileAppearsWhole) {
  {
    Output output(path("a.txt"));
    EXPECT_FALSE(fs::exists(path("a.txt")));
    output.write("all of it\n");
    EXPECT_EQ(content("a.txt"), "all of it\n");
  }
  EXPECT_EQ(content("a.txt"), "all of it\n");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputTest, DoesNotReplaceAFileThatWasRead) {
  std::ofstream(path("in.txt")) << "a b\n";
  EXPECT_EQ(input_text(path("in.txt"), 100), "a b\n");
  EXPECT_THROW(Output(path("in.txt")), InvalidParameter);
  Output early(path("later.txt"));
  std::ofstream(path("later.txt")) << "b c\n";
  EXPECT_EQ(input_text(path("later.txt"), 100), "b c\n");
  EXPECT_THROW(early.write("results"), InvalidParameter);
  EXPECT_EQ(content("later.txt"), "b c\n");
}

TEST_F(OutputTest, NothingIsLeftOfARunThatFailed) {
  { const Output output(path("a.txt")); }
  EXPECT_EQ(files(), 0);
  std::ofstream(path("b.txt")) << "before";
  { const Output output(path("b.txt")); }
  EXPECT_EQ(content("b.txt"), "before");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputTest, NorOfAProgramThatIsEnded) {
  const Output output(path("a.txt"));
  EXPECT_EQ(files(), 1);
  remove_partial_outputs();
  EXPECT_EQ(files(), 0);
}

/// Characters that a terminal would obey are shown; letters of any language are left as they are.
TEST(Printable, ShowsControlCharacters) {
  EXPECT_EQ(printable("star:5 \x1b[31mred\x07\x7f"), "star:5 \\x1b[31mred\\x07\\x7f");
  EXPECT_EQ(printable("a\tb\rc"), "a\\x09b\\x0dc");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\x9b31m");
  EXPECT_EQ(printable("two\nlines, Gr\xc3\xbc\xc3\x9f"
                      "e \xe2\x82\xac \xc2\xb5"),
            "two\nlines, Gr\xc3\xbc\xc3\x9f"
            "e \xe2\x82\xac \xc2\xb5");
  EXPECT_EQ(printable("cut \xc2"), "cut \xc2");
}

TEST_F(OutputTest, AnOldFileIsReplacedThroughItsLink) {
  std::ofstream(path("real.txt")) << "before";
  fs::create_symlink(path("real.txt"), path("link.txt"));
  Output(path("link.txt")).write("after");
  EXPECT_EQ(content("real.txt"), "after");
  EXPECT_TRUE(fs::is_symlink(path("link.txt")));
}

TEST_F(OutputTest, RefusesWhatCannotBeWrittenBeforeTheRun) {
  EXPECT_THROW(Output(""), InvalidParameter);
  EXPECT_THROW(Output(folder_.string()), InvalidParameter);
  EXPECT_THROW(Output(path("no/such/folder/a.txt")), InvalidParameter);
  std::ofstream(path("file")) << "x";
  EXPECT_THROW(Output(path("file/below")), InvalidParameter);
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputTest, ADeviceIsWrittenInPlace) {
  Output("/dev/null").write("text");
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
  EXPECT_THROW(Output("/dev/full").write("text"), ResourceExhausted);
}

}  // namespace
}  // namespace lockstep::cli
