// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The host of a reduction, written down as plainly as possible: contributions are the formula,
/// combined by addition with carries from byte to byte within words of eight, and every result is
/// held against the sum of all that belongs in it. What verify/delivery.hpp is judged by.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/collective/collective.hpp"
#include "lockstep/collective/payload.hpp"
#include "lockstep/program/host.hpp"
#include "lockstep/verify/ledger.hpp"

namespace lockstep::reference {

class SummingHost final : public Host {
 public:
  struct Parameters {
    Collective collective;
    std::uint64_t processors = 0;
    std::size_t block_bytes = 8;
    std::uint64_t seed = 1;
    std::uint64_t parts_per_block = 1;
  };

  explicit SummingHost(const Parameters& parameters);

  [[nodiscard]] std::uint64_t parts_per_block() const override { return of_.parts_per_block; }
  void load(std::byte* bytes, NodeId node, Origin origin, NodeId destination) override;
  void accept(std::span<const Delivery> batch, DeliveryTally& tally) override;
  void combine(std::byte* into, const std::byte* left, const std::byte* right,
               std::size_t block_bytes, std::uint32_t blocks) override;
  /// Every expected result that was not delivered in order.
  [[nodiscard]] std::vector<MissingPair> missing() const;

 private:
  [[nodiscard]] std::vector<std::byte> result_for(NodeId destination) const;

  Parameters of_;
  Payload payload_;
  std::vector<bool> delivered_;  // in order, by destination
};

}  // namespace lockstep::reference
