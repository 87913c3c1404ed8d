// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The provenance of a result: program, build and host, as printed in every report.
///
///     const Provenance here = provenance("lockstep run star:5 total-exchange");

#include <cstddef>
#include <string>

namespace lockstep {

struct Provenance {
  std::string version;
  std::string command;  ///< as typed
  std::string cpu;      ///< model name; "unknown CPU" where the kernel does not say
  std::size_t cores = 0;
  std::string compiler;
  std::string build;  ///< build type and flags
};

[[nodiscard]] Provenance provenance(std::string command);

}  // namespace lockstep
