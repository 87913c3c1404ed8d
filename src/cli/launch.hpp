// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The environment that an MPI launcher gives the processes: mpirun -n 4 lockstep run ...

#include <cstddef>

#include "cli/commands.hpp"
#include "lockstep/catalog/catalog.hpp"

namespace lockstep::cli {

/// The place of this process among those that the launcher started; alone without a launcher.
struct Launch {
  std::size_t count = 1;
  std::size_t rank = 0;
  std::size_t on_this_host = 1;  ///< processes
};
[[nodiscard]] Launch launch_of_environment();
/// The bytes of this host for each of its processes, of the host that has the least.
[[nodiscard]] std::uint64_t agreed_bytes(Processes& processes, const Launch& launch);
/// The run will be shared by the processes of the session, if there are several.
void share(RunRequest& request, const Session& session);

}  // namespace lockstep::cli
