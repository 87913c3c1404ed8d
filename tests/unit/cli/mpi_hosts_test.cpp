// SPDX-License-Identifier: Apache-2.0

/// Processes on several hosts, which share no memory: the same run, and an end for all if one of
/// them is stopped or dies. The hosts are namespaces of this one, with their own names and shared
/// memory; between them MPI takes the network.

#include <gtest/gtest.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX signals

#include <filesystem>
#include <fstream>
#include <string>

#include "support/launched_runs.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using test::facts_of;
using test::LaunchedRun;

/// Processes 0 and 1 are on host `one`, process 2 is on host `two`.
class MpiHosts : public test::EndedMpi {
 protected:
  void SetUp() override {
    EndedMpi::SetUp();
    if (IsSkipped()) return;
    fs::create_directories(settings_);
    std::ofstream(settings_ / "agent")
        << "#!/bin/sh\n"
           "while [ \"${1#-}\" != \"$1\" ]; do shift; done\n"
           "host=$1\n"
           "shift\n"
           "exec unshare --uts --ipc --mount sh -c \"hostname $host; "
           "mount -t tmpfs none /dev/shm; $*\"\n";
    fs::permissions(settings_ / "agent", fs::perms::owner_all);
    std::ofstream(settings_ / "open-mpi-hosts") << "one slots=2\ntwo slots=2\n";
    std::ofstream(settings_ / "mpich-hosts") << "one:2\ntwo:2\n";
    is_ready_ = true;
    const LaunchedRun names = run("timeout 30 mpirun -n 3 sh -c hostname", "");
    if (names.out.find("one\n") == std::string::npos ||
        names.out.find("two\n") == std::string::npos)
      GTEST_SKIP() << "this host forbids namespaces: " << names.err;
  }
  void TearDown() override {
    EndedMpi::TearDown();
    fs::remove_all(settings_);
  }
  [[nodiscard]] std::string environment() const override {
    if (!is_ready_) return EndedMpi::environment();
    const std::string folder = settings_.string();
    return EndedMpi::environment() + " OMPI_MCA_plm_rsh_agent=" + folder +
           "/agent OMPI_MCA_orte_default_hostfile=" + folder +
           "/open-mpi-hosts HYDRA_LAUNCHER=ssh HYDRA_LAUNCHER_EXEC=" + folder +
           "/agent HYDRA_HOST_FILE=" + folder + "/mpich-hosts";
  }

 private:
  fs::path settings_ = folder().string() + "-hosts";
  bool is_ready_ = false;
};

TEST_F(MpiHosts, TheSameRun) {
  for (const char* const words :
       {"run star:5 total-exchange --k 2 --format json", "run ej:2+3^2 broadcast --format json"}) {
    SCOPED_TRACE(words);
    const LaunchedRun shared = run("mpirun -n 3", words);
    ASSERT_EQ(shared.exit_code, 0) << shared.err;
    EXPECT_EQ(facts_of(shared.out), facts_of(run("", words).out));
  }
}

TEST_F(MpiHosts, AProcessThatIsStoppedEndsAll) {
  for (const int stopped : {2, 0}) expect_end_by_stopping(stopped);
}

TEST_F(MpiHosts, AProcessThatDiesEndsAll) {
  start();
  ASSERT_EQ(::kill(process(2), SIGKILL), 0);
  ASSERT_TRUE(becomes([&] { return has_ended(); }));
  EXPECT_NE(status(), 0);
  expect_no_orphans();
}

}  // namespace
}  // namespace lockstep
