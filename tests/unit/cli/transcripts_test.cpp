// SPDX-License-Identifier: Apache-2.0

/// Runs the transcripts of tests/golden/cli against the program. A transcript is a list of
///
///     $ lockstep run star:13 total-exchange     a line for the shell, run in an empty folder
///     > a line of stdout
///     ! a line of stderr
///     exit 2
///
/// In expected lines <any> stands for any text, and a line of ... for any number of lines. Lines
/// that start with # are remarks. Files of one transcript may be written by one command and read by
/// a later one; $golden is the folder of all golden files.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "support/golden.hpp"
#include "support/program.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

struct Entry {
  std::string where;  // file and line
  std::string command;
  Lines out;
  Lines err;
  int exit_code = -1;
};

[[nodiscard]] Lines lines_of(const fs::path& path) {
  std::ifstream file(path);
  Lines lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

[[nodiscard]] std::vector<Entry> entries_of(const fs::path& path) {
  std::vector<Entry> entries;
  const Lines lines = lines_of(path);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    const std::string where = path.filename().string() + ":" + std::to_string(i + 1);
    if (line.empty() || line[0] == '#') continue;
    if (line.rfind("$ ", 0) == 0) {
      entries.push_back({where, line.substr(2), {}, {}});
      continue;
    }
    if (entries.empty()) throw std::runtime_error(where + ": no command yet");
    const std::string rest = line.size() < 2 ? "" : line.substr(2);
    if (line[0] == '>') {
      if (rest == "..." && !entries.back().out.empty() && entries.back().out.back() == rest)
        throw std::runtime_error(where + ": one ... is enough");
      entries.back().out.push_back(rest);
    } else if (line[0] == '!') {
      entries.back().err.push_back(rest);
    } else if (line.rfind("exit ", 0) == 0) {
      entries.back().exit_code = std::stoi(line.substr(5));
    } else {
      throw std::runtime_error(where + ": neither $ > ! exit nor #");
    }
  }
  return entries;
}

/// Whether `line` is `pattern` with some text for each <any>.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view line) {
  constexpr std::string_view any = "<any>";
  const std::size_t at = pattern.find(any);
  if (at == std::string_view::npos) return pattern == line;
  if (line.substr(0, at) != pattern.substr(0, at)) return false;
  const std::string_view rest = pattern.substr(at + any.size());
  for (std::size_t skip = at; skip <= line.size(); ++skip)
    if (matches(rest, line.substr(skip))) return true;
  return false;
}

[[nodiscard]] bool matches(const Lines& pattern, const Lines& lines, std::size_t p = 0,
                           std::size_t l = 0) {
  if (p == pattern.size()) return l == lines.size();
  if (pattern[p] == "...") {
    for (std::size_t skip = l; skip <= lines.size(); ++skip)
      if (matches(pattern, lines, p + 1, skip)) return true;
    return false;
  }
  return l < lines.size() && matches(pattern[p], lines[l]) && matches(pattern, lines, p + 1, l + 1);
}

[[nodiscard]] std::string text_of(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += "  " + line + "\n";
  return text;
}

class TranscriptTest : public testing::TestWithParam<std::string> {
 protected:
  TranscriptTest()
      : folder_(fs::path(testing::TempDir()) / ("transcript_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "work");
  }
  ~TranscriptTest() override { fs::remove_all(folder_); }

  /// In a shell where `lockstep` is the program.
  [[nodiscard]] int run(const std::string& command) const {
    std::ofstream script(folder_ / "script");
    script << "program='" << test::program_path() << "'\n"
           << "golden='" << test::golden_folder() << "'\n"
           << "lockstep() { \"$program\" \"$@\"; }\n"
              "cd '"
           << (folder_ / "work").string() << "'\n"
           << "export XDG_CONFIG_HOME='" << (folder_ / "configuration").string() << "'\n"
           << command << "\n";
    script.close();
    const std::string call = "bash '" + (folder_ / "script").string() + "' > '" +
                             (folder_ / "out").string() + "' 2> '" + (folder_ / "err").string() +
                             "'";
    const int status = std::system(call.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  fs::path folder_;
};

TEST_P(TranscriptTest, TheProgramSaysWhatItSaid) {
  const auto entries = entries_of(fs::path(test::golden_folder()) / "cli" / GetParam());
  ASSERT_FALSE(entries.empty());
  for (const Entry& entry : entries) {
    SCOPED_TRACE(entry.where + ": " + entry.command);
    ASSERT_GE(entry.exit_code, 0) << "no exit code is expected";
    EXPECT_EQ(run(entry.command), entry.exit_code);
    const Lines out = lines_of(folder_ / "out");
    const Lines err = lines_of(folder_ / "err");
    EXPECT_TRUE(matches(entry.out, out)) << "stdout was\n" << text_of(out);
    EXPECT_TRUE(matches(entry.err, err)) << "stderr was\n" << text_of(err);
  }
}

[[nodiscard]] Lines transcripts() {
  Lines names;
  for (const auto& entry : fs::directory_iterator(fs::path(test::golden_folder()) / "cli"))
    if (entry.path().extension() == ".txt") names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, TranscriptTest, testing::ValuesIn(transcripts()),
                         [](const testing::TestParamInfo<std::string>& file) {
                           std::string name = fs::path(file.param).stem().string();
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(MatchesTest, AnyTextAndAnyLines) {
  EXPECT_TRUE(matches("a <any> c", "a b b c"));
  EXPECT_TRUE(matches("<any>", ""));
  EXPECT_TRUE(matches("<any>b<any>", "aabcc"));
  EXPECT_FALSE(matches("a <any> c", "a b d"));
  EXPECT_FALSE(matches("a", "ab"));
  EXPECT_TRUE(matches(Lines{"a", "...", "d"}, Lines{"a", "b", "c", "d"}));
  EXPECT_TRUE(matches(Lines{"..."}, Lines{}));
  EXPECT_FALSE(matches(Lines{"a", "..."}, Lines{"b"}));
  EXPECT_FALSE(matches(Lines{}, Lines{"b"}));
}

}  // namespace
}  // namespace lockstep
