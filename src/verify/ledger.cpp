// SPDX-License-Identifier: Apache-2.0
#include "lockstep/verify/ledger.hpp"

#include <array>
#include <bit>

namespace lockstep {

ExactLedger::ExactLedger(const Collective& collective, std::uint64_t processors)
    : collective_(collective),
      processors_(processors),
      single_source_(!collective.every_source()),
      row_words_(single_source_ ? 0 : (processors + 63) / 64),
      bits_(bytes(collective, processors) / sizeof(std::uint64_t)) {}

std::uint64_t ExactLedger::bytes(const Collective& collective, std::uint64_t processors) {
  const std::uint64_t row_words = (processors + 63) / 64;
  return (collective.every_source() ? processors * row_words : row_words) * sizeof(std::uint64_t);
}

bool ExactLedger::entered(NodeId source, NodeId destination) const noexcept {
  if (single_source_) return (bits_[word_of(destination)] & bit_of(destination)) != 0;
  return (bits_[index(destination) * row_words_ + word_of(source)] & bit_of(source)) != 0;
}

/// `visit` returns false to stop.
template <class Visit>
void ExactLedger::for_each_missing(Visit&& visit) const {
  for (std::uint64_t d = 0; d < processors_; ++d) {
    const std::uint64_t first = single_source_ ? index(collective_.root) : 0;
    const std::uint64_t last = single_source_ ? first + 1 : processors_;
    for (std::uint64_t s = first; s < last; ++s)
      if (collective_.expects(NodeId{s}, NodeId{d}) && !entered(NodeId{s}, NodeId{d}))
        if (!visit(MissingPair{NodeId{s}, NodeId{d}})) return;
  }
}

std::uint64_t ExactLedger::missing() const {
  std::uint64_t entered = 0;  // only expected pairs are entered, so counting bits is enough
  for (const std::uint64_t word : bits_) entered += static_cast<std::uint64_t>(std::popcount(word));
  return collective_.deliveries(processors_) - entered;
}

std::uint64_t ExactLedger::received(NodeId destination) const {
  std::uint64_t entered = 0;
  for (std::uint64_t word = 0; word < row_words_; ++word)
    entered +=
        static_cast<std::uint64_t>(std::popcount(bits_[index(destination) * row_words_ + word]));
  return entered;
}

std::optional<MissingPair> ExactLedger::first_missing() const {
  std::optional<MissingPair> first;
  for_each_missing([&](const MissingPair& pair) {
    first = pair;
    return false;
  });
  return first;
}

std::vector<MissingPair> ExactLedger::all_missing() const {
  std::vector<MissingPair> all;
  for_each_missing([&](const MissingPair& pair) {
    all.push_back(pair);
    return true;
  });
  return all;
}

DigestLedger::DigestLedger(const Collective& collective, std::uint64_t processors,
                           std::uint64_t seed)
    : collective_(collective),
      key_high_(mixed(seed + 0x243f6a8885a308d3)),
      key_low_(mixed(seed + 0x13198a2e03707344)),
      rows_(processors) {}

std::uint64_t DigestLedger::bytes(std::uint64_t processors) { return processors * sizeof(Row); }

DigestLedger::Judgement DigestLedger::judge() const {
  const std::uint64_t processors = rows_.size();
  const bool odd_only = collective_.operation == Operation::odd_distance_exchange;
  // Of all sources; of an odd-distance exchange: of each class.
  std::array<Row, 2> sources{};
  const auto class_of = [&](std::uint64_t u) {
    return odd_only && collective_.classes->is_odd(NodeId{u}) ? std::size_t{1} : std::size_t{0};
  };
  for (std::uint64_t s = 0; s < processors; ++s) {
    sources[class_of(s)].sum += hash(NodeId{s});
    ++sources[class_of(s)].count;
  }
  Judgement judgement;
  for (std::uint64_t d = 0; d < processors; ++d) {
    const NodeId destination{d};
    Sum sum = 0;
    std::uint64_t count = 0;
    if (odd_only) {
      sum = sources[1 - class_of(d)].sum;
      count = sources[1 - class_of(d)].count;
    } else if (collective_.every_source() && collective_.expects(NodeId{d == 0}, destination)) {
      sum = sources[0].sum - hash(destination);
      count = processors - 1;
    } else if (collective_.expects(collective_.root, destination)) {
      sum = hash(collective_.root);
      count = 1;
    }
    const Row& row = rows_[d];
    if (row.count < count) judgement.missing += count - row.count;
    if (row.count > count) judgement.duplicated += row.count - count;
    if (row.count == count && row.sum != sum) ++judgement.wrong_sets;
  }
  return judgement;
}

}  // namespace lockstep
