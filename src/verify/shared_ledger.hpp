// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The ledger of a run that several processes share: each keeps that of its own destinations, and
/// all of them come to one judgement.

#include <cstdint>
#include <vector>

#include "lockstep/machine/processes.hpp"
#include "lockstep/verify/delivery.hpp"

namespace lockstep {

class SharedLedger {
 public:
  /// `processes`: null where this one is alone. Both outlive this.
  SharedLedger(const ProvingHost& host, Processes* processes, std::uint64_t nodes);

  /// The destinations that this process owns.
  [[nodiscard]] Destinations own() const noexcept { return own_; }
  /// `tally`: of all processes.
  [[nodiscard]] DeliveryVerdict judge(const DeliveryTally& tally) const;
  /// Exact ledger only: as ProvingHost::all_missing().
  [[nodiscard]] std::vector<MissingPair> all_missing() const;

 private:
  const ProvingHost& host_;
  Processes* processes_;
  Destinations own_;
};

}  // namespace lockstep
