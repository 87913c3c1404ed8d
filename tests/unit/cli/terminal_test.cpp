// SPDX-License-Identifier: Apache-2.0

/// The output of the program on a terminal: no line is wider than it, and nothing of the progress
/// line is left behind.

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "core/instrumented.hpp"
#include "report/wrap.hpp"
#include "support/program.hpp"

namespace lockstep {
namespace {

/// All that `words` write to a terminal of so many columns, as it is sent.
[[nodiscard]] std::string written_to_terminal(std::vector<std::string> words,
                                              std::uint16_t columns) {
  words.insert(words.begin(), test::program_path());
  const winsize size{.ws_row = 50, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    (void)::unsetenv("COLUMNS");
    (void)::setenv("TERM", "xterm", 1);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    (void)::execv(arguments.front(), arguments.data());
    ::_exit(99);
  }
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t count = 0; (count = ::read(terminal, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(count));
  ::close(terminal);
  int status = 0;
  (void)::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << text;
  EXPECT_NE(WEXITSTATUS(status), 99);
  return text;
}

/// The text on the terminal in the end, line by line: a carriage return begins the line anew, and
/// the rest of it is removed where that is said. Checks that no line was ever wider.
[[nodiscard]] std::vector<std::string> seen(const std::string& written, std::size_t columns) {
  constexpr std::string_view remove_rest = "\x1b[K";
  std::vector<std::string> lines(1);
  for (std::size_t at = 0; at < written.size(); ++at) {
    std::string& line = lines.back();
    if (written[at] == '\n') {
      lines.emplace_back();
    } else if (written[at] == '\r') {
      if (at + 1 < written.size() && written[at + 1] != '\n') line.clear();
    } else if (written.compare(at, remove_rest.size(), remove_rest) == 0) {
      at += remove_rest.size() - 1;
    } else {
      line += written[at];
      EXPECT_LE(report::width_of(line), columns) << line;
    }
  }
  return lines;
}

using Words = std::vector<std::string>;

TEST(TerminalTest, NoLineIsWiderThanIt) {
  const std::vector<Words> commands{
      {"--help"},
      {"run", "--help"},
      {"sweep", "--help"},
      {"compare", "--help"},
      {"reproduce", "--help"},
      {"show", "--help"},
      {"stress", "--help"},
      {"table", "--help"},
      {"table", "build", "--help"},
      {"list"},
      {"list", "columns"},
      {"list", "algorithms"},
      {"list", "topologies"},
      {"show", "star:5"},
      {"show", "ring:1000"},
      {"show", "torus:4x40"},
      {"run", "star:5", "total-exchange", "--series"},
      {"run", "torus:5x5", "many-to-all", "--messages", "4"},
      {"run", "star:4", "total-exchange", "--port-model", "single-port-half-duplex"},
      {"run", "star:9", "total-exchange", "--k", "99"},
      {"run", "star:5", "no-such-operation"},
      {"run", "star:5", "total-exchange", "--dry-run"},
      {"sweep", "star:4..5", "total-exchange", "--k", "all"},
      {"compare", "star:4", "total-exchange"},
      {"compare", "torus:5x5", "many-to-all", "--messages", "10"},
      {"table", "show", "4", "odd"},
      {"table", "check", std::string(90, 'x') + "/" + std::string(90, 'y')},
      {"reproduce", "tables"},
      {}};
  std::vector<std::uint16_t> widths{60, 80, 120, 200};
  if (slowness != 1) widths = {60};  // slow, and nothing else is instrumented
  for (const std::uint16_t columns : widths)
    for (const Words& words : commands) {
      std::string command = "columns " + std::to_string(columns) + ": lockstep";
      for (const std::string& word : words) command += " " + word;
      SCOPED_TRACE(command);
      EXPECT_GT(seen(written_to_terminal(words, columns), columns).size(), 1U);
    }
}

TEST(TerminalTest, NothingOfTheProgressLineIsLeft) {
  const std::string written = written_to_terminal({"stress", "--seconds", "2"}, 60);
  EXPECT_NE(written.find("\x1b[K"), std::string::npos) << "there was no progress line";
  for (const std::string& line : seen(written, 60))
    EXPECT_EQ(line.find("faults injected,"), std::string::npos) << line;
}

}  // namespace
}  // namespace lockstep
