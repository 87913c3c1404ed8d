// SPDX-License-Identifier: Apache-2.0
#include "core/control_groups.hpp"

#include <fstream>

namespace lockstep {
namespace {

/// "cpu,cpuacct" lists "cpu".
[[nodiscard]] bool lists(const std::string& controllers, std::string_view wanted) {
  return ("," + controllers + ",").find("," + std::string(wanted) + ",") != std::string::npos;
}

}  // namespace

std::vector<std::string> folders_of_control_groups(std::string_view controller,
                                                   const std::string& root) {
  std::vector<std::string> folders;
  std::ifstream file(root + "/proc/self/cgroup");  // "4:cpu,cpuacct:/a/b", version 2 "0::/a/b"
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (!controllers.empty() && !lists(controllers, controller)) continue;
    // Version 1 is mounted by all its controllers, with a link per controller or without.
    std::vector<std::string> mounts{controllers.empty() ? "" : "/" + controllers};
    if (!controllers.empty() && controllers != controller)
      mounts.push_back("/" + std::string(controller));
    for (std::string group = line.substr(second + 1);;) {
      for (const std::string& mount : mounts)
        folders.push_back(root + "/sys/fs/cgroup" + mount + (group == "/" ? "" : group));
      if (group.empty() || group == "/") break;
      group.resize(group.rfind('/'));
    }
  }
  return folders;
}

}  // namespace lockstep
