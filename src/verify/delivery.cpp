// SPDX-License-Identifier: Apache-2.0
#include "lockstep/verify/delivery.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/blocks.hpp"

namespace lockstep {

std::string_view name_of(VerifyKind kind) noexcept {
  constexpr std::array<std::string_view, 4> names{"auto", "exact", "digest", "off"};
  return names[index(kind)];
}

VerifyKind ProvingHost::definite(const Parameters& parameters) {
  if (parameters.verify != VerifyKind::automatic) return parameters.verify;
  if (parameters.operation) return VerifyKind::off;
  const std::uint64_t most = std::max(exact_limit, DigestLedger::bytes(parameters.processors));
  return ExactLedger::bytes(parameters.collective, parameters.processors) <= most
             ? VerifyKind::exact
             : VerifyKind::digest;
}

namespace {

/// Looked for again, once some are known to be wrong.
template <class IsIntact>
void note_corrupted(std::span<const Delivery> batch, DeliveryTally& tally,
                    const IsIntact& is_intact) noexcept {
  if (tally.corrupted == 0) return;
  for (const Delivery& block : batch)
    if (!is_intact(block)) tally.note_corrupted({0, block.destination, block.origin});
}

/// `enter` tells whether the pair is new.
template <class IsIntact, class Enter>
void accept_intact(std::span<const Delivery> batch, DeliveryTally& tally, const IsIntact& is_intact,
                   const Enter& enter) noexcept {
  std::uint64_t verified = 0;  // not in the tally, which would be written after every block
  std::uint64_t corrupted = 0;
  for (const Delivery& block : batch) {
    const bool intact = is_intact(block);
    const bool fresh = intact && enter(block);
    verified += static_cast<std::uint64_t>(fresh);
    corrupted += static_cast<std::uint64_t>(!intact);
  }
  DeliveryTally counts{.delivered = batch.size(), .verified = verified, .corrupted = corrupted};
  counts.duplicated = counts.delivered - counts.verified - counts.corrupted;
  note_corrupted(batch, counts, is_intact);
  tally += counts;
}

}  // namespace

std::uint64_t ProvingHost::bytes(const Parameters& parameters) {
  std::uint64_t more =
      parameters.input.empty()
          ? 0
          : OwnBytes::bytes(parameters.collective, parameters.processors, parameters.block_bytes);
  if (is_reduction(parameters.collective.operation)) more += ReductionResults::bytes(parameters);
  if (const std::size_t rows = logged_rows(parameters); rows != 0)
    more += detail::DeliveryLogs::bytes(parameters.processors, rows);
  switch (definite(parameters)) {
    case VerifyKind::exact:
      return more + ExactLedger::bytes(parameters.collective, parameters.processors);
    case VerifyKind::digest:
      return more + DigestLedger::bytes(parameters.processors);
    default:
      return more;
  }
}

/// 0: deliveries enter the ledger at once, because it fits a cache, or no rows are accepted.
std::size_t ProvingHost::logged_rows(const Parameters& parameters) {
  const Operation operation = parameters.collective.operation;
  if (!parameters.input.empty() ||
      (operation != Operation::total_exchange && operation != Operation::all_gather))
    return 0;
  switch (definite(parameters)) {
    case VerifyKind::exact:
      return ExactLedger::bytes(parameters.collective, parameters.processors) <
                     parameters.logged_ledger
                 ? 0
                 : 64;
    case VerifyKind::digest:
      return DigestLedger::bytes(parameters.processors) < parameters.logged_ledger ? 0 : 16;
    default:
      return 0;
  }
}

ProvingHost::ProvingHost(const Parameters& parameters)
    : collective_(
          (check_collective(parameters.collective, parameters.processors), parameters.collective)),
      processors_(parameters.processors),
      parts_(parameters.parts_per_block),
      part_bytes_(bytes_of_part(parameters.block_bytes, parameters.parts_per_block)),
      verify_(definite(parameters)),
      payload_({.seed = parameters.seed,
                .block_bytes = parameters.block_bytes,
                .personalised = parameters.collective.personalised()}),
      operation_(parameters.operation) {
  if (parameters.block_bytes == 0)
    throw InvalidParameter("host: blocks of 0 bytes; expected at least 1 byte");
  const bool reduces = is_reduction(collective_.operation);
  if (reduces && !parameters.input.empty() && !operation_)
    throw InvalidParameter(std::string(name_of(collective_.operation)) +
                           " of own bytes: no operator given; expected one (RunOptions::combine)");
  if (operation_ && !reduces)
    throw InvalidParameter(std::string(name_of(collective_.operation)) +
                           ": an own operator is allowed for reductions only");
  if (operation_ && verify_ != VerifyKind::off)
    throw InvalidParameter(std::string(name_of(collective_.operation)) +
                           " with an own operator, --verify " + std::string(name_of(verify_)) +
                           ": the results cannot be predicted; use auto or off");
  if (!parameters.input.empty())
    own_.emplace(collective_, processors_, parameters.block_bytes, parameters.input);
  if (verify_ == VerifyKind::exact) exact_.emplace(collective_, processors_);
  if (verify_ == VerifyKind::digest) digest_.emplace(collective_, processors_, parameters.seed);
  if (verify_ != VerifyKind::off && is_reduction(collective_.operation))
    results_.emplace(parameters);
  if (const std::size_t rows = logged_rows(parameters); rows != 0) logs_.emplace(processors_, rows);
}

void ProvingHost::load(std::byte* bytes, NodeId node, Origin origin, NodeId destination) noexcept {
  const bool exists = index(origin) < collective_.pattern.origins(processors_);
  if (exists && collective_.pattern.home(origin) == node) {
    if (own_) [[unlikely]]
      return own_->fill(bytes, origin, destination);
    payload_.fill(bytes, origin, destination);
  } else {
    std::fill_n(bytes, payload_.block_bytes(), poison);
  }
}

void ProvingHost::load_each(std::byte* bytes, std::size_t stride, NodeId first,
                            std::span<const std::uint32_t> destinations) noexcept {
  if (own_) return Host::load_each(bytes, stride, first, destinations);
  payload_.fill_each(bytes, stride, first, destinations);
}

bool ProvingHost::accepts_rows() const noexcept {
  const Operation operation = collective_.operation;
  return !own_ && (operation == Operation::total_exchange || operation == Operation::all_gather) &&
         (digest_ || (exact_ && exact_->has_rows()));
}

/// A row with anything that is not intact, or that nobody expects, is accepted block by block.
void ProvingHost::accept_each(const std::byte* const* bytes, std::size_t offset, NodeId first,
                              std::span<const std::uint32_t> origins,
                              DeliveryTally& tally) noexcept {
  if (!accepts_rows() || !all_expected(origins, first, 1) ||
      !payload_.match_each(bytes, offset, origins, first))
    return Host::accept_each(bytes, offset, first, origins, tally);
  tally.delivered += origins.size();
  tally.verified += origins.size();
  const auto enter = [&](const detail::LoggedRows& rows) { enter_rows(rows, tally); };
  if (logs_ && origins.size() >= detail::DeliveryLogs::least_size)
    logs_->add(first, origins, enter);
  else
    enter({first, origins.size(), 1, origins.size(), origins.data()});
}

/// A run is accepted in the same way.
void ProvingHost::accept_run(const std::byte* bytes, std::size_t stride, NodeId destination,
                             std::span<const std::uint32_t> origins,
                             DeliveryTally& tally) noexcept {
  if (!accepts_rows() || !all_expected(origins, destination, 0) ||
      !payload_.match_run(bytes, stride, origins, destination))
    return Host::accept_run(bytes, stride, destination, origins, tally);
  tally.delivered += origins.size();
  tally.verified += origins.size();
  enter_rows({destination, 1, origins.size(), 1, origins.data()}, tally);
}

bool ProvingHost::all_expected(std::span<const std::uint32_t> origins, NodeId first,
                               std::uint64_t apart) const noexcept {
  const std::uint64_t all = collective_.pattern.origins(processors_);
  bool expected = true;
  for (std::size_t k = 0; k < origins.size(); ++k)
    expected &= origins[k] < all && origins[k] != index(first) + k * apart;
  return expected;
}

/// They were counted as verified when they arrived.
void ProvingHost::enter_rows(const detail::LoggedRows& rows, DeliveryTally& tally) noexcept {
  if (digest_) return digest_->enter(rows);
  const std::uint64_t again = exact_->enter(rows);
  tally.verified -= again;
  tally.duplicated += again;
}

void ProvingHost::settle(DeliveryTally& tally) noexcept {
  if (logs_) logs_->enter_all([&](const detail::LoggedRows& rows) { enter_rows(rows, tally); });
}

void ProvingHost::accept(std::span<const Delivery> batch, DeliveryTally& tally) noexcept {
  if (own_) {
    accept_own(batch, tally);
  } else if (results_) {
    accept_results(batch, tally);
  } else if (exact_ && exact_->single_source()) {
    accept_from_root(batch, tally);
  } else if (exact_) {
    accept_with(batch, tally, [this](const Delivery& block) {
      return exact_->enter(block.origin, block.destination);
    });
  } else if (digest_) {
    accept_with(batch, tally, [this](const Delivery& block) {
      digest_->enter(block.origin, block.destination);
      return true;  // duplicates show when the sums are judged
    });
  } else {
    tally.delivered += batch.size();
  }
}

/// What is expected is kept, whatever it is.
void ProvingHost::accept_own(std::span<const Delivery> batch, DeliveryTally& tally) noexcept {
  const Expectation expects = collective_.expectation(processors_);
  tally.delivered += batch.size();
  for (const Delivery& block : batch) {
    const auto& [bytes, origin, destination] = block;
    const bool expected = expects(origin, destination);
    if (expected) own_->keep(bytes, origin, destination);
    if (verify_ == VerifyKind::off) continue;
    const bool intact = expected && own_->matches(bytes, origin, destination);
    const bool fresh = intact && enter_ledger(block);
    tally.verified += static_cast<std::uint64_t>(fresh);
    tally.corrupted += static_cast<std::uint64_t>(!intact);
    tally.duplicated += static_cast<std::uint64_t>(intact && !fresh);
    if (!intact) tally.note_corrupted({0, destination, origin});
  }
}

/// Consecutive deliveries are mostly for neighbouring destinations: they enter the ledger by the
/// word.
void ProvingHost::accept_from_root(std::span<const Delivery> batch, DeliveryTally& tally) noexcept {
  const Payload payload = payload_;
  const Origin root = collective_.root;
  const bool exists = index(root) < processors_;
  ExactLedger& ledger = *exact_;
  DeliveryTally counts{.delivered = batch.size()};
  std::uint64_t word = 0;
  std::uint64_t destinations = 0;  // of that word
  const auto enter = [&] {
    counts.verified +=
        static_cast<std::uint64_t>(std::popcount(ledger.enter_word(word, destinations)));
    destinations = 0;
  };
  const auto is_intact = [payload, root, exists](const Delivery& block) {
    return exists && block.origin == root && Origin{block.destination} != root &&
           payload.matches(block.bytes, root, block.destination);
  };
  for (const Delivery& block : batch) {
    if (!is_intact(block)) {
      ++counts.corrupted;
      continue;
    }
    const std::uint64_t bit = ExactLedger::bit_of(block.destination);
    const bool again = (destinations & bit) != 0;
    if (ExactLedger::word_of(block.destination) != word || again) {
      enter();
      word = ExactLedger::word_of(block.destination);
    }
    destinations |= bit;
  }
  enter();
  counts.duplicated = counts.delivered - counts.verified - counts.corrupted;
  note_corrupted(batch, counts, is_intact);
  tally += counts;
}

/// Results are few, and each takes as long as its contributions are many.
void ProvingHost::accept_results(std::span<const Delivery> batch, DeliveryTally& tally) noexcept {
  const Expectation expects = collective_.expectation(processors_);
  const auto is_intact = [&](const Delivery& block) {
    return expects(block.origin, block.destination) &&
           results_->matches(block.bytes, block.destination);
  };
  accept_intact(batch, tally, is_intact,
                [this](const Delivery& block) { return enter_ledger(block); });
}

bool ProvingHost::enter_ledger(const Delivery& block) noexcept {
  if (exact_) return exact_->enter(block.origin, block.destination);
  digest_->enter(block.origin, block.destination);
  return true;  // duplicates show when the sums are judged
}

/// Who expects what is asked for every block: the commonest answer without the question which
/// operation it is. The payload is a copy: a ledger's stores would make the compiler read members
/// again for every block.
template <class Enter>
void ProvingHost::accept_with(std::span<const Delivery> batch, DeliveryTally& tally,
                              const Enter& enter) const noexcept {
  const auto intact_if = [payload = payload_](const auto& expects) {
    return [payload, expects](const Delivery& block) {
      return expects(block.origin, block.destination) &&
             payload.matches(block.bytes, block.origin, block.destination);
    };
  };
  const Expectation expects = collective_.expectation(processors_);
  if (expects.operation != Operation::total_exchange && expects.operation != Operation::all_gather)
    return accept_intact(batch, tally, intact_if(expects), enter);
  const auto all_pairs = [origins = expects.origins](Origin origin, NodeId destination) {
    return index(origin) < origins && index(origin) != index(destination);
  };
  accept_intact(batch, tally, intact_if(all_pairs), enter);
}

void ProvingHost::combine(std::byte* into, const std::byte* left, const std::byte* right,
                          std::size_t block_bytes, std::uint32_t blocks) {
  if (!operation_) return add_blocks(into, left, right, block_bytes, blocks);
  // relaxed: a count, read after the run.
  combined_bytes_.fetch_add(blocks * block_bytes, std::memory_order_relaxed);
  for (std::size_t at = 0; at < blocks * block_bytes; at += block_bytes)
    operation_({into + at, block_bytes}, {left + at, block_bytes}, {right + at, block_bytes});
}

}  // namespace lockstep
