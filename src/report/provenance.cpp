// SPDX-License-Identifier: Apache-2.0

/// Provenance of a report: program, build and host.

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

#include "lockstep/core/version.hpp"
#include "lockstep/report/run_report.hpp"

namespace lockstep {

namespace {

[[nodiscard]] std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    if (line.rfind("model name", 0) != 0) continue;
    const std::size_t begin = line.find_first_not_of(" \t", line.find(':') + 1);
    if (begin != std::string::npos) return line.substr(begin);
  }
  return "unknown CPU";
}

}  // namespace

Provenance provenance(std::string command) {
  return {.version = std::string(version),
          .command = std::move(command),
          .cpu = cpu_model(),
          .cores = std::max(1U, std::thread::hardware_concurrency()),
          .compiler = std::string(compiler),
          .build = fmt::format("{} {}", build_type, build_flags)};
}

}  // namespace lockstep
