// SPDX-License-Identifier: Apache-2.0
#include "cli/launch.hpp"

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "catalog/memory.hpp"
#include "core/usable_cores.hpp"
#include "lockstep/machine/detail/wire.hpp"

namespace lockstep::cli {

Launch launch_of_environment() {
  struct Names {
    const char* count;
    const char* rank;
    const char* on_this_host;
  };
  // Open MPI, and those that descend from MPICH.
  constexpr Names all[] = {
      {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
      {"PMI_SIZE", "PMI_RANK", "MPI_LOCALNRANKS"}};
  const auto number = [](const char* name, std::size_t otherwise) {
    const char* const value = std::getenv(name);
    return value == nullptr ? otherwise : std::strtoul(value, nullptr, 10);
  };
  for (const Names& names : all)
    if (const std::size_t count = number(names.count, 0); count != 0)
      return {count, number(names.rank, 0),
              std::max<std::size_t>(1, number(names.on_this_host, count))};
  return {};
}

std::uint64_t agreed_bytes(Processes& processes, const Launch& launch) {
  return std::ranges::min(
      detail::gathered(processes, catalog::available_bytes() / launch.on_this_host));
}

void share(RunRequest& request, const Session& session) {
  if (session.processes == nullptr) return;
  request.processes = session.processes->count();
  request.available_bytes = session.available_bytes;
  if (request.workers != 0) return;
  // The processes of a host share its cores.
  const std::size_t part =
      std::thread::hardware_concurrency() / launch_of_environment().on_this_host;
  request.workers = std::max<std::size_t>(1, std::min(usable_cores(), part));
}

}  // namespace lockstep::cli
