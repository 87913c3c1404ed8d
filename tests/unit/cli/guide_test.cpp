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

TEST(ReadmeTest, IsShortAndLinksEveryPage) {
  const std::string text = text_in(root() / "README.md");
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 200);
  for (const std::string& page : pages()) {
    if (page == "README.md") continue;
    EXPECT_THAT(text, testing::HasSubstr("(" + page + ")"));
  }
}

TEST(ReadmeTest, HasTheTableOfWhatRuns) {
  const fs::path file = fs::path(testing::TempDir()) / ("matrix_" + std::to_string(getpid()));
  const std::string call =
      "'" + test::program_path() + "' list coverage --format json --output '" + file.string() + "'";
  ASSERT_EQ(std::system(call.c_str()), 0);
  const auto json = nlohmann::json::parse(text_in(file));
  fs::remove(file);
  std::string table =
      "<!-- lockstep list coverage -->\n| operation | networks: algorithms |\n| --- | --- |\n";
  std::string operation;
  for (const auto& row : json.at("rows")) {
    const auto next = row.at("operation").get<std::string>();
    if (next == operation)
      table += "<br>";
    else
      table += (operation.empty() ? "| " : " |\n| ") + next + " | ";
    operation = next;
    table += row.at("networks").get<std::string>() + ": " + row.at("algorithms").get<std::string>();
  }
  table += " |\n<!-- end -->\n";
  EXPECT_THAT(text_in(root() / "README.md"), testing::HasSubstr(table));
}

TEST(ReadmeTest, ShowsTheProgramThatIsTested) {
  const std::string header = text_in(root() / "tests" / "support" / "flooding_broadcast.hpp");
  const std::string shown = header.substr(header.find("#include"));
  EXPECT_THAT(text_in(root() / "tools" / "docs" / "own-programs.md"),
              testing::HasSubstr("```cpp\n" + shown + "```\n"));
}

}  // namespace
}  // namespace lockstep
