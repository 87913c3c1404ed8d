// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/processes.hpp"

#include <string>

#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

__extension__ using Product = unsigned __int128;  // of nodes and processes

[[nodiscard]] std::uint64_t first_of(std::size_t rank, std::size_t count,
                                     std::uint64_t nodes) noexcept {
  return static_cast<std::uint64_t>(Product{nodes} * rank / count);
}

}  // namespace

NodeRange nodes_of(std::size_t rank, std::size_t count, std::uint64_t nodes) noexcept {
  return {first_of(rank, count, nodes), first_of(rank + 1, count, nodes)};
}

std::size_t process_of(NodeId node, std::size_t count, std::uint64_t nodes) noexcept {
  return static_cast<std::size_t>(((Product{index(node)} + 1) * count - 1) / nodes);
}

void detail::check_processes(std::size_t count, std::uint64_t nodes) {
  if (nodes < count)
    throw InvalidParameter("processes: " + std::to_string(count) + " for " + std::to_string(nodes) +
                           " nodes; allowed: one per node at most");
}

}  // namespace lockstep
