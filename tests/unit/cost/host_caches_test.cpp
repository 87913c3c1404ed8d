// SPDX-License-Identifier: Apache-2.0
#include "cost/host_caches.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace lockstep {
namespace {

TEST(HostCaches, AreThoseThatTheKernelShows) {
  namespace fs = std::filesystem;
  const fs::path cpus = fs::path(testing::TempDir()) / "host_caches_test_cpus";
  const auto write = [&](unsigned cpu, unsigned index, const char* level, const char* size,
                         const char* shared) {
    const fs::path cache =
        cpus / ("cpu" + std::to_string(cpu)) / "cache" / ("index" + std::to_string(index));
    fs::create_directories(cache);
    std::ofstream(cache / "level") << level << '\n';
    std::ofstream(cache / "size") << size << '\n';
    std::ofstream(cache / "shared_cpu_list") << shared << '\n';
  };
  fs::remove_all(cpus);
  const HostCaches typical = host_caches(cpus);
  EXPECT_GT(typical.l2_bytes, 0U);
  EXPECT_GT(typical.l3_bytes, typical.l2_bytes);
  for (unsigned cpu = 0; cpu < 4; ++cpu) {
    write(cpu, 0, "1", "32K", "0");
    write(cpu, 1, "2", "512K", "0");
    write(cpu, 2, "3", "16384K", cpu < 2 ? "0-1" : "2-3");
  }
  EXPECT_EQ(host_caches(cpus), (HostCaches{512U << 10U, 32U << 20U}));  // two caches of level 3
  fs::remove_all(cpus);
}

}  // namespace
}  // namespace lockstep
