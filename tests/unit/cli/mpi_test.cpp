// SPDX-License-Identifier: Apache-2.0

/// `mpirun -n P lockstep run ..` is the run of one process: the same JSON apart from times, memory
/// and what says how it was run; one report, one error line, one exit code. A process or launcher
/// that dies ends all.

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX signals
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>

#include "support/launched_runs.hpp"
#include "support/program.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using test::EndedMpi;
using test::facts_of;
using test::file_text;
using test::Json;
using test::LaunchedRun;
using test::Mpi;
using testing::HasSubstr;

TEST_F(Mpi, TheSameRun) {
  for (const char* const words :
       {"run star:5 total-exchange --k 2 --format json",
        "run torus:6x6 all-gather --port-model all-port --format json",
        "run ej:2+3^2 broadcast --format json", "run fat-tree:2^3 all-gather --format json",
        "run hypercube:5 reduce --parts 4 --format json"}) {
    const Json alone = facts_of(run("", words).out);
    for (const int count : {2, 3, 4, 7}) {
      SCOPED_TRACE(fmt::format("{} processes: {}", count, words));
      const LaunchedRun shared = run(fmt::format("mpirun -n {}", count), words);
      ASSERT_EQ(shared.exit_code, 0) << shared.err;
      EXPECT_EQ(facts_of(shared.out), alone);
      const Json json = Json::parse(shared.out);
      EXPECT_EQ(json["processes"], count);
      EXPECT_GT(json["crossing"]["messages"], 0);
    }
  }
}

TEST_F(Mpi, TheSameSeriesOfRuns) {
  for (const char* const words :
       {"sweep star:3..4 total-exchange --k all --bytes 8,64 --format json",
        "compare hypercube:3 all-reduce --format json"}) {
    SCOPED_TRACE(words);
    const LaunchedRun shared = run("mpirun -n 3", words);
    ASSERT_EQ(shared.exit_code, 0) << shared.err;
    EXPECT_EQ(facts_of(shared.out), facts_of(run("", words).out));
    const Json result = Json::parse(shared.out);
    for (const Json& row : result["rows"])
      if (row["status"] == "ok") {
        EXPECT_EQ(row["processes"], 3) << row;
      }
  }
}

/// The first process alone knows which rows are in the file.
TEST_F(Mpi, ASweepIsResumed) {
  const std::string words =
      "sweep star:4 total-exchange --k all --format csv --quiet --output rows.csv";
  ASSERT_EQ(run("mpirun -n 2", words).exit_code, 0);
  const std::string rows = file_text(folder() / "rows.csv");
  const std::size_t last = rows.rfind('\n', rows.size() - 2) + 1;
  std::ofstream(folder() / "rows.csv") << rows.substr(0, last);
  const LaunchedRun resumed = run("mpirun -n 2", words + " --resume");
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  const std::string again = file_text(folder() / "rows.csv");
  EXPECT_EQ(again.substr(0, last), rows.substr(0, last));
  EXPECT_EQ(std::ranges::count(again, '\n'), std::ranges::count(rows, '\n'));
}

TEST_F(Mpi, RandomRunsAreAsPredicted) {
  for (const int count : {2, 3, 7}) {
    const LaunchedRun stress = run(fmt::format("mpirun -n {}", count),
                                   fmt::format("stress --cases {} --seed {}", 90 / count, count));
    EXPECT_EQ(stress.exit_code, 0) << stress.out << stress.err;
    EXPECT_THAT(stress.out, HasSubstr("every run, fault and violation is as predicted"));
  }
}

TEST_F(Mpi, ATraceHasATrackPerProcess) {
  ASSERT_EQ(run("mpirun -n 2", "run star:4 total-exchange --trace trace.json").exit_code, 0);
  std::set<std::string> tracks;
  std::set<int> working;
  const Json trace = Json::parse(file_text(folder() / "trace.json"));
  for (const Json& event : trace["traceEvents"]) {
    if (event["name"] == "process_name") tracks.insert(event["args"]["name"]);
    if (event["ph"] == "X") working.insert(event["pid"].get<int>());
  }
  EXPECT_THAT(tracks, testing::ElementsAre("process 0", "process 1"));
  EXPECT_THAT(working, testing::ElementsAre(1, 2));
}

/// The bytes that come through a pipe with a name, from a reader who comes late.
[[nodiscard]] std::string read_late(const fs::path& pipe) {
  std::this_thread::sleep_for(std::chrono::seconds(4));
  const int file = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);  // waits for no writer
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  std::string text;
  for (bool ends = false; !ends && std::chrono::steady_clock::now() < latest;) {
    char bytes[4096];
    const ssize_t count = ::read(file, bytes, sizeof bytes);
    if (count > 0) text.append(bytes, static_cast<std::size_t>(count));
    ends = count == 0 && !text.empty();
    if (count <= 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  (void)::close(file);
  return text;
}

/// A run that breaks rules has its report, however long that takes to write.
TEST_F(Mpi, AFailedRunIsReportedToASlowReader) {
  const fs::path pipe = folder() / "result";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string seen;
  std::jthread reader([&] { seen = read_late(pipe); });
  const LaunchedRun failed =
      run("mpirun -n 2",
          "run star:4 total-exchange --algorithm packing --port-model all-port-half-duplex "
          "--output result");
  reader.join();
  EXPECT_EQ(failed.exit_code, 3) << failed.err;
  EXPECT_THAT(seen, HasSubstr("RULE VIOLATED"));
}

/// Processes have other files, or other options.
TEST_F(Mpi, DifferentRunsAreRefused) {
  const std::string program = test::program_path();
  const LaunchedRun other = run("mpirun -n 1", "run ring:9 all-gather : -n 1 " + program +
                                                   " run ring:9 all-gather --bytes 8");
  EXPECT_EQ(other.exit_code, 2) << other.err;
  EXPECT_THAT(other.err, HasSubstr("the processes prepared different runs"));
  fs::create_directories(folder() / "one");
  std::ofstream(folder() / "net.txt") << "0 1\n1 2\n2 3\n3 0\n0 2\n";
  std::ofstream(folder() / "one" / "net.txt") << "0 1\n1 2\n2 3\n3 0\n1 3\n";
  const LaunchedRun files =
      run("mpirun -n 1", "run file:net.txt broadcast : -n 1 --wdir " + (folder() / "one").string() +
                             " " + program + " run file:net.txt broadcast");
  EXPECT_EQ(files.exit_code, 2) << files.err;
  EXPECT_THAT(files.err, HasSubstr("the processes prepared different runs"));
}

/// One process cannot do what the others can.
TEST_F(Mpi, AProblemOfOneProcessIsThatOfAll) {
  const std::string program = test::program_path();
  const std::string words = "run star:4 total-exchange";
  const LaunchedRun memory =
      run("mpirun -n 1", words + " : -n 1 " + program + " " + words + " --memory-limit 1");
  EXPECT_EQ(memory.exit_code, 4) << memory.err;
  EXPECT_THAT(memory.err, HasSubstr("(in process 1)"));
  const LaunchedRun unknown =
      run("mpirun -n 1", words + " : -n 1 " + program + " run star:4 unknown");
  EXPECT_EQ(unknown.exit_code, 2) << unknown.err;
  EXPECT_THAT(unknown.err, HasSubstr("lockstep: process 1: unknown operation"));
}

TEST_F(Mpi, TheFirstProcessWritesFiles) {
  const std::string words =
      "run star:4 total-exchange --quiet --trace trace.csv --save-schedule schedule.txt";
  ASSERT_EQ(run("", words).exit_code, 0);
  const std::string trace = file_text(folder() / "trace.csv");
  const std::string schedule = file_text(folder() / "schedule.txt");
  ASSERT_EQ(run("mpirun -n 3", words).exit_code, 0);
  EXPECT_EQ(file_text(folder() / "trace.csv"), trace);
  EXPECT_EQ(file_text(folder() / "schedule.txt"), schedule);
}

TEST_F(Mpi, BadRequestsAreRefusedOnce) {
  const auto lines_of_lockstep = [](const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = text.find("lockstep: "); at != std::string::npos;
         at = text.find("lockstep: ", at + 1))
      ++count;
    return count;
  };
  const LaunchedRun unknown = run("mpirun -n 2", "run star:99 total-exchange");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_EQ(lines_of_lockstep(unknown.err), 1U) << unknown.err;
  const LaunchedRun too_many = run("mpirun -n 3", "run linear:2 broadcast");
  EXPECT_EQ(too_many.exit_code, 2);
  EXPECT_THAT(too_many.err, HasSubstr("processes: 3 for 2 nodes; allowed: one per node at most"));
  const LaunchedRun tune = run("mpirun -n 2", "tune star:4 total-exchange");
  EXPECT_EQ(tune.exit_code, 2);
  EXPECT_THAT(tune.err, HasSubstr("only run, sweep, compare, stress are shared by processes"));
}

TEST_F(EndedMpi, ByTheEndOfAProcess) {
  start();
  ASSERT_EQ(::kill(process(1), SIGKILL), 0);
  ASSERT_TRUE(becomes([&] { return has_ended(); }));
  EXPECT_NE(status(), 0);
  expect_no_orphans();
}

TEST_F(EndedMpi, ByAProcessThatIsStopped) {
  for (const int stopped : {1, 0}) expect_end_by_stopping(stopped);
}

TEST_F(EndedMpi, ByTheEndOfTheLauncher) {
  start();
  ASSERT_EQ(::kill(launcher(), SIGKILL), 0);
  ASSERT_TRUE(becomes([&] { return has_ended(); }));
  expect_no_orphans();
}

}  // namespace
}  // namespace lockstep
