// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The processes that an MPI launcher started together (cli/launch.hpp), connected.

#include <memory>
#include <string_view>

#include "lockstep/machine/processes.hpp"

namespace lockstep::cli {

/// Processes that end together.
class LaunchedProcesses : public Processes {
 public:
  /// Waits for the others, so that nobody is stopped in the middle of its work. After a failure,
  /// which may be this process's alone, not for long: then it prints the problem, and all of them
  /// end with that code.
  virtual void finish(int exit_code, std::string_view problem) = 0;
};

/// Throws InvalidParameter where this build has no MPI.
[[nodiscard]] std::unique_ptr<LaunchedProcesses> launched_processes();

/// "MPI", "no MPI"
[[nodiscard]] std::string_view mpi_of_build() noexcept;

}  // namespace lockstep::cli
