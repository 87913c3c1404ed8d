// SPDX-License-Identifier: Apache-2.0
#pragma once

/// RecordingHost: proves deliveries as ProvingHost does, and keeps a digest of all that was handed
/// to it - bytes, claimed source and order, for each destination. Two runs with one digest
/// delivered the same.

#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/verify/delivery.hpp"
#include "reference/fnv1a.hpp"

namespace lockstep::study {

class RecordingHost final : public Host {
 public:
  explicit RecordingHost(const ProvingHost::Parameters& parameters)
      : proving_(parameters),
        block_bytes_(*proving_.block_bytes()),
        digests_(parameters.processors) {}

  [[nodiscard]] std::optional<std::uint64_t> processors() const override {
    return proving_.processors();
  }
  [[nodiscard]] std::optional<std::size_t> block_bytes() const override {
    return proving_.block_bytes();
  }

  void load(std::byte* bytes, NodeId node, Origin origin, NodeId destination) noexcept override {
    proving_.load(bytes, node, origin, destination);
  }

  void accept(std::span<const Delivery> batch, DeliveryTally& tally) noexcept override {
    for (const Delivery& block : batch) {
      reference::Fnv1a& digest = digests_[index(block.destination)];
      digest.little_endian_32(index(block.origin));
      for (std::size_t i = 0; i < block_bytes_; ++i)
        digest.byte(std::to_integer<std::uint64_t>(block.bytes[i]));
    }
    proving_.accept(batch, tally);
  }

  void combine(std::byte* into, const std::byte* left, const std::byte* right,
               std::size_t block_bytes, std::uint32_t blocks) noexcept override {
    proving_.combine(into, left, right, block_bytes, blocks);
  }

  [[nodiscard]] std::uint64_t digest() const noexcept {
    reference::Fnv1a all;
    for (const reference::Fnv1a& digest : digests_) {
      all.little_endian_32(digest.value());
      all.little_endian_32(digest.value() >> 32U);
    }
    return all.value();
  }

  [[nodiscard]] const ProvingHost& proving() const noexcept { return proving_; }

 private:
  ProvingHost proving_;
  std::size_t block_bytes_;
  std::vector<reference::Fnv1a> digests_;
};

}  // namespace lockstep::study
