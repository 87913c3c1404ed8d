// SPDX-License-Identifier: Apache-2.0
#include "core/usable_cores.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "core/control_groups.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

/// A host whose files of control groups a test writes.
class FakeHost {
 public:
  FakeHost() { write("proc/self/cgroup", ""); }
  FakeHost(const FakeHost&) = delete;
  FakeHost& operator=(const FakeHost&) = delete;
  ~FakeHost() { fs::remove_all(root_); }

  void write(const std::string& name, const std::string& text) const {
    const fs::path file = fs::path(root_) / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  [[nodiscard]] const std::string& root() const noexcept { return root_; }

 private:
  [[nodiscard]] static int next_number() {
    static int number = 0;
    return ++number;
  }

  std::string root_ = testing::TempDir() + "fake_host_" + std::to_string(::getpid()) + "_" +
                      std::to_string(next_number());
};

/// The tests below need a mask of several cores; with one, quotas change nothing.
[[nodiscard]] std::size_t limited(std::size_t quota) {
  static const FakeHost none;
  return std::min(quota, usable_cores(none.root()));
}

TEST(ControlGroupsTest, AreThoseOfTheProcessAndAbove) {
  const FakeHost host;
  host.write("proc/self/cgroup", "4:cpu,cpuacct:/a/b\n5:memory:/c\n0::/d/e\nnonsense\n");
  const std::string mount = host.root() + "/sys/fs/cgroup";
  EXPECT_THAT(folders_of_control_groups("cpu", host.root()),
              ElementsAre(mount + "/cpu,cpuacct/a/b", mount + "/cpu/a/b", mount + "/cpu,cpuacct/a",
                          mount + "/cpu/a", mount + "/cpu,cpuacct", mount + "/cpu", mount + "/d/e",
                          mount + "/d", mount));
  EXPECT_THAT(
      folders_of_control_groups("memory", host.root()),
      ElementsAre(mount + "/memory/c", mount + "/memory", mount + "/d/e", mount + "/d", mount));
}

TEST(UsableCoresTest, FollowQuotasOfVersion2) {
  const FakeHost host;
  host.write("proc/self/cgroup", "0::/outer/inner\n");
  const std::size_t all = usable_cores(host.root());
  EXPECT_GE(all, 1U);
  host.write("sys/fs/cgroup/outer/inner/cpu.max", "max 100000\n");
  EXPECT_EQ(usable_cores(host.root()), all);
  host.write("sys/fs/cgroup/outer/inner/cpu.max", "50000 100000\n");
  EXPECT_EQ(usable_cores(host.root()), 1U);
  host.write("sys/fs/cgroup/outer/inner/cpu.max", "100001 100000\n");  // rounded up
  EXPECT_EQ(usable_cores(host.root()), limited(2));
  host.write("sys/fs/cgroup/outer/inner/cpu.max", "6400000 100000\n");
  EXPECT_EQ(usable_cores(host.root()), limited(64));
  host.write("sys/fs/cgroup/outer/cpu.max", "100000 100000\n");  // the narrowest holds
  EXPECT_EQ(usable_cores(host.root()), 1U);
}

TEST(UsableCoresTest, FollowQuotasOfVersion1) {
  const FakeHost host;
  host.write("proc/self/cgroup", "3:cpu,cpuacct:/docker/1\n");
  const std::size_t all = usable_cores(host.root());
  // As containers see it: the own group is mounted as the root.
  host.write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  host.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(usable_cores(host.root()), all);
  host.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "90000\n");
  EXPECT_EQ(usable_cores(host.root()), 1U);
}

TEST(UsableCoresTest, IgnoreFilesThatSayNothing) {
  const FakeHost host;
  host.write("proc/self/cgroup", "0::/\n");
  const std::size_t all = usable_cores(host.root());
  for (const std::string text : {"", "0 100000", "100000", "100000 0", "-5 100000", "many few"}) {
    host.write("sys/fs/cgroup/cpu.max", text);
    EXPECT_EQ(usable_cores(host.root()), all) << text;
  }
}

TEST(UsableCoresTest, FollowTheAffinityMask) {
  const FakeHost host;
  std::thread([&host] {  // a thread has a mask of its own
    cpu_set_t mask;
    CPU_ZERO(&mask);
    ASSERT_EQ(::sched_getaffinity(0, sizeof mask, &mask), 0);
    EXPECT_EQ(usable_cores(host.root()), static_cast<std::size_t>(CPU_COUNT(&mask)));
    std::size_t first = 0;
    while (CPU_ISSET(first, &mask) == 0) ++first;
    CPU_ZERO(&mask);
    CPU_SET(first, &mask);
    ASSERT_EQ(::sched_setaffinity(0, sizeof mask, &mask), 0);
    EXPECT_EQ(usable_cores(host.root()), 1U);
  })
      .join();
}

}  // namespace
}  // namespace lockstep
