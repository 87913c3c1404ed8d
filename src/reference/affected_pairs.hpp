// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The effect of a fault, stated before it happens: which (origin, destination) pairs it harms and
/// which rules it breaks. The reference machine runs the program with blocks that carry their pair
/// instead of their bytes; where a pair arrives that is not the claimed one, or none, or a marked
/// one, the real bytes of both are compared, so that the prediction is exact for blocks of any size
/// (harm to a block of no bytes cannot be seen). Reductions are run with their real bytes, and held
/// against sums of its own (summing_host.hpp).
///
///     const FaultPrediction expected = predict(network, program, request);
///     ... run the real machine with request.fault ...
///     EXPECT_EQ(host.all_missing(), expected.missing);
///     EXPECT_TRUE(record.same_facts(expected.record));

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/collective/collective.hpp"
#include "lockstep/collective/payload.hpp"
#include "lockstep/program/detail/erased_program.hpp"
#include "lockstep/program/host.hpp"
#include "lockstep/topology/network.hpp"
#include "lockstep/verify/ledger.hpp"
#include "reference/reference_machine.hpp"

namespace lockstep::reference {

/// The request for the run that is predicted.
struct FaultRequest {
  Collective collective;
  ReferenceOptions machine;  ///< port model, size of a whole block, fault, ...
  std::uint64_t payload_seed = 1;
  std::uint64_t parts_per_block = 1;  ///< Footprint::parts_per_block
};

struct FaultPrediction {
  std::vector<MissingPair> missing;  ///< never arrives in order; by destination, then origin
  RunRecord record;                  ///< violations and deliveries among it

  /// Something would be noticed.
  [[nodiscard]] bool harmful() const noexcept {
    const DeliveryTally& tally = record.deliveries;
    return !missing.empty() || !record.legal() || tally.corrupted != 0 || tally.duplicated != 0 ||
           record.stores_without_message != 0;
  }
};

/// Runs the reference machine: for networks of some hundred nodes. Throws what it throws.
[[nodiscard]] FaultPrediction predict(const Network& network, const ErasedProgram& program,
                                      const FaultRequest& request);

/// A host whose blocks say where they come from and where they go, in every part.
class TracingHost final : public Host {
 public:
  /// The contents of a part of a block in the traced run.
  struct Tag {
    Origin origin{};
    NodeId destination{};
    std::uint32_t part = 0;
    std::uint32_t mark = 0;  ///< altered where the fault altered the part
  };

  TracingHost(const FaultRequest& request, std::uint64_t processors);

  [[nodiscard]] std::uint64_t parts_per_block() const override { return parts_; }
  void load(std::byte* bytes, NodeId node, Origin origin, NodeId destination) override;
  void accept(std::span<const Delivery> batch, DeliveryTally& tally) override;
  /// Every expected pair that was not delivered in order.
  [[nodiscard]] std::vector<MissingPair> missing() const;

 private:
  [[nodiscard]] bool would_match(std::span<const Tag> arrived, const Delivery& claimed) const;
  [[nodiscard]] std::vector<std::byte> real_bytes(std::span<const Tag> parts) const;
  void add_real_part(const Tag& tag, std::vector<std::byte>& bytes) const;

  Collective collective_;
  std::uint64_t processors_;
  std::uint64_t origins_;
  std::uint64_t parts_;
  std::size_t real_block_bytes_;
  std::size_t real_part_bytes_;
  std::uint64_t corrupt_byte_;
  Payload payload_;
  std::vector<bool> delivered_;  // in order; by destination, then origin
};

}  // namespace lockstep::reference
