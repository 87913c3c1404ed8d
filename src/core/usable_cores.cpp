// SPDX-License-Identifier: Apache-2.0
#include "core/usable_cores.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <memory>
#include <optional>
#include <thread>

#include "core/control_groups.hpp"

namespace lockstep {
namespace {

/// The kernel refuses a mask that is smaller than its own.
[[nodiscard]] std::size_t cores_of_affinity() {
  constexpr std::size_t most = std::size_t{1} << 20U;
  for (std::size_t cores = 1024; cores <= most; cores *= 2) {
    const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> mask(
        CPU_ALLOC(cores), [](cpu_set_t* set) { CPU_FREE(set); });
    if (mask == nullptr) break;
    const std::size_t bytes = CPU_ALLOC_SIZE(cores);
    if (::sched_getaffinity(0, bytes, mask.get()) == 0)
      return static_cast<std::size_t>(CPU_COUNT_S(bytes, mask.get()));
    if (errno != EINVAL) break;
  }
  return std::thread::hardware_concurrency();
}

/// Cores that a group may use on average. Version 2: "150000 100000" or "max 100000", microseconds
/// of CPU time per period; version 1: a file for each, -1 without a limit.
[[nodiscard]] std::optional<double> quota_in(const std::string& folder) {
  double quota = 0;
  double period = 0;
  if (std::ifstream(folder + "/cpu.max") >> quota >> period && quota > 0 && period > 0)
    return quota / period;
  if (std::ifstream(folder + "/cpu.cfs_quota_us") >> quota &&
      std::ifstream(folder + "/cpu.cfs_period_us") >> period && quota > 0 && period > 0)
    return quota / period;
  return std::nullopt;
}

}  // namespace

std::size_t usable_cores(const std::string& root) {
  auto cores = static_cast<double>(cores_of_affinity());
  for (const std::string& folder : folders_of_control_groups("cpu", root))
    if (const auto quota = quota_in(folder)) cores = std::min(cores, std::ceil(*quota));
  return std::max<std::size_t>(1, static_cast<std::size_t>(cores));
}

}  // namespace lockstep
