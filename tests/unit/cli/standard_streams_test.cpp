// SPDX-License-Identifier: Apache-2.0

/// stdout and stderr that are closed, full, or pipes that nobody reads. Diagnostics that are lost
/// change no exit code; results that are lost end in exit code 4 and, unless their reader has
/// ended, in one line. No command dies.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/child_program.hpp"

namespace lockstep {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

void close_stream(int stream) { (void)::close(stream); }

void fill_stream(int stream) {
  const int full = ::open("/dev/full", O_WRONLY);
  (void)::dup2(full, stream);
}

void leave_without_reader(int stream) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return;
  (void)::dup2(ends[1], stream);
  (void)::close(ends[0]);
}

struct Damage {
  const char* name;
  void (*apply)(int stream);
};
constexpr std::array<Damage, 3> damages{{{"closed", close_stream},
                                         {"full", fill_stream},
                                         {"a pipe without reader", leave_without_reader}}};

struct Expected {
  int exit;
  std::vector<std::string> words;
};

/// Every command, its success and its failures. Short: each is started ten times.
[[nodiscard]] std::vector<Expected> command_lines(const std::string& folder) {
  return {
      {0, {"--help"}},
      {0, {"--version"}},
      {0, {"help", "sweep"}},
      {0, {"run", "ring:5", "broadcast", "--help"}},
      {2, {}},
      {2, {"nonsense"}},
      {2, {"--nonsense"}},
      {2, {"run", "ring:5", "nonsense"}},
      {2, {"run", "strar:5", "broadcast"}},
      {2, {"run", "ring:5"}},
      {2, {"run", "ring:5", "broadcast", "--nonsense"}},
      {2, {"run", "ring:5", "broadcast", "--schedule", folder + "/missing"}},
      {2, {"run", "file:" + folder + "/missing", "broadcast"}},
      {2, {"run", "ring:5", "broadcast", "--output", folder + "/no/such/folder"}},
      {0, {"run", "ring:5", "broadcast"}},
      {0, {"run", "ring:5", "broadcast", "--quiet"}},
      {0, {"run", "ring:5", "broadcast", "--format", "json"}},
      {0, {"run", "ring:5", "broadcast", "--format", "csv", "--series"}},
      {0, {"run", "ring:5", "broadcast", "--dry-run"}},
      {0, {"run", "ring:5", "broadcast", "--repeat", "3"}},
      {0, {"run", "ring:5", "broadcast", "--output", folder + "/result"}},
      {0, {"run", "ring:5", "broadcast", "--report", folder + "/report.html"}},
      {0, {"run", "ring:5", "broadcast", "--plot", folder + "/plot.svg"}},
      {0, {"run", "ring:5", "broadcast", "--trace", folder + "/trace.csv"}},
      {0, {"run", "ring:5", "broadcast", "--trace", folder + "/trace.json"}},
      {0, {"run", "ring:5", "broadcast", "--save-schedule", folder + "/schedule"}},
      {3,
       {"run", "star:4", "total-exchange", "--port-model", "single-port-half-duplex", "--algorithm",
        "packing"}},
      {3,
       {"run", "star:4", "total-exchange", "--port-model", "single-port-half-duplex", "--algorithm",
        "packing", "--format", "json"}},
      {3,
       {"run", "star:4", "total-exchange", "--port-model", "single-port-half-duplex", "--algorithm",
        "packing", "--save-schedule", folder + "/never"}},
      {1, {"run", "ej:1+2^2", "all-gather", "--algorithm", "three-phase"}},
      {1, {"run", "ej:1+2^2", "all-gather", "--algorithm", "three-phase", "--format", "json"}},
      {1, {"table", "check", folder + "/faulty.table"}},
      {4, {"run", "star:12", "total-exchange"}},
      {4, {"run", "star:12", "total-exchange", "--dry-run", "--algorithm", "packing"}},
      {2, {"sweep", "ring:5", "nonsense"}},
      {2, {"sweep", "ring:5", "broadcast", "--resume"}},
      {0, {"sweep", "ring:4..5", "broadcast"}},
      {0, {"sweep", "ring:4..5", "broadcast", "--format", "csv"}},
      {0, {"sweep", "ring:4..5", "broadcast", "--format", "json"}},
      {0, {"sweep", "ring:4..5", "broadcast", "--format", "ndjson"}},
      {0, {"sweep", "ring:4..5", "broadcast", "--layout", "osu"}},
      {0,
       {"sweep", "ring:4", "broadcast", "--format", "csv", "--output", folder + "/rows.csv",
        "--overwrite"}},
      {2, {"compare", "ring:5", "nonsense"}},
      {0, {"compare", "ring:5", "broadcast"}},
      {0, {"compare", "ring:5", "broadcast", "--format", "json"}},
      {2, {"tune", "ring:5", "nonsense"}},
      {0, {"tune", "ring:5", "broadcast"}},
      {0, {"tune", "ring:5", "broadcast", "--format", "csv"}},
      {2, {"calibrate", "--seconds", "nonsense"}},
      {2, {"calibrate", "--show", "--calibration", folder + "/missing"}},
      {2, {"reproduce", "nonsense"}},
      {0, {"reproduce", "star", "--table", "1"}},
      {0, {"list"}},
      {0, {"list", "topologies"}},
      {0, {"list", "algorithms", "ring:5"}},
      {2, {"list", "nonsense"}},
      {0, {"show", "star:4"}},
      {0, {"show", "ring:5", "--format", "dot"}},
      {2, {"show", "ring:5", "99"}},
      {0, {"stress", "--cases", "3", "--seed", "5"}},
      {2, {"stress", "--cases", "nonsense"}},
      {0, {"table", "build", "star:4", "odd", "--output", folder + "/4.table"}},
      {0, {"table", "show", folder + "/4.table"}},
      {0, {"table", "check", folder + "/4.table"}},
      {0, {"table", "search", "star:4", "odd"}},
      {2, {"table", "check", folder + "/missing"}},
      {0, {"man-page"}},
  };
}

class StandardStreams : public testing::Test {
 protected:
  [[nodiscard]] int exit_of(const std::vector<std::string>& words,
                            const std::function<void()>& prepare = {}) {
    child_.start(words, prepare);
    return child_.exit_code();
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(child_.folder() / name) << text;
  }

  test::ChildProgram child_;
};

TEST_F(StandardStreams, ChangeNoExitCode) {
  write("faulty.table",
        "startable 1\nn 3\nkind total\ncolumns 5\nrows 2\nrow 121 21\nrow 2 1 . 21\nend\n");
  const auto commands = command_lines(child_.folder().string());
  EXPECT_GE(commands.size(), 60U);
  for (const Expected& command : commands) {
    SCOPED_TRACE(testing::PrintToString(command.words));
    const int exit = exit_of(command.words);
    EXPECT_EQ(exit, command.exit) << child_.content("err");
    if (exit != command.exit) continue;
    const bool has_results = !child_.content("out").empty();
    const int without_results = has_results ? 4 : command.exit;
    for (const Damage& damage : damages) {
      SCOPED_TRACE(damage.name);
      EXPECT_EQ(exit_of(command.words, [&] { damage.apply(STDERR_FILENO); }), command.exit);
      EXPECT_EQ(!child_.content("out").empty(), has_results);
      EXPECT_EQ(exit_of(command.words, [&] { damage.apply(STDOUT_FILENO); }), without_results);
      if (has_results) {
        const bool quiet = damage.apply == leave_without_reader;  // it has what it wanted
        EXPECT_NE(child_.content("err").find("cannot write 'stdout': ") == std::string::npos,
                  !quiet);
      }
      EXPECT_EQ(exit_of(command.words,
                        [&] {
                          damage.apply(STDOUT_FILENO);
                          damage.apply(STDERR_FILENO);
                        }),
                without_results);
    }
  }
}

/// A closed descriptor is not reused for a file: the file would then hold what is said as well.
TEST_F(StandardStreams, NoFileTakesTheirPlace) {
  const std::string trace = (child_.folder() / "trace.csv").string();
  const std::vector<std::string> words{"run", "ring:5", "broadcast", "--trace", trace};
  ASSERT_EQ(exit_of(words), 0);
  const std::string whole = child_.content("trace.csv");
  ASSERT_THAT(whole, HasSubstr("\n0,"));
  std::vector<std::string> silent = words;
  silent.insert(silent.end(), {"--output", (child_.folder() / "result").string()});
  EXPECT_EQ(exit_of(silent,
                    [] {
                      for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
                        close_stream(stream);
                    }),
            0);
  EXPECT_EQ(child_.content("trace.csv"), whole);
  EXPECT_NE(exit_of({"run", "ring:5", "broadcast", "--output", "/dev/stdout"},
                    [] { close_stream(STDOUT_FILENO); }),
            0);
}

/// In steps, in set-up that knows no step at which it could stop, in a search, between rows.
[[nodiscard]] std::vector<std::vector<std::string>> long_commands() {
  return {{"run", "star:8", "total-exchange", "--k", "1", "--bytes", "1KiB"},
          {"show", "cayley:(1 2);(1 2 3 4 5 6 7 8 9)", "--format", "json"},
          {"table", "search", "star:9", "total"},
          {"sweep", "star:4", "star:8", "total-exchange", "--k", "1"}};
}

TEST(StandardStreamsTest, ChangeNothingWhenInterrupted) {
  struct Case {
    std::vector<std::string> words;
    Damage damage;
    std::vector<int> streams;
    std::unique_ptr<test::ChildProgram> child = std::make_unique<test::ChildProgram>();
  };
  for (const auto& words : long_commands()) {
    std::vector<Case> cases;
    for (const Damage& damage : damages)
      for (const auto& streams : {std::vector{STDERR_FILENO}, std::vector{STDOUT_FILENO},
                                  std::vector{STDOUT_FILENO, STDERR_FILENO}})
        cases.push_back({words, damage, streams});
    for (Case& one : cases)
      one.child->start(one.words, [&one] {
        for (const int stream : one.streams) one.damage.apply(stream);
      });
    for (Case& one : cases) {
      one.child->wait_until_ready();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      one.child->interrupt();
    }
    for (Case& one : cases) {
      SCOPED_TRACE(testing::PrintToString(one.words) + ", " + one.damage.name + ", streams " +
                   testing::PrintToString(one.streams));
      const int exit = one.child->exit_code();
      // The output so far may be a result, which a damaged stdout loses.
      if (one.streams.front() == STDERR_FILENO)
        EXPECT_EQ(exit, 130);
      else
        EXPECT_THAT(exit, AnyOf(130, 4));
    }
  }
}

}  // namespace
}  // namespace lockstep
