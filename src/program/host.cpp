// SPDX-License-Identifier: Apache-2.0
#include "lockstep/program/host.hpp"

#include "core/invalid.hpp"
#include "lockstep/program/blocks.hpp"

namespace lockstep {

void check_host(const Host& host, std::uint64_t processors, std::size_t block_bytes) {
  if (const std::uint64_t parts = host.parts_per_block(); parts == 0 || parts > max_region_blocks)
    throw invalid("host: blocks in {} parts; allowed: 1..{}", parts,
                  std::uint64_t{max_region_blocks});
  if (const auto own = host.block_bytes(); own && *own != block_bytes)
    throw invalid("host: built for blocks of {} bytes, but the machine uses {} bytes", *own,
                  block_bytes);
  if (const auto own = host.processors(); own && *own != processors)
    throw invalid("host: built for {} processors, but the machine has {}", *own, processors);
}

}  // namespace lockstep
