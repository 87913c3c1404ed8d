// SPDX-License-Identifier: Apache-2.0

/// The judgement of a ProvingHost on a run, from its ledger: missing, duplicated and combined
/// blocks.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "lockstep/core/expects.hpp"
#include "lockstep/verify/delivery.hpp"

namespace lockstep {

namespace {

/// A result of c contributions takes c - 1 combinations; all but those of a reduce-scatter can
/// share theirs.
[[nodiscard]] std::uint64_t least_combinations(Operation operation, std::uint64_t processors) {
  const std::uint64_t results = operation == Operation::reduce_scatter ? processors : 1;
  return results * (processors - 1);
}

}  // namespace

ProvingHost::LedgerPart& ProvingHost::LedgerPart::operator+=(const LedgerPart& other) noexcept {
  entered += other.entered;
  digest.missing += other.digest.missing;
  digest.duplicated += other.digest.duplicated;
  digest.wrong_sets += other.digest.wrong_sets;
  if (!first_missing) first_missing = other.first_missing;
  least = std::min(least, other.least);
  most = std::max(most, other.most);
  combined_bytes += other.combined_bytes;
  return *this;
}

/// Searches for missing blocks only if some are missing: by the ledger itself where it is whole, by
/// the tally of all processes where each has a part of it.
ProvingHost::LedgerPart ProvingHost::part_of(const DeliveryTally& tally, Destinations own) const {
  LedgerPart part{.combined_bytes = combined_bytes_.load(std::memory_order_relaxed)};
  if (verify_ == VerifyKind::off) return part;
  const std::uint64_t expected = collective_.deliveries(processors_);
  bool is_complete = tally.verified == expected;
  if (exact_) {
    part.entered = exact_->entered();
    if (own.first == 0 && own.last >= processors_) is_complete = part.entered == expected;
    if (!is_complete) part.first_missing = exact_->first_missing(own);
  } else {
    part.digest = digest_->judge(own);
  }
  if (!receives_alike() || (exact_ && is_complete)) return part;
  for (std::uint64_t u = own.first; u < own.last; ++u) {
    const std::uint64_t blocks =
        exact_ ? exact_->received(NodeId{u}) : digest_->received(NodeId{u});
    part.least = std::min(part.least, blocks);
    part.most = std::max(part.most, blocks);
  }
  return part;
}

DeliveryVerdict ProvingHost::judge(const DeliveryTally& tally, const LedgerPart& ledger) const {
  DeliveryVerdict verdict{.expected = collective_.deliveries(processors_), .tally = tally};
  if (operation_) {
    verdict.combined = ledger.combined_bytes / payload_.block_bytes();
    verdict.to_combine = least_combinations(collective_.operation, processors_);
  }
  if (verify_ == VerifyKind::off) {
    verdict.checked = false;
    if (tally.delivered < verdict.expected) verdict.missing = verdict.expected - tally.delivered;
    return verdict;
  }
  if (exact_) {
    verdict.missing = verdict.expected - ledger.entered;  // only expected pairs are entered
    if (verdict.missing != 0) verdict.first_missing = ledger.first_missing;
  } else {
    verdict.missing = ledger.digest.missing + ledger.digest.wrong_sets;
    verdict.tally.duplicated = ledger.digest.duplicated + ledger.digest.wrong_sets;
    verdict.tally.verified -= verdict.tally.duplicated;
  }
  if (verdict.missing != 0 && receives_alike() && ledger.least <= ledger.most)
    verdict.received = Received{
        .least = ledger.least, .most = ledger.most, .expected = verdict.expected / processors_};
  return verdict;
}

/// Whether all processors expect as many blocks.
bool ProvingHost::receives_alike() const {
  return collective_.every_source() && collective_.every_destination() &&
         collective_.operation != Operation::many_to_all && !collective_.is_by_pairs();
}

std::vector<MissingPair> ProvingHost::all_missing(Destinations among) const {
  expects(exact_.has_value(), "only the exact ledger names what is missing");
  return exact_->all_missing(among);
}

}  // namespace lockstep
