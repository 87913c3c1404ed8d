// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The program `lockstep` as a process of its own, which a test interrupts.
///
///     ChildProgram child;
///     child.start({"run", "star:8", "total-exchange"});
///     child.wait_until_ready();
///     child.interrupt();
///     EXPECT_EQ(child.exit_code(), 130);

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "support/program.hpp"

namespace lockstep::test {

class ChildProgram {
 public:
  ChildProgram() { std::filesystem::create_directories(folder_); }
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;
  ~ChildProgram() {
    if (child_ > 0) (void)::kill(child_, SIGKILL);
    std::filesystem::remove_all(folder_);
  }

  /// The folder of files that the test names.
  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }

  /// Its output goes to the files "out" and "err". `prepare`: what the new process does before it
  /// becomes the program.
  void start(std::vector<std::string> words, const std::function<void()>& prepare = {}) {
    words.insert(words.begin(), program_path());
    child_ = ::fork();
    if (child_ == 0) {
      (void)::signal(SIGINT, SIG_DFL);
      redirect("out", STDOUT_FILENO);
      redirect("err", STDERR_FILENO);
      std::vector<char*> arguments;
      for (std::string& word : words) arguments.push_back(word.data());
      arguments.push_back(nullptr);
      if (prepare) prepare();
      (void)::execv(arguments.front(), arguments.data());
      ::_exit(99);
    }
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

  void interrupt(int signal = SIGINT) const { ASSERT_EQ(::kill(child_, signal), 0); }

  /// Empty where the program has not ended then: it is killed.
  [[nodiscard]] std::optional<int> exit_code_within(std::chrono::milliseconds time) {
    const auto latest = std::chrono::steady_clock::now() + time;
    siginfo_t ended{};
    while (::waitid(P_PID, static_cast<id_t>(child_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == 0) {
      if (std::chrono::steady_clock::now() > latest) {
        (void)::kill(child_, SIGKILL);
        (void)exit_code();
        return std::nullopt;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return exit_code();
  }

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

 private:
  void redirect(const std::string& name, int to) const {
    const int file = ::open((folder_ / name).c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
    (void)::dup2(file, to);
  }

  template <class... Signals>
  [[nodiscard]] static std::uint64_t bits_of(Signals... signals) {
    return ((std::uint64_t{1} << (signals - 1)) | ...);
  }

  [[nodiscard]] static int next_number() {
    static int number = 0;
    return ++number;
  }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      ("child_" + std::to_string(getpid()) + "_" + std::to_string(next_number()));
  pid_t child_ = 0;
};

}  // namespace lockstep::test
