// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How much memory a run will take, how much the host has, how much the process took.

#include <cstdint>
#include <limits>
#include <optional>

#include "lockstep/catalog/catalog.hpp"

namespace lockstep::catalog {

inline constexpr std::uint64_t unknown_bytes = std::numeric_limits<std::uint64_t>::max();

/// Bytes this process may still take: what the kernel calls available, less where its control group
/// or its address space is limited; unknown_bytes where nothing is known.
[[nodiscard]] std::uint64_t available_bytes();
/// The same where `limit` bytes are allowed; 0: any number.
[[nodiscard]] std::uint64_t available_bytes(std::uint64_t limit);
/// The same of a request, which may say what its processes have.
[[nodiscard]] std::uint64_t available_bytes(const RunRequest& request);

/// Bytes of memory that this process has used and not given back; 0 where it is not known.
[[nodiscard]] std::uint64_t held_bytes();

/// The most memory that the process holds from here on. (Linux: what an earlier program held in
/// the same process does not count, nor what was held before where the kernel lets it be
/// forgotten.)
///
///     const PeakMemory peak;
///     run();
///     peak.bytes();
class PeakMemory {
 public:
  PeakMemory();
  /// Nothing where it is not known: more was held before, and could not be forgotten.
  [[nodiscard]] std::optional<std::uint64_t> bytes() const;

 private:
  std::optional<std::uint64_t> before_;
};

}  // namespace lockstep::catalog
