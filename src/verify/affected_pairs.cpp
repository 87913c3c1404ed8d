// SPDX-License-Identifier: Apache-2.0
#include "lockstep/verify/affected_pairs.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace lockstep {
namespace {

/// What the machine fills memory with before anything is stored there, and where a message that was
/// expected did not come.
constexpr std::byte poison{0xA5};

[[nodiscard]] TracingHost::Tag poisoned_tag() {
  std::array<std::byte, TracingHost::block_bytes> bytes{};
  bytes.fill(poison);
  return std::bit_cast<TracingHost::Tag>(bytes);
}

}  // namespace

TracingHost::TracingHost(const FaultRequest& request, std::uint64_t processors)
    : collective_(request.collective),
      processors_(processors),
      real_block_bytes_(request.machine.block_bytes),
      corrupt_byte_(request.machine.fault.corrupt_byte),
      payload_({.seed = request.payload_seed,
                .block_bytes = request.machine.block_bytes,
                .personalised = request.collective.personalised()}) {}

void TracingHost::load(std::byte* bytes, NodeId source, NodeId destination) const {
  const Tag tag{source, destination, 0};
  std::memcpy(bytes, &tag, sizeof tag);
}

void TracingHost::accept(std::span<const Delivery> batch, Tally& tally) {
  for (const Delivery& claimed : batch) {
    Tag arrived;
    std::memcpy(&arrived, claimed.bytes, sizeof arrived);
    ++tally.delivered;
    const bool expected = index(claimed.source) < processors_ &&
                          collective_.expects(claimed.source, claimed.destination);
    if (!expected || !would_match(arrived, claimed))
      ++tally.corrupted;
    else if (delivered_.insert({claimed.source, claimed.destination}).second)
      ++tally.verified;
    else
      ++tally.duplicated;
  }
}

bool TracingHost::would_match(const Tag& arrived, const Delivery& claimed) const {
  const bool right_pair =
      arrived.source == claimed.source &&
      (arrived.destination == claimed.destination || !collective_.personalised());
  if (right_pair && arrived.mark == 0) return true;
  return real_bytes(arrived) == real_bytes({claimed.source, claimed.destination, 0});
}

std::vector<std::byte> TracingHost::real_bytes(const Tag& tag) const {
  std::vector<std::byte> bytes(real_block_bytes_, poison);
  const Tag poisoned = poisoned_tag();
  const bool loaded = tag.source != poisoned.source || tag.destination != poisoned.destination;
  if (loaded) payload_.fill(bytes.data(), tag.source, tag.destination);
  const bool altered = tag.mark != (loaded ? 0 : poisoned.mark);
  if (altered && !bytes.empty()) bytes.at(corrupt_byte_) ^= std::byte{1};
  return bytes;
}

std::vector<MissingPair> TracingHost::missing() const {
  std::vector<MissingPair> missing;
  for (std::uint64_t d = 0; d < processors_; ++d)
    for (std::uint64_t s = 0; s < processors_; ++s)
      if (collective_.expects(NodeId{s}, NodeId{d}) &&
          delivered_.count({NodeId{s}, NodeId{d}}) == 0)
        missing.push_back({NodeId{s}, NodeId{d}});
  return missing;
}

}  // namespace lockstep
