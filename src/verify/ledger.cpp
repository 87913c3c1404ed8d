// SPDX-License-Identifier: Apache-2.0
#include "lockstep/verify/ledger.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace lockstep {

ExactLedger::ExactLedger(const Collective& collective, std::uint64_t processors)
    : collective_(collective),
      processors_(processors),
      single_source_(!collective.every_source()),
      shared_words_(single_source_ || collective.pairs() != nullptr),
      row_words_(shared_words_ ? 0 : (collective.pattern.origins(processors) + 63) / 64),
      memory_(HugeBuffer::zeroed(bytes(collective, processors))),
      bits_(reinterpret_cast<std::uint64_t*>(memory_.data())),
      words_(memory_.size() / sizeof(std::uint64_t)) {}

std::uint64_t ExactLedger::bytes(const Collective& collective, std::uint64_t processors) {
  const auto words = [](std::uint64_t bits) { return (bits + 63) / 64; };
  if (const PairList* const pairs = collective.pairs())
    return words(pairs->size()) * sizeof(std::uint64_t);
  const std::uint64_t all = collective.every_source()
                                ? processors * words(collective.pattern.origins(processors))
                                : words(processors);
  return all * sizeof(std::uint64_t);
}

/// A word stays in a register as long as origins are its own: consecutive rows often hold
/// neighbours.
std::uint64_t ExactLedger::enter(const detail::LoggedRows& rows) noexcept {
  std::uint64_t again = 0;
  if (rows.rows == 0) return again;
  for (std::size_t k = 0; k < rows.size; ++k) {
    std::uint64_t* const words = bits_ + (index(rows.first) + k) * row_words_;
    const std::uint32_t* origin = rows.origins + k;
    std::size_t at = *origin / 64;
    std::uint64_t word = words[at];
    for (std::size_t r = 0; r < rows.rows; ++r, origin += rows.stride) {
      if (*origin / 64 != at) {
        words[at] = word;
        at = *origin / 64;
        word = words[at];
        // Of the destination after the next, whose origin is the next but one in the row.
        if (k + 2 < rows.size) __builtin_prefetch(words + 2 * row_words_ + origin[2] / 64, 1);
      }
      again += word >> (*origin % 64) & 1U;
      word |= std::uint64_t{1} << (*origin % 64);
    }
    words[at] = word;
  }
  return again;
}

bool ExactLedger::entered(Origin origin, NodeId destination) const noexcept {
  if (shared_words_) {
    const Origin place = place_of(origin, destination);
    return (bits_[word_of(place)] & bit_of(place)) != 0;
  }
  return (bits_[index(destination) * row_words_ + word_of(origin)] & bit_of(origin)) != 0;
}

std::vector<MissingPair> ExactLedger::some_missing(Destinations among, std::size_t most) const {
  std::vector<MissingPair> missing;
  if (const PairList* const pairs = collective_.pairs()) {
    for (const BlockPair& pair : pairs->all())
      if (missing.size() < most && index(pair.destination) >= among.first &&
          index(pair.destination) < among.last && !entered(pair.origin, pair.destination))
        missing.push_back(pair);
    return missing;
  }
  for (std::uint64_t d = among.first; d < std::min(among.last, processors_); ++d) {
    const std::uint64_t first = single_source_ ? index(collective_.block_for(NodeId{d})) : 0;
    const std::uint64_t last =
        single_source_ ? first + 1 : collective_.pattern.origins(processors_);
    for (std::uint64_t o = first; o < last; ++o) {
      if (missing.size() == most) return missing;
      if (collective_.expects(Origin{o}, NodeId{d}) && !entered(Origin{o}, NodeId{d}))
        missing.push_back({Origin{o}, NodeId{d}});
    }
  }
  return missing;
}

std::uint64_t ExactLedger::entered() const noexcept {
  std::uint64_t entered = 0;
  for (std::uint64_t i = 0; i < words_; ++i)
    entered += static_cast<std::uint64_t>(std::popcount(bits_[i]));
  return entered;
}

std::uint64_t ExactLedger::received(NodeId destination) const {
  std::uint64_t entered = 0;
  for (std::uint64_t word = 0; word < row_words_; ++word)
    entered +=
        static_cast<std::uint64_t>(std::popcount(bits_[index(destination) * row_words_ + word]));
  return entered;
}

std::optional<MissingPair> ExactLedger::first_missing(Destinations among) const {
  const std::vector<MissingPair> first = some_missing(among, 1);
  return first.empty() ? std::nullopt : std::optional(first.front());
}

DigestLedger::DigestLedger(const Collective& collective, std::uint64_t processors,
                           std::uint64_t seed)
    : collective_(collective),
      key_high_(mixed(seed + 0x243f6a8885a308d3)),
      key_low_(mixed(seed + 0x13198a2e03707344)),
      rows_(processors) {}

std::uint64_t DigestLedger::bytes(std::uint64_t processors) { return processors * sizeof(Row); }

/// Adds 64 destinations at a time, and keeps the halves of each sum in separate arrays: compilers
/// make vectors of 64-bit numbers, not of 128-bit ones. Few destinations are added one by one.
void DigestLedger::enter(const detail::LoggedRows& rows) noexcept {
  constexpr std::size_t piece = 64;
  constexpr std::size_t few = 8;
  if (rows.size < few || rows.rows == 1) {
    for (std::size_t k = 0; k < rows.size; ++k) {
      Row row = rows_[index(rows.first) + k];
      for (std::size_t r = 0; r < rows.rows; ++r) row.sum += hash(Origin{rows.of(r)[k]});
      row.count += rows.rows;
      rows_[index(rows.first) + k] = row;
    }
    return;
  }
  for (std::size_t done = 0; done < rows.size; done += piece) {
    const std::size_t count = std::min(piece, rows.size - done);
    std::array<std::uint64_t, piece> high{};
    std::array<std::uint64_t, piece> low{};
    for (std::size_t r = 0; r < rows.rows; ++r) {
      const std::uint32_t* const origins = rows.of(r) + done;
      for (std::size_t k = 0; k < count; ++k) {
        const std::uint64_t added = low_hash(Origin{origins[k]});
        low[k] += added;
        high[k] += high_hash(Origin{origins[k]}) + (low[k] < added ? 1 : 0);
      }
    }
    for (std::size_t k = 0; k < count; ++k) {
      Row& row = rows_[index(rows.first) + done + k];
      row.sum += (Sum{high[k]} << 64U) | low[k];
      row.count += rows.rows;
    }
  }
}

/// The sum that every destination should have: over all origins, or those of the other class, but
/// for its own.
DigestLedger::Judgement DigestLedger::judge(Destinations among) const {
  const std::uint64_t processors = rows_.size();
  const Pattern& pattern = collective_.pattern;
  const Expectation expects = collective_.expectation(processors);
  const auto class_of = [&](NodeId u) {
    return expects.classes != nullptr && expects.classes->is_odd(u) ? std::size_t{1}
                                                                    : std::size_t{0};
  };
  const auto add = [this](Row& row, Origin origin) {
    row.sum += hash(origin);
    ++row.count;
  };
  std::array<Row, 2> all{};
  std::vector<Row> made(expects.homes == nullptr ? 0 : processors);  // by each processor
  for (std::uint64_t o = 0; collective_.every_source() && o < expects.origins; ++o) {
    const NodeId home = pattern.home(Origin{o});
    add(all[class_of(home)], Origin{o});
    if (!made.empty()) add(made[index(home)], Origin{o});
  }
  const auto expected_by = [&](NodeId d) {
    Row own{};
    if (expects.pairs != nullptr) {
      for (const BlockPair& pair : expects.pairs->of(d)) add(own, pair.origin);
      return own;
    }
    if (!collective_.every_source()) {
      const Origin only = collective_.block_for(d);
      if (expects(only, d)) add(own, only);
      return own;
    }
    if (expects.classes != nullptr) return all[1 - class_of(d)];
    if (collective_.needs_pattern() && made.empty()) return own;
    if (!collective_.every_destination() && d != collective_.root) return own;
    if (made.empty())
      add(own, d);
    else
      own = made[index(d)];
    return Row{all[0].sum - own.sum, all[0].count - own.count};
  };
  Judgement judgement;
  for (std::uint64_t d = among.first; d < std::min(among.last, processors); ++d) {
    const Row expected = expected_by(NodeId{d});
    const Row& row = rows_[d];
    if (row.count < expected.count) judgement.missing += expected.count - row.count;
    if (row.count > expected.count) judgement.duplicated += row.count - expected.count;
    if (row.count == expected.count && row.sum != expected.sum) ++judgement.wrong_sets;
  }
  return judgement;
}

}  // namespace lockstep
