// SPDX-License-Identifier: Apache-2.0
#include "lockstep/collective/pair_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

[[nodiscard]] bool is_before(const BlockPair& a, const BlockPair& b) noexcept {
  return std::pair(a.destination, a.origin) < std::pair(b.destination, b.origin);
}

}  // namespace

PairList::PairList(std::vector<BlockPair> pairs) : listed_(pairs.size()) {
  std::iota(listed_.begin(), listed_.end(), std::uint64_t{0});
  std::sort(listed_.begin(), listed_.end(),
            [&](std::uint64_t a, std::uint64_t b) { return is_before(pairs[a], pairs[b]); });
  pairs_.reserve(pairs.size());
  for (const std::uint64_t i : listed_) pairs_.push_back(pairs[i]);
  const auto twice = std::adjacent_find(pairs_.begin(), pairs_.end());
  if (twice != pairs_.end())
    throw InvalidParameter(fmt::format("pattern: block {} for node {} is listed twice",
                                       index(twice->origin), index(twice->destination)));
  // A table by destination, unless most of it would be of destinations that have no pair.
  constexpr std::uint64_t places_per_pair = 1024;
  if (pairs_.empty() || index(pairs_.back().destination) / places_per_pair >= pairs_.size()) return;
  for (std::uint64_t i = 0; i < pairs_.size(); ++i)
    first_.resize(index(pairs_[i].destination) + 1, i);
  first_.push_back(pairs_.size());
}

std::span<const BlockPair> PairList::of(NodeId destination) const noexcept {
  if (first_.empty()) {
    const auto begin = std::lower_bound(pairs_.begin(), pairs_.end(),
                                        BlockPair{Origin{0}, destination}, is_before);
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
  const auto found = std::lower_bound(own.begin(), own.end(), wanted, is_before);
  if (found == own.end() || *found != wanted) return std::nullopt;
  return static_cast<std::uint64_t>(&*found - pairs_.data());
}

}  // namespace lockstep
