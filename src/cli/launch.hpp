// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The environment that an MPI launcher gives the processes: mpirun -n 4 lockstep run ...

#include <cstddef>

#include "lockstep/catalog/catalog.hpp"

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
/// The run will be shared by these processes; null: by this one alone.
void share(RunRequest& request, const Processes* processes);

}  // namespace lockstep::cli
