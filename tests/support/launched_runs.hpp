// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Runs of the program under an MPI launcher: their output, their facts, and runs that something
/// ends from outside.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX signals
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>

#include "cli/mpi_processes.hpp"
#include "support/program.hpp"

namespace lockstep::test {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct LaunchedRun {
  int exit_code = 0;
  std::string out;
  std::string err;
};

[[nodiscard]] inline std::string file_text(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class Mpi : public testing::Test {
 protected:
  void SetUp() override {
    if (cli::mpi_of_build() == "no MPI") GTEST_SKIP() << "built without MPI";
    fs::create_directories(folder_);
    if (run("timeout 30 mpirun -n 2 true", "").exit_code != 0)  // some hosts forbid what it needs
      GTEST_SKIP() << "mpirun starts no processes on this host";
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// `launcher`: empty for one process without a launcher.
  [[nodiscard]] LaunchedRun run(const std::string& launcher, const std::string& words) const {
    const std::string command =
        fmt::format("cd {} && {} {} {} {} >out 2>err </dev/null", folder_.string(), environment(),
                    launcher, program_path(), words);
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), file_text(folder_ / "out"), file_text(folder_ / "err")};
  }

  /// Settings that Open MPI needs in a container, and with more processes than cores.
  [[nodiscard]] virtual std::string environment() const {
    return "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
           "OMPI_MCA_rmaps_base_oversubscribe=1";
  }
  [[nodiscard]] const fs::path& folder() const noexcept { return folder_; }

 private:
  fs::path folder_ = fs::temp_directory_path() / fmt::format("lockstep-mpi-{}", ::getpid());
};

/// The facts of runs, without what differs from run to run: times, memory, and how they were run.
[[nodiscard]] inline Json facts_of(const Json& json) {
  if (!json.is_structured()) return json;
  if (json.is_array()) {
    Json facts = Json::array();
    for (const Json& one : json) facts.push_back(facts_of(one));
    return facts;
  }
  Json facts;
  for (const auto& [name, value] : json.items()) {
    constexpr const char* differing[] = {"command",   "host",     "threads", "wall",
                                         "processes", "crossing", "memory",  "workers_per_step"};
    constexpr const char* parts[] = {"per_second", "wall_", "step_seconds", "memory_", "crossing"};
    const bool differs = std::ranges::count(differing, name) != 0 ||
                         std::ranges::any_of(parts, [&name = name](const char* part) {
                           return name.find(part) != std::string::npos;
                         });
    if (!differs) facts[name] = facts_of(value);
  }
  return facts;
}
[[nodiscard]] inline Json facts_of(const std::string& text) { return facts_of(Json::parse(text)); }

/// A run that takes minutes, which something ends from outside.
class EndedMpi : public Mpi {
 protected:
  /// An idle host takes less than 10 s.
  static constexpr std::chrono::seconds patience{25};

  /// Each process leaves its number in a file before it becomes the program.
  void start() {
    const std::string command = fmt::format(
        "cd {} && {} exec mpirun -n 3 sh -c "
        "'rank=${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}} && echo $$ >started.$rank && "
        "mv started.$rank rank.$rank && exec {} run star:9 total-exchange --k 4' >out 2>err "
        "</dev/null",
        folder().string(), environment(), program_path());
    ended_ = false;
    launcher_ = ::fork();
    if (launcher_ == 0) {
      (void)::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      std::_Exit(127);
    }
    for (int rank = 0; rank < 3; ++rank)
      ASSERT_TRUE(becomes([&] { return fs::exists(folder() / fmt::format("rank.{}", rank)); }));
    std::this_thread::sleep_for(std::chrono::seconds(1));  // they connect, or plan the run
    ASSERT_FALSE(has_ended()) << file_text(folder() / "err");
  }
  void TearDown() override {
    if (launcher_ > 0 && !has_ended()) (void)::kill(launcher_, SIGTERM);
    Mpi::TearDown();
  }

  [[nodiscard]] pid_t process(int rank) const {
    return std::stoi(file_text(folder() / fmt::format("rank.{}", rank)));
  }
  [[nodiscard]] pid_t launcher() const noexcept { return launcher_; }
  [[nodiscard]] bool has_ended() {
    return ended_ || (ended_ = ::waitpid(launcher_, &status_, WNOHANG) == launcher_);
  }
  [[nodiscard]] int status() const noexcept { return status_; }

  template <class Condition>
  [[nodiscard]] static bool becomes(const Condition& condition) {
    const auto latest = std::chrono::steady_clock::now() + patience;
    while (!condition()) {
      if (std::chrono::steady_clock::now() > latest) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return true;
  }
  void expect_no_orphans() const {
    for (int rank = 0; rank < 3; ++rank)
      EXPECT_TRUE(becomes([&] { return ::kill(process(rank), 0) != 0; })) << rank;
  }
  /// A whole run: all processes end with one line that names the stopped one.
  void expect_end_by_stopping(int stopped) {
    SCOPED_TRACE(stopped);
    start();
    ASSERT_EQ(::kill(process(stopped), SIGSTOP), 0);
    ASSERT_TRUE(becomes([&] { return has_ended(); }));
    EXPECT_NE(status(), 0);
    EXPECT_THAT(file_text(folder() / "err"),
                testing::HasSubstr(fmt::format("lockstep: process {} does not respond", stopped)));
    expect_no_orphans();
    fs::remove_all(folder());
    fs::create_directories(folder());
  }

 private:
  pid_t launcher_ = 0;
  bool ended_ = false;
  int status_ = 0;
};

}  // namespace lockstep::test
