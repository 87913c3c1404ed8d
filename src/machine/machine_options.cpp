// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/machine_options.hpp"

#include <string>

#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/machine/detail/wormhole_channels.hpp"
#include "lockstep/program/blocks.hpp"

namespace lockstep {

namespace {

void check_fault(const detail::MachineParts& parts, const MachineOptions& options) {
  const Fault& fault = options.fault;
  if (fault.kind == FaultKind::none) return;
  if (index(fault.sender) >= parts.nodes)
    throw InvalidParameter("fault: the sender does not exist");
  if (parts.wormhole && (fault.kind == FaultKind::misroute || fault.kind == FaultKind::duplicate))
    throw InvalidParameter("fault: " + std::string(name_of(fault.kind)) +
                           " of a message on a route is not possible; expected drop or corrupt");
  if (fault.kind == FaultKind::misroute && index(fault.wrong_port) >= parts.degree_of_fault)
    throw InvalidParameter("fault: the sender has no such port");
  if (fault.kind == FaultKind::corrupt && options.block_bytes != 0 &&
      fault.corrupt_byte >= options.block_bytes)
    throw InvalidParameter("fault: the block has no such byte");
}

}  // namespace

void detail::check_machine(const MachineParts& parts, const MachineOptions& options) {
  const auto allow = [](std::uint64_t given, std::uint64_t most, const std::string& before,
                        const std::string& what) {
    if (given > most)
      throw InvalidParameter(before + grouped(given) + what + "; allowed: up to " + grouped(most));
  };
  const std::string channels = std::string(parts.channels) + " channels: ";
  check_block_bytes(options.block_bytes);
  allow(parts.regions.size(), max_regions, "program: ", " regions");
  for (const std::uint32_t blocks : parts.regions)
    allow(blocks, max_region_blocks, "program: a region of ", " blocks per processor");
  for (const Region region : parts.control_regions)
    if (index(region) >= parts.regions.size())
      throw InvalidParameter("program: control words in region " + std::to_string(index(region)) +
                             "; allowed: 0.." + std::to_string(parts.regions.size() - 1));
  allow(parts.degree, parts.allowed_degree, channels + "a node has ", " ports");
  if (parts.wormhole && options.model.duplex == Duplex::half)
    throw InvalidParameter(channels + "half-duplex links given; expected full-duplex links");
  if (parts.wormhole) allow(parts.nodes, WormholeChannels::max_nodes, channels, " nodes");
  check_fault(parts, options);
}

void check_block_bytes(std::size_t bytes) {
  if (bytes > max_block_bytes)
    throw InvalidParameter("machine: blocks of " + grouped(bytes) + " bytes; allowed: 0.." +
                           grouped(max_block_bytes));
}

}  // namespace lockstep
