// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/verify/delivery.hpp"

namespace lockstep {

OwnBytes::OwnBytes(const Collective& collective, std::uint64_t processors, std::size_t block_bytes,
                   std::span<const std::byte> input)
    : layout_(collective, processors), block_bytes_(block_bytes), input_(input) {
  const std::uint64_t blocks = layout_.input_blocks();
  if (input.size() != blocks * block_bytes)
    throw invalid("{}: {} bytes given; expected {} blocks of {} bytes",
                  name_of(collective.operation), input.size(), blocks, block_bytes);
  if (const std::uint64_t own = collective.pattern.left_out(); own != 0)
    throw invalid(
        "{} of own bytes: the pattern lists {} from a processor to itself; "
        "allowed: none, because they cross no link",
        name_of(collective.operation), counted(own, "block"));
  output_.assign(layout_.output_blocks() * block_bytes, poison);
  // Without those for their own makers; or what comes out is none of what went in.
  if (collective.is_by_pairs() || is_reduction(collective.operation)) return;
  const std::uint64_t origins = collective.pattern.origins(processors);
  for (std::uint64_t o = 0; o < origins; ++o) {
    const NodeId home = collective.pattern.home(Origin{o});
    if (layout_.input_block(Origin{o}, home) && layout_.output_block(Origin{o}, home))
      keep(input_.data() + *layout_.input_block(Origin{o}, home) * block_bytes_, Origin{o}, home);
  }
}

std::uint64_t OwnBytes::bytes(const Collective& collective, std::uint64_t processors,
                              std::size_t block_bytes) {
  return BufferLayout(collective, processors).output_blocks() * block_bytes;
}

void OwnBytes::fill(std::byte* bytes, Origin origin, NodeId destination) const noexcept {
  if (const auto block = layout_.input_block(origin, destination))
    std::copy_n(input_.data() + *block * block_bytes_, block_bytes_, bytes);
  else
    std::fill_n(bytes, block_bytes_, poison);
}

bool OwnBytes::matches(const std::byte* bytes, Origin origin, NodeId destination) const noexcept {
  const auto block = layout_.input_block(origin, destination);
  return block && std::equal(bytes, bytes + block_bytes_, input_.data() + *block * block_bytes_);
}

void OwnBytes::keep(const std::byte* bytes, Origin origin, NodeId destination) noexcept {
  if (const auto block = layout_.output_block(origin, destination))
    std::copy_n(bytes, block_bytes_, output_.data() + *block * block_bytes_);
}

}  // namespace lockstep
