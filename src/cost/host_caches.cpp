// SPDX-License-Identifier: Apache-2.0
#include "cost/host_caches.hpp"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace lockstep {

HostCaches host_caches(const std::filesystem::path& cpus) {
  constexpr std::uint64_t typical_l2 = std::uint64_t{1} << 20U;
  constexpr std::uint64_t typical_l3 = std::uint64_t{32} << 20U;
  const auto line_in = [](const std::filesystem::path& file) {
    std::string line;
    std::ifstream stream(file);
    std::getline(stream, line);
    return line;
  };
  std::uint64_t l2 = 0;
  std::map<std::string, std::uint64_t> l3;  // by the cores that share it
  for (unsigned cpu = 0;; ++cpu) {
    const std::filesystem::path caches = cpus / fmt::format("cpu{}", cpu) / "cache";
    if (!std::filesystem::exists(caches)) break;
    for (unsigned index = 0;; ++index) {
      const std::filesystem::path cache = caches / fmt::format("index{}", index);
      const std::string level = line_in(cache / "level");
      if (level.empty()) break;
      std::uint64_t kibibytes = 0;
      std::istringstream(line_in(cache / "size")) >> kibibytes;  // "32768K"
      if (level == "2") l2 = kibibytes << 10U;
      if (level == "3") l3[line_in(cache / "shared_cpu_list")] = kibibytes << 10U;
    }
  }
  std::uint64_t all_l3 = 0;
  for (const auto& [cores, bytes] : l3) all_l3 += bytes;
  return {l2 != 0 ? l2 : typical_l2, all_l3 != 0 ? all_l3 : typical_l3};
}

}  // namespace lockstep
