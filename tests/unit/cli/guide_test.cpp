// SPDX-License-Identifier: Apache-2.0

/// README and the guide pages of tools/docs say what the program does. Their `sh` blocks are run
/// line by line in one folder per page:
///
///     lockstep run star:5 total-exchange      # exit code 1: why; without it, 0 is expected
///     lockstep run star:9 total-exchange      # an hour, half a minute: run with --dry-run
///
/// Lines that begin with `lockstep`, `tools/lockstep` or `printf` are run. A block that begins with
/// "```text FILE" is the contents of that file, for the commands below it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/golden.hpp"
#include "support/program.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

[[nodiscard]] fs::path root() {
  return fs::path(test::golden_folder()).parent_path().parent_path();
}

[[nodiscard]] std::string text_in(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

struct Example {
  std::string command;
  int exit_code = 0;
};

[[nodiscard]] Example example_in(const std::string& line) {
  const std::size_t remark = std::min(line.find(" # "), line.size());
  Example example{.command = line.substr(0, remark)};
  if (example.command.starts_with("tools/")) example.command.erase(0, 6);
  const std::string said = line.substr(remark);
  if (said.find(" hour") != std::string::npos || said.find(" minute") != std::string::npos)
    example.command += " --dry-run";
  constexpr std::string_view code = "exit code ";
  if (const std::size_t at = said.find(code); at != std::string::npos)
    example.exit_code = std::stoi(said.substr(at + code.size()));
  return example;
}

[[nodiscard]] std::vector<Example> examples_in(const std::string& text) {
  std::vector<Example> examples;
  std::istringstream lines(text);
  bool in_block = false;
  bool in_file = false;
  constexpr std::string_view file = "```text ";
  for (std::string line; std::getline(lines, line);) {
    if (std::exchange(in_file, in_file && line != "```")) {
      examples.back().command += in_file ? "\n" + line : "\nEND";
      continue;
    }
    if (line.starts_with("```")) in_block = line == "```sh";
    if (line.starts_with(file)) {
      in_file = true;
      examples.push_back({.command = "cat > '" + line.substr(file.size()) + "' <<'END'"});
    }
    const bool runs = line.starts_with("lockstep ") || line.starts_with("tools/lockstep ") ||
                      line.starts_with("printf ");
    if (in_block && runs) examples.push_back(example_in(line));
  }
  return examples;
}

/// The exit code of a command, in a shell where `lockstep` is the program.
[[nodiscard]] int exit_code_of(const std::string& command, const fs::path& folder) {
  std::ofstream(folder / "script") << "lockstep() { '" << test::program_path() << "' \"$@\"; }\n"
                                   << "cd '" << folder.string() << "'\n"
                                   << "export XDG_CONFIG_HOME='" << folder.string() << "'\n"
                                   << command << "\n";
  const std::string call =
      "bash '" + (folder / "script").string() + "' > '" + (folder / "out").string() + "' 2>&1";
  const int status = std::system(call.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class GuideTest : public testing::TestWithParam<std::string> {};

TEST_P(GuideTest, EveryCommandRuns) {
  const std::string text = text_in(root() / GetParam());
  const std::vector<Example> examples = examples_in(text);
  ASSERT_FALSE(examples.empty());
  const fs::path folder = fs::path(testing::TempDir()) / ("guide_" + std::to_string(getpid()));
  fs::create_directories(folder);
  for (const Example& example : examples) {
    EXPECT_EQ(exit_code_of(example.command, folder), example.exit_code) << example.command << "\n"
                                                                        << text_in(folder / "out");
  }
  fs::remove_all(folder);
}

TEST_P(GuideTest, BeginsWithACommand) {
  const std::string text = text_in(root() / GetParam());
  EXPECT_EQ(text.find("```"), text.find("```sh"));
}

[[nodiscard]] std::vector<std::string> pages() {
  std::vector<std::string> names{"README.md"};
  for (const auto& entry : fs::directory_iterator(root() / "tools" / "docs"))
    if (entry.path().extension() == ".md")
      names.push_back("tools/docs/" + entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, GuideTest, testing::ValuesIn(pages()),
                         [](const testing::TestParamInfo<std::string>& page) {
                           std::string name = fs::path(page.param).stem().string();
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// The text between the remarks of a table that `tools/golden` writes.
[[nodiscard]] std::string table_in(const std::string& text, const std::string& subject) {
  const std::string begin = "<!-- lockstep list " + subject + " -->\n";
  const std::size_t at = text.find(begin);
  if (at == std::string::npos) return "";
  const std::size_t first = at + begin.size();
  return text.substr(first, text.find("<!-- end -->", first) - first);
}

[[nodiscard]] std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream row(line);
  for (std::string cell; std::getline(row, cell, '|');) cells.push_back(cell);
  return cells;
}

/// The table is as long as there are algorithms.
TEST(ReadmeTest, IsShortAndLinksEveryPage) {
  const std::string text = text_in(root() / "README.md");
  const std::string table = table_in(text, "coverage");
  EXPECT_LE(
      std::count(text.begin(), text.end(), '\n') - std::count(table.begin(), table.end(), '\n'),
      200);
  for (const std::string& page : pages()) {
    if (page == "README.md") continue;
    EXPECT_THAT(text, testing::HasSubstr("(" + page + ")"));
  }
}

TEST(ReadmeTest, HasReadableTables) {
  std::istringstream lines(text_in(root() / "README.md"));
  constexpr std::size_t most_characters = 120;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("|")) continue;
    for (const std::string& cell : cells_of(line)) {
      EXPECT_LE(cell.size(), most_characters) << line;
      EXPECT_THAT(cell, testing::Not(testing::HasSubstr("<br>")));
    }
  }
}

class TableTest : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(TableTest, IsWhatTheProgramLists) {
  const auto& [subject, page] = GetParam();
  const fs::path file = fs::path(testing::TempDir()) / ("list_" + std::to_string(getpid()));
  const std::string call = "'" + test::program_path() + "' list " + subject +
                           " --format json --output '" + file.string() + "'";
  ASSERT_EQ(std::system(call.c_str()), 0);
  const auto json = nlohmann::ordered_json::parse(text_in(file));
  fs::remove(file);
  const auto row_of = [](const std::vector<std::string>& cells) {
    std::string row = "|";
    for (const std::string& cell : cells) row += " " + cell + " |";
    return row + "\n";
  };
  std::string table;
  for (const auto& row : json.at("rows")) {
    std::vector<std::string> names;
    std::vector<std::string> cells;
    for (const auto& [name, value] : row.items()) {
      names.push_back(name);
      cells.push_back(value.get<std::string>());
    }
    if (table.empty())
      table = row_of(names) + row_of(std::vector<std::string>(names.size(), "---"));
    table += row_of(cells);
  }
  EXPECT_EQ(table_in(text_in(root() / page), subject), table);
}

INSTANTIATE_TEST_SUITE_P(All, TableTest,
                         testing::Values(std::pair("coverage", "README.md"),
                                         std::pair("limits",
                                                   "tools/docs/networks-and-algorithms.md")));

TEST(GuidePages, ShowTheProgramsThatAreTested) {
  const std::string header = text_in(root() / "tests" / "support" / "flooding_broadcast.hpp");
  const std::string shown = header.substr(header.find("#include"));
  EXPECT_THAT(text_in(root() / "tools" / "docs" / "own-programs.md"),
              testing::HasSubstr("```cpp\n" + shown + "```\n"));
  const std::string planner = text_in(root() / "tests" / "consumer" / "own_planner.cpp");
  EXPECT_THAT(text_in(root() / "tools" / "docs" / "plans.md"),
              testing::HasSubstr("```cpp\n" + planner.substr(planner.find("#include")) + "```\n"));
}

}  // namespace
}  // namespace lockstep
