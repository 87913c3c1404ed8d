// SPDX-License-Identifier: Apache-2.0
#include "lockstep/collective/collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "core/invalid.hpp"
#include "lockstep/collective/buffer_layout.hpp"
#include "lockstep/collective/pattern.hpp"

namespace lockstep {

BufferLayout::BufferLayout(const Collective& collective, std::uint64_t processors)
    : collective_(collective),
      processors_(processors),
      origins_(collective.pattern.origins(processors)) {}

std::uint64_t BufferLayout::input_blocks() const noexcept {
  switch (collective_.operation) {
    case Operation::broadcast:
      return 1;
    case Operation::total_exchange:
    case Operation::odd_distance_exchange:
    case Operation::reduce_scatter:
      return processors_ * processors_;
    case Operation::partial_exchange:
      return collective_.deliveries(processors_);
    default:
      return origins_;
  }
}

std::uint64_t BufferLayout::output_blocks() const noexcept {
  if (collective_.is_by_pairs()) return collective_.deliveries(processors_);
  if (is_reduction(collective_.operation)) return collective_.deliveries(processors_);
  return has_root(collective_.operation) ? processors_ : processors_ * origins_;
}

std::optional<std::uint64_t> BufferLayout::listed(Origin origin,
                                                  NodeId destination) const noexcept {
  const PairList* const pairs = collective_.pairs();
  const auto number = pairs == nullptr ? std::nullopt : pairs->find(origin, destination);
  return number ? std::optional(pairs->listed(*number)) : std::nullopt;
}

std::optional<std::uint64_t> BufferLayout::input_block(Origin origin,
                                                       NodeId destination) const noexcept {
  const bool made_by_root = !collective_.every_source() && !is_reduction(collective_.operation);
  if (index(origin) >= origins_ || (made_by_root && origin != Origin{collective_.root}))
    return std::nullopt;
  if (!collective_.personalised()) return made_by_root ? 0 : index(origin);
  if (collective_.is_by_pairs()) return listed(origin, destination);
  if (index(destination) >= processors_) return std::nullopt;
  if (made_by_root) return index(destination);
  if (!collective_.every_destination()) return index(origin);
  return index(origin) * processors_ + index(destination);
}

std::optional<std::uint64_t> BufferLayout::output_block(Origin origin,
                                                        NodeId destination) const noexcept {
  if (index(origin) >= origins_ || index(destination) >= processors_) return std::nullopt;
  if (collective_.is_by_pairs()) return listed(origin, destination);
  if (collective_.operation == Operation::reduce)
    return destination == collective_.root ? std::optional<std::uint64_t>(0) : std::nullopt;
  if (!collective_.every_source()) return index(destination);
  if (collective_.every_destination()) return index(destination) * origins_ + index(origin);
  return destination == collective_.root ? std::optional(index(origin)) : std::nullopt;
}

namespace {

[[nodiscard]] bool is_before(const BlockPair& a, const BlockPair& b) noexcept {
  return std::pair(a.destination, a.origin) < std::pair(b.destination, b.origin);
}

}  // namespace

PairList::PairList(std::vector<BlockPair> pairs) : listed_(pairs.size()) {
  std::iota(listed_.begin(), listed_.end(), std::uint64_t{0});
  std::ranges::sort(
      listed_, [&](std::uint64_t a, std::uint64_t b) { return is_before(pairs[a], pairs[b]); });
  pairs_.reserve(pairs.size());
  for (const std::uint64_t i : listed_) pairs_.push_back(pairs[i]);
  const auto twice = std::adjacent_find(pairs_.begin(), pairs_.end());
  if (twice != pairs_.end())
    throw invalid("pattern: block {} for node {} is listed twice", index(twice->origin),
                  index(twice->destination));
  // A table by destination, unless most of it would be of destinations that have no pair.
  constexpr std::uint64_t places_per_pair = 1024;
  if (pairs_.empty() || index(pairs_.back().destination) / places_per_pair >= pairs_.size()) return;
  for (std::uint64_t i = 0; i < pairs_.size(); ++i)
    first_.resize(index(pairs_[i].destination) + 1, i);
  first_.push_back(pairs_.size());
}

std::span<const BlockPair> PairList::of(NodeId destination) const noexcept {
  if (first_.empty()) {
    const auto begin =
        std::ranges::lower_bound(pairs_, BlockPair{Origin{0}, destination}, is_before);
    const auto end = std::find_if(begin, pairs_.end(), [destination](const BlockPair& pair) {
      return pair.destination != destination;
    });
    return {begin, end};
  }
  if (index(destination) >= first_.size() - 1) return {};
  const std::uint64_t begin = first_[index(destination)];
  return {pairs_.data() + begin, first_[index(destination) + 1] - begin};
}

std::optional<std::uint64_t> PairList::find(Origin origin, NodeId destination) const noexcept {
  const std::span<const BlockPair> own = of(destination);
  const BlockPair wanted{origin, destination};
  const auto found = std::ranges::lower_bound(own, wanted, is_before);
  if (found == own.end() || *found != wanted) return std::nullopt;
  return static_cast<std::uint64_t>(&*found - pairs_.data());
}

Pattern Pattern::many(std::vector<NodeId> homes, std::uint64_t parts_per_block) {
  Pattern pattern;
  pattern.homes_ = std::make_shared<const std::vector<NodeId>>(std::move(homes));
  pattern.parts_per_block_ = parts_per_block;
  return pattern;
}

Pattern Pattern::pairs(const std::vector<BlockPair>& pairs, std::vector<NodeId> homes) {
  Pattern pattern;
  if (!homes.empty())
    pattern.homes_ = std::make_shared<const std::vector<NodeId>>(std::move(homes));
  std::vector<BlockPair> kept;
  for (const BlockPair& pair : pairs) {
    if (pattern.homes_ && index(pair.origin) >= pattern.homes_->size())
      throw invalid("pattern: block {} is not valid; expected 0..{}", index(pair.origin),
                    pattern.homes_->size() - 1);
    if (pattern.home(pair.origin) != pair.destination) kept.push_back(pair);
  }
  pattern.left_out_ = pairs.size() - kept.size();
  pattern.pairs_ = std::make_shared<const PairList>(std::move(kept));
  return pattern;
}

Pattern Pattern::of_whole_blocks() const {
  if (homes_ == nullptr || parts_per_block_ == 1) return *this;
  std::vector<NodeId> homes;
  homes.reserve(homes_->size() / parts_per_block_);
  for (std::size_t i = 0; i < homes_->size(); i += parts_per_block_) homes.push_back((*homes_)[i]);
  return many(std::move(homes));
}

void check_collective(const Collective& collective, std::uint64_t processors) {
  if (collective.operation > Operation::scan)
    throw invalid("operation: number {} is not valid; expected 0..{}", index(collective.operation),
                  index(Operation::scan));
  const auto require = [&](std::string_view what, NodeId node) {
    if (index(node) >= processors)
      throw invalid("{}: {} node {} is not valid; expected a processor, 0..{}",
                    name_of(collective.operation), what, index(node), processors - 1);
  };
  if (has_root(collective.operation)) require("root", collective.root);
  const Pattern& pattern = collective.pattern;
  const auto need = [&](bool has, std::string_view what) {
    if (!has)
      throw invalid("{}: no pattern given; expected {}", name_of(collective.operation), what);
  };
  if (collective.is_by_pairs())
    need(pattern.pairs() != nullptr, "Pattern::pairs, Pattern::where");
  else if (collective.operation == Operation::many_to_all)
    need(pattern.homes() != nullptr, "Pattern::many");
  else if (collective.operation == Operation::odd_distance_exchange)
    need(pattern.classes() != nullptr && pattern.classes()->nodes() >= processors,
         "Pattern::odd_distance of the network");
  for (std::uint64_t o = 0; pattern.homes() != nullptr && o < pattern.homes()->size(); ++o)
    require(fmt::format("source of block {}:", o), pattern.home(Origin{o}));
  if (collective.pairs() == nullptr) return;
  for (const auto& [origin, destination] : collective.pairs()->all()) {
    require(fmt::format("source of block {}:", index(origin)), pattern.home(origin));
    require(fmt::format("destination of block {}:", index(origin)), destination);
  }
}

}  // namespace lockstep
