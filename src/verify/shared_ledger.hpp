// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The ledger of a run that several processes share: each keeps that of its own destinations, and
/// all of them come to one judgement.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/machine/detail/wire.hpp"
#include "lockstep/machine/processes.hpp"
#include "lockstep/verify/delivery.hpp"

namespace lockstep {

class SharedLedger {
 public:
  /// `processes`: null where this one is alone. Both outlive this.
  SharedLedger(const ProvingHost& host, Processes* processes, std::uint64_t nodes)
      : host_(host), processes_(processes), own_(host.all()) {
    if (processes == nullptr) return;
    const NodeRange range = nodes_of(*processes, nodes);
    own_ = {std::min(range.first, own_.last), std::min(range.last, own_.last)};
  }

  /// The destinations that this process owns.
  [[nodiscard]] Destinations own() const noexcept { return own_; }
  /// `tally`: of all processes.
  [[nodiscard]] DeliveryVerdict judge(const DeliveryTally& tally) const {
    const ProvingHost::LedgerPart part = host_.part_of(tally, own_);
    if (processes_ == nullptr) return host_.judge(tally, part);
    ProvingHost::LedgerPart all;
    for (const ProvingHost::LedgerPart& one : detail::gathered(*processes_, part)) all += one;
    return host_.judge(tally, all);
  }
  /// Exact ledger only: as ProvingHost::all_missing().
  [[nodiscard]] std::vector<MissingPair> all_missing() const {
    if (processes_ == nullptr) return host_.all_missing(own_);
    const std::vector<MissingPair> missing = host_.all_missing(own_);
    return detail::gathered(*processes_, std::span(missing));
  }

 private:
  const ProvingHost& host_;
  Processes* processes_;
  Destinations own_;
};

}  // namespace lockstep
