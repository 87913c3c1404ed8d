// SPDX-License-Identifier: Apache-2.0
#pragma once

/// PairList: which blocks must end where, said pair by pair. Memory proportional to the pairs; a
/// pair is found by a search among those of its destination.
///
///     const PairList pairs({{Origin{0}, NodeId{3}}, {Origin{2}, NodeId{3}}});
///     pairs.find(Origin{2}, NodeId{3}) == 1;      // its number; the list is kept sorted

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lockstep/core/ids.hpp"

namespace lockstep {

/// The block of `origin` for `destination`.
struct BlockPair {
  Origin origin{};
  NodeId destination{};

  friend auto operator<=>(const BlockPair&, const BlockPair&) = default;
};

class PairList {
 public:
  /// In any order. Throws InvalidParameter where a pair is listed twice.
  explicit PairList(std::vector<BlockPair> pairs);

  [[nodiscard]] std::uint64_t size() const noexcept { return pairs_.size(); }
  /// By destination, then origin.
  [[nodiscard]] const std::vector<BlockPair>& all() const noexcept { return pairs_; }
  /// Those of one destination.
  [[nodiscard]] std::span<const BlockPair> of(NodeId destination) const noexcept;
  /// Its number among all; empty where it is not listed.
  [[nodiscard]] std::optional<std::uint64_t> find(Origin origin, NodeId destination) const noexcept;
  /// Where the pair of that number stood in the list that this was made of.
  [[nodiscard]] std::uint64_t listed(std::uint64_t number) const { return listed_[number]; }

 private:
  std::vector<BlockPair> pairs_;
  std::vector<std::uint64_t> listed_;
  std::vector<std::uint64_t> first_;  // of each destination, up to the last that has any
};

}  // namespace lockstep
