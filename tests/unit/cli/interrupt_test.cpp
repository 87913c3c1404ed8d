// SPDX-License-Identifier: Apache-2.0

/// Ctrl-C, sent to the program itself.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "support/program.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class InterruptTest : public testing::Test {
 protected:
  InterruptTest()
      : folder_(fs::path(testing::TempDir()) / ("interrupt_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~InterruptTest() override {
    if (child_ > 0) (void)::kill(child_, SIGKILL);
    fs::remove_all(folder_);
  }

  /// A run of some minutes.
  void start(std::vector<std::string> more) {
    std::vector<std::string> words{"run",     "star:8", "total-exchange", "--k", "1",
                                   "--bytes", "1KiB"};
    words.insert(words.end(), more.begin(), more.end());
    start_command(std::move(words));
  }

  void start_command(std::vector<std::string> words) {
    words.insert(words.begin(), test::program_path());
    child_ = ::fork();
    if (child_ == 0) {
      (void)::signal(SIGINT, SIG_DFL);
      redirect("out", STDOUT_FILENO);
      redirect("err", STDERR_FILENO);
      std::vector<char*> arguments;
      for (std::string& word : words) arguments.push_back(word.data());
      arguments.push_back(nullptr);
      (void)::execv(arguments.front(), arguments.data());
      ::_exit(99);
    }
  }

  void redirect(const std::string& name, int to) const {
    const int file = ::open((folder_ / name).c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
    (void)::dup2(file, to);
  }

  template <class... Signals>
  [[nodiscard]] static std::uint64_t bits_of(Signals... signals) {
    return ((std::uint64_t{1} << (signals - 1)) | ...);
  }

  /// Until the program takes signals as requests: SIGINT is blocked in its main thread, but not
  /// every signal, as while a sanitizer starts.
  void wait_until_ready() const {
    for (int i = 0; i < 2'000; ++i) {
      std::ifstream status("/proc/" + std::to_string(child_) + "/status");
      for (std::string line; std::getline(status, line);)
        if (line.rfind("SigBlk:", 0) == 0 && (std::stoull(line.substr(7), nullptr, 16) &
                                              bits_of(SIGINT, SIGUSR1)) == bits_of(SIGINT))
          return;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    FAIL() << "the program does not take signals";
  }

  [[nodiscard]] static std::ptrdiff_t lines_of(const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  }
  void wait_for_lines(const std::string& name, std::ptrdiff_t count) const {
    for (int i = 0; i < 60'000 && lines_of(content(name)) < count; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ASSERT_GE(lines_of(content(name)), count);
  }

  void interrupt() const { ASSERT_EQ(::kill(child_, SIGINT), 0); }

  [[nodiscard]] int exit_code() {
    int status = 0;
    (void)::waitpid(child_, &status, 0);
    child_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  [[nodiscard]] std::string content(const std::string& name) const {
    std::ifstream file(folder_ / name);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

  fs::path folder_;
  pid_t child_ = 0;
};

TEST_F(InterruptTest, EndsAtAStepAndPrintsWhatWasDone) {
  start({});
  wait_until_ready();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  interrupt();
  EXPECT_EQ(exit_code(), 130);
  EXPECT_THAT(content("out"), HasSubstr("result       INTERRUPTED after step "));
  EXPECT_THAT(content("out"), HasSubstr(" of 280,944"));
  EXPECT_EQ(content("err"), "");
}

TEST_F(InterruptTest, BeforeTheFirstStepToo) {
  start({});
  wait_until_ready();
  interrupt();
  EXPECT_EQ(exit_code(), 130);
  EXPECT_THAT(content("out"), HasSubstr("INTERRUPTED"));
}

TEST_F(InterruptTest, ThePartialResultIsWrittenWhole) {
  start({"--output", (folder_ / "result.json").string(), "--format", "json"});
  wait_until_ready();
  interrupt();
  EXPECT_EQ(exit_code(), 130);
  EXPECT_EQ(content("out"), "");
  EXPECT_THAT(content("result.json"), HasSubstr("\"interrupted\": true"));
  EXPECT_THAT(content("result.json"), HasSubstr("\"ok\": false"));
}

/// What was tried tells nothing then: the time is that of typical rates.
TEST_F(InterruptTest, ADryRunSaysSo) {
  for (const std::string format : {"text", "json"}) {
    start_command({"run", "star:8", "total-exchange", "--k", "4,3,2", "--bytes", "8", "--dry-run",
                   "--format", format});
    wait_until_ready();
    interrupt();
    EXPECT_EQ(exit_code(), 130);
    EXPECT_THAT(content("out"),
                HasSubstr(format == "text" ? "result       INTERRUPTED" : "\"interrupted\": true"));
    EXPECT_THAT(content("out"),
                HasSubstr(format == "text" ? "from typical rates" : "\"measured\": false"));
  }
}

/// A sweep whose rows in the file count as done: --resume adds the others, each once.
TEST_F(InterruptTest, ASweepGoesOnWhereItEnded) {
  const std::string file = (folder_ / "grid.csv").string();
  const std::vector<std::string> sweep{
      "sweep",    "star:6", "total-exchange", "--k", "1", "--bytes", "1,2,3,4,5,6,7,8,9,10,11,12",
      "--format", "csv",    "--output",       file};
  start_command(sweep);
  wait_for_lines("grid.csv", 3);
  interrupt();
  EXPECT_EQ(exit_code(), 130);
  EXPECT_EQ(content("out"), "");
  EXPECT_EQ(content("err"), "lockstep: interrupted; the same command with --resume continues\n");
  const std::string before = content("grid.csv");
  ASSERT_GE(lines_of(before), 3);
  ASSERT_LT(lines_of(before), 13);

  std::vector<std::string> resumed = sweep;
  resumed.push_back("--resume");
  start_command(resumed);
  EXPECT_EQ(exit_code(), 0);
  EXPECT_EQ(content("err"), "");
  const std::string after = content("grid.csv");
  EXPECT_EQ(after.substr(0, before.size()), before);
  EXPECT_EQ(lines_of(after), 13);
  for (int bytes = 1; bytes <= 12; ++bytes)
    EXPECT_THAT(after,
                HasSubstr("\nstar:6,total-exchange,packing,1,1," + std::to_string(bytes) + ","));
}

TEST_F(InterruptTest, AnInterruptedSweepShowsItsRows) {
  start_command({"sweep", "star:4", "star:8", "total-exchange", "--k", "1", "--format", "json"});
  wait_until_ready();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  interrupt();
  EXPECT_EQ(exit_code(), 130);
  EXPECT_EQ(content("err"), "lockstep: interrupted\n");
  EXPECT_THAT(content("out"), HasSubstr("\"interrupted\": true"));
  EXPECT_THAT(content("out"), HasSubstr("\"ok\": false"));
}

TEST_F(InterruptTest, TheSecondOneEndsAtOnce) {
  start({});
  wait_until_ready();
  // Faster than a step can end, or the first one already has: either way it is over.
  interrupt();
  interrupt();
  EXPECT_EQ(exit_code(), 130);
}

}  // namespace
}  // namespace lockstep
