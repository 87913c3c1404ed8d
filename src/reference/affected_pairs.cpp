// SPDX-License-Identifier: Apache-2.0
#include "reference/affected_pairs.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "lockstep/program/algorithm.hpp"
#include "reference/summing_host.hpp"

namespace lockstep::reference {
namespace {

[[nodiscard]] TracingHost::Tag poisoned_tag() {
  std::array<std::byte, sizeof(TracingHost::Tag)> bytes{};
  bytes.fill(poison);
  return std::bit_cast<TracingHost::Tag>(bytes);
}

/// With the real bytes: a sum does not say whose it is.
[[nodiscard]] FaultPrediction predict_sums(const Network& network, const ErasedProgram& program,
                                           const FaultRequest& request) {
  SummingHost host({.collective = request.collective,
                    .processors = network.processor_count(),
                    .block_bytes = request.machine.block_bytes,
                    .seed = request.payload_seed,
                    .parts_per_block = request.parts_per_block});
  ReferenceOptions summed = request.machine;
  summed.block_bytes = bytes_of_part(summed.block_bytes, request.parts_per_block);
  RunRecord record = ReferenceMachine(network, program, host, summed).run();
  return {host.missing(), std::move(record)};
}

}  // namespace

FaultPrediction predict(const Network& network, const ErasedProgram& program,
                        const FaultRequest& request) {
  if (is_reduction(request.collective.operation)) return predict_sums(network, program, request);
  TracingHost host(request, network.processor_count());
  ReferenceOptions traced = request.machine;
  traced.block_bytes = sizeof(TracingHost::Tag);
  traced.fault.corrupt_byte = offsetof(TracingHost::Tag, mark);
  RunRecord record = ReferenceMachine(network, program, host, traced).run();
  record.block_bytes = bytes_of_part(request.machine.block_bytes, request.parts_per_block);
  return {host.missing(), std::move(record)};
}

TracingHost::TracingHost(const FaultRequest& request, std::uint64_t processors)
    : collective_(request.collective),
      processors_(processors),
      origins_(request.collective.pattern.origins(processors)),
      parts_(request.parts_per_block),
      real_block_bytes_(request.machine.block_bytes),
      real_part_bytes_(bytes_of_part(real_block_bytes_, parts_)),
      corrupt_byte_(request.machine.fault.corrupt_byte),
      payload_({.seed = request.payload_seed,
                .block_bytes = request.machine.block_bytes,
                .personalised = request.collective.personalised()}),
      delivered_(processors * origins_) {}

/// Somebody else's block is not to be had: as if nothing had been loaded.
void TracingHost::load(std::byte* bytes, NodeId node, Origin origin, NodeId destination) {
  const bool own = index(origin) < origins_ && collective_.pattern.home(origin) == node;
  for (std::uint32_t part = 0; part < parts_; ++part) {
    const Tag tag = own ? Tag{origin, destination, part, 0} : poisoned_tag();
    std::memcpy(bytes + part * sizeof tag, &tag, sizeof tag);
  }
}

void TracingHost::accept(std::span<const Delivery> batch, DeliveryTally& tally) {
  std::vector<Tag> arrived(parts_);
  for (const Delivery& claimed : batch) {
    std::memcpy(arrived.data(), claimed.bytes, parts_ * sizeof(Tag));
    ++tally.delivered;
    const bool expected = index(claimed.origin) < origins_ &&
                          collective_.expects(claimed.origin, claimed.destination);
    if (!expected || !would_match(arrived, claimed)) {
      ++tally.corrupted;
      tally.note_corrupted({0, claimed.destination, claimed.origin});
      continue;
    }
    auto delivered = delivered_[index(claimed.destination) * origins_ + index(claimed.origin)];
    ++(delivered ? tally.duplicated : tally.verified);
    delivered = true;
  }
}

bool TracingHost::would_match(std::span<const Tag> arrived, const Delivery& claimed) const {
  bool as_claimed = true;
  std::vector<Tag> right;
  for (const Tag& tag : arrived) {
    right.push_back(
        {claimed.origin, claimed.destination, static_cast<std::uint32_t>(right.size()), 0});
    const bool right_pair = tag.origin == claimed.origin &&
                            (tag.destination == claimed.destination || !collective_.personalised());
    as_claimed = as_claimed && right_pair && tag.part == right.back().part && tag.mark == 0;
  }
  return as_claimed || real_bytes(arrived) == real_bytes(right);
}

/// The bytes that fill up the last part belong to nobody.
std::vector<std::byte> TracingHost::real_bytes(std::span<const Tag> parts) const {
  std::vector<std::byte> bytes;
  for (const Tag& tag : parts) add_real_part(tag, bytes);
  bytes.resize(real_block_bytes_);
  return bytes;
}

void TracingHost::add_real_part(const Tag& tag, std::vector<std::byte>& bytes) const {
  const Tag poisoned = poisoned_tag();
  const bool loaded = tag.origin != poisoned.origin || tag.destination != poisoned.destination;
  std::vector<std::byte> block(parts_ * real_part_bytes_, poison);
  if (loaded) payload_.fill(block.data(), tag.origin, tag.destination);
  const auto first = static_cast<std::ptrdiff_t>(bytes.size());
  const auto part =
      block.begin() + static_cast<std::ptrdiff_t>((loaded ? tag.part : 0) * real_part_bytes_);
  bytes.insert(bytes.end(), part, part + static_cast<std::ptrdiff_t>(real_part_bytes_));
  const bool altered = tag.mark != (loaded ? 0 : poisoned.mark);
  if (altered && real_part_bytes_ != 0)
    bytes.at(static_cast<std::size_t>(first) + corrupt_byte_) ^= std::byte{1};
}

std::vector<MissingPair> TracingHost::missing() const {
  std::vector<MissingPair> missing;
  for (std::uint64_t d = 0; d < processors_; ++d)
    for (std::uint64_t o = 0; o < origins_; ++o) {
      const MissingPair pair{Origin{o}, NodeId{d}};
      if (collective_.expects(pair.origin, pair.destination) && !delivered_[d * origins_ + o])
        missing.push_back(pair);
    }
  return missing;
}

}  // namespace lockstep::reference
