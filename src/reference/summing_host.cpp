// SPDX-License-Identifier: Apache-2.0
#include "reference/summing_host.hpp"

#include <algorithm>

#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/blocks.hpp"

namespace lockstep::reference {
namespace {

/// Byte by byte; the bytes behind the last whole word carry nothing. `into` may be either of them.
void add(std::byte* into, const std::byte* left, const std::byte* right, std::size_t bytes) {
  const std::size_t in_words = bytes / 8 * 8;
  unsigned carry = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    if (i % 8 == 0 || i >= in_words) carry = 0;
    carry += std::to_integer<unsigned>(left[i]) + std::to_integer<unsigned>(right[i]);
    into[i] = static_cast<std::byte>(carry & 255U);
    carry >>= 8U;
  }
}

}  // namespace

SummingHost::SummingHost(const Parameters& parameters)
    : of_(parameters),
      payload_({.seed = parameters.seed,
                .block_bytes = parameters.block_bytes,
                .personalised = parameters.collective.personalised()}),
      delivered_(parameters.processors) {}

void SummingHost::load(std::byte* bytes, NodeId node, Origin origin, NodeId destination) {
  if (index(origin) == index(node))
    payload_.fill(bytes, origin, destination);
  else
    std::fill_n(bytes, of_.block_bytes, poison);
}

void SummingHost::combine(std::byte* into, const std::byte* left, const std::byte* right,
                          std::size_t block_bytes, std::uint32_t blocks) {
  for (std::size_t i = 0; i < blocks; ++i)
    add(into + i * block_bytes, left + i * block_bytes, right + i * block_bytes, block_bytes);
}

void SummingHost::accept(std::span<const Delivery> batch, DeliveryTally& tally) {
  for (const Delivery& claimed : batch) {
    ++tally.delivered;
    const std::uint64_t at = index(claimed.destination);
    const bool expected = index(claimed.origin) < of_.processors &&
                          of_.collective.expects(claimed.origin, claimed.destination);
    if (!expected || !std::ranges::equal(result_for(claimed.destination),
                                         std::span(claimed.bytes, of_.block_bytes))) {
      ++tally.corrupted;
      tally.note_corrupted({0, claimed.destination, claimed.origin});
      continue;
    }
    ++(delivered_[at] ? tally.duplicated : tally.verified);
    delivered_[at] = true;
  }
}

std::vector<std::byte> SummingHost::result_for(NodeId destination) const {
  const std::size_t part_bytes = bytes_of_part(of_.block_bytes, of_.parts_per_block);
  std::vector<std::byte> result(part_bytes * of_.parts_per_block);
  std::vector<std::byte> contribution(result.size());
  for (std::uint64_t u = 0; u < of_.processors; ++u) {
    if (of_.collective.operation == Operation::scan && u > index(destination)) break;
    payload_.fill(contribution.data(), Origin{u}, destination);
    for (std::size_t at = 0; part_bytes != 0 && at < result.size(); at += part_bytes)
      add(result.data() + at, result.data() + at, contribution.data() + at, part_bytes);
  }
  result.resize(of_.block_bytes);
  return result;
}

std::vector<MissingPair> SummingHost::missing() const {
  std::vector<MissingPair> missing;
  for (std::uint64_t d = 0; d < of_.processors; ++d)
    if (of_.collective.expects(Origin{d}, NodeId{d}) && !delivered_[d])
      missing.push_back({Origin{d}, NodeId{d}});
  return missing;
}

}  // namespace lockstep::reference
