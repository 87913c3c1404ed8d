// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The caches of this host.

#include <cstdint>
#include <filesystem>

namespace lockstep {

/// In bytes.
struct HostCaches {
  std::uint64_t l2_bytes = 0;  ///< of one core
  std::uint64_t l3_bytes = 0;  ///< of all caches of level 3 that cores of this host use
  friend bool operator==(const HostCaches&, const HostCaches&) = default;
};
/// From the kernel's files; typical sizes where there are none. Not from sysconf, which reports the
/// level 3 of a whole socket to a virtual machine that has one part of it.
[[nodiscard]] HostCaches host_caches(const std::filesystem::path& cpus = "/sys/devices/system/cpu");

}  // namespace lockstep
