// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The processes that an MPI launcher started together: mpirun -n 4 lockstep run ...

#include <cstddef>
#include <memory>
#include <string_view>

#include "lockstep/machine/processes.hpp"

namespace lockstep::cli {

/// The place of this process among those that the launcher started; alone without a launcher.
struct Launch {
  std::size_t count = 1;
  std::size_t rank = 0;
  std::size_t on_this_host = 1;  ///< processes
};
[[nodiscard]] Launch launch_of_environment();
/// The workers of a process that is given no number: the processes of a host share its cores.
[[nodiscard]] std::size_t default_workers(const Launch& launch);

/// Processes that end together.
class LaunchedProcesses : public Processes {
 public:
  /// Waits for the others, so that nobody is stopped in the middle of its work. After a failure,
  /// which may be this process's alone, not for long: then all of them are ended with that code.
  virtual void finish(int exit_code) = 0;
};

/// Throws InvalidParameter where this build has no MPI.
[[nodiscard]] std::unique_ptr<LaunchedProcesses> launched_processes();

/// "MPI", "no MPI"
[[nodiscard]] std::string_view mpi_of_build() noexcept;

}  // namespace lockstep::cli
