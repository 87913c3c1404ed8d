// SPDX-License-Identifier: Apache-2.0
#include "catalog/memory.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/control_groups.hpp"

namespace lockstep::catalog {
namespace {

/// The number in a file that holds one; empty for "max" and where there is no such file.
[[nodiscard]] std::optional<std::uint64_t> number_in_file(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

/// The number behind `key` in a file of "key number" lines.
[[nodiscard]] std::optional<std::uint64_t> number_after(const std::string& path,
                                                        const std::string& key) {
  std::ifstream file(path);
  std::string word;
  while (file >> word) {
    std::uint64_t number = 0;
    if (word == key && file >> number) return number;
  }
  return std::nullopt;
}

[[nodiscard]] std::uint64_t left_of(std::uint64_t limit, std::optional<std::uint64_t> used,
                                    std::uint64_t reclaimable) {
  const std::uint64_t held = used.value_or(0);
  const std::uint64_t kept = held - std::min(held, reclaimable);
  return limit - std::min(limit, kept);
}

/// The least of this process's control groups. File pages are given back before a limit is felt.
[[nodiscard]] std::uint64_t left_in_groups() {
  struct Names {
    const char* limit;
    const char* used;
    const char* pages;
  };
  constexpr std::array<Names, 2> versions{
      {{"/memory.max", "/memory.current", "inactive_file"},
       {"/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_inactive_file"}}};
  // Version 1 writes the largest multiple of a page below 2^63 where there is no limit.
  constexpr std::uint64_t no_limit = std::uint64_t{1} << 62U;
  static const std::vector<std::string> folders = folders_of_control_groups("memory");
  std::uint64_t least = unknown_bytes;
  for (const std::string& folder : folders)
    for (const Names& names : versions) {
      const auto limit = number_in_file(folder + names.limit);
      if (!limit || *limit >= no_limit) continue;  // statistics take the kernel long to write
      const auto pages = number_after(folder + "/memory.stat", names.pages);
      least =
          std::min(least, left_of(*limit, number_in_file(folder + names.used), pages.value_or(0)));
    }
  return least;
}

/// A figure of this process. Unlike getrusage(2), it does not include a program that ran in the
/// process before.
[[nodiscard]] std::optional<std::uint64_t> status_bytes(const std::string& key) {
  constexpr std::uint64_t kilobyte = 1024;
  const auto number = number_after("/proc/self/status", key);
  return number ? std::optional(*number * kilobyte) : std::nullopt;
}
[[nodiscard]] std::optional<std::uint64_t> most_held() { return status_bytes("VmHWM:"); }

[[nodiscard]] std::uint64_t left_of_address_space() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unknown_bytes;
  return left_of(limit.rlim_cur, status_bytes("VmSize:"), 0);
}

[[nodiscard]] std::uint64_t read_available_bytes() {
  constexpr std::uint64_t kilobyte = 1024;
  const auto free = number_after("/proc/meminfo", "MemAvailable:");
  return std::min(
      {free ? *free * kilobyte : unknown_bytes, left_in_groups(), left_of_address_space()});
}

}  // namespace

std::uint64_t available_bytes() {
  // Rankings ask thousands of times per second; a reading takes the kernel 0.2 ms.
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds holds{10};
  thread_local std::optional<Clock::time_point> read_at;
  thread_local std::uint64_t reading = 0;
  if (const Clock::time_point now = Clock::now(); !read_at || now - *read_at > holds) {
    reading = read_available_bytes();
    read_at = now;
  }
  return reading;
}

std::uint64_t available_bytes(std::uint64_t limit) {
  return limit == 0 ? available_bytes() : std::min(limit, available_bytes());
}

std::uint64_t available_bytes(const RunRequest& request) {
  if (request.available_bytes == 0) return available_bytes(request.memory_limit);
  return request.memory_limit == 0 ? request.available_bytes
                                   : std::min(request.memory_limit, request.available_bytes);
}

std::uint64_t held_bytes() { return status_bytes("VmRSS:").value_or(0); }

PeakMemory::PeakMemory() {
  constexpr std::string_view forget_peak = "5";  // proc(5)
  std::ofstream("/proc/self/clear_refs") << forget_peak << std::flush;
  before_ = most_held();
  if (before_ <= held_bytes()) before_ = 0;
}

std::optional<std::uint64_t> PeakMemory::bytes() const {
  const std::optional<std::uint64_t> most = most_held();
  return before_ && most > before_ ? most : std::nullopt;
}

}  // namespace lockstep::catalog
