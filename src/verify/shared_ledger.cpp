// SPDX-License-Identifier: Apache-2.0
#include "verify/shared_ledger.hpp"

#include <algorithm>
#include <span>

#include "lockstep/machine/detail/wire.hpp"

namespace lockstep {

SharedLedger::SharedLedger(const ProvingHost& host, Processes* processes, std::uint64_t nodes)
    : host_(host), processes_(processes), own_(host.all()) {
  if (processes == nullptr) return;
  const NodeRange range = nodes_of(*processes, nodes);
  own_ = {std::min(range.first, own_.last), std::min(range.last, own_.last)};
}

DeliveryVerdict SharedLedger::judge(const DeliveryTally& tally) const {
  const ProvingHost::LedgerPart part = host_.part_of(tally, own_);
  if (processes_ == nullptr) return host_.judge(tally, part);
  ProvingHost::LedgerPart all;
  for (const ProvingHost::LedgerPart& one : detail::gathered(*processes_, part)) all += one;
  return host_.judge(tally, all);
}

std::vector<MissingPair> SharedLedger::all_missing() const {
  const std::vector<MissingPair> missing = host_.all_missing(own_);
  if (processes_ == nullptr) return missing;
  return detail::gathered(*processes_, std::span(missing));
}

}  // namespace lockstep
