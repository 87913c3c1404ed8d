// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Patterns: which blocks a collective has, their sources and destinations, as far as the operation
/// alone does not define them.
///
///     const Pattern pairs = Pattern::odd_distance(StarGraph{4});
///     const Pattern three = Pattern::many({NodeId{7}, NodeId{7}, NodeId{2}});
///     three.home(Origin{1}) == NodeId{7};          // a node may be home to none, one or several
///     const Pattern swap = Pattern::pairs({{Origin{0}, NodeId{1}}, {Origin{1}, NodeId{0}}});
///     const Pattern near = Pattern::where(64, [&](Origin from, NodeId to) { .. });
///
/// PairList: which blocks must end where, said pair by pair. Memory proportional to the pairs; a
/// pair is found by a search among those of its destination.
///
///     const PairList pairs({{Origin{0}, NodeId{3}}, {Origin{2}, NodeId{3}}});
///     pairs.find(Origin{2}, NodeId{3}) == 1;      // its number; the list is kept sorted

#include <compare>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/bipartition.hpp"

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
  /// The position of the pair of that number in the list that this was made of.
  [[nodiscard]] std::uint64_t listed(std::uint64_t number) const { return listed_[number]; }

 private:
  std::vector<BlockPair> pairs_;
  std::vector<std::uint64_t> listed_;
  std::vector<std::uint64_t> first_;  // of each destination, up to the last that has any
};

/// Shared by its copies, never altered.
class Pattern {
 public:
  /// Nothing but what the operation says: origin i is processor i.
  Pattern() = default;

  /// Processors at odd distance from each other. Throws InvalidParameter where the network is not
  /// bipartite.
  template <Topology T>
  [[nodiscard]] static Pattern odd_distance(const T& network) {
    Pattern pattern;
    pattern.classes_ = std::make_shared<const Bipartition>(network);
    return pattern;
  }
  /// Processor homes[j] is the source of origin j. If blocks are divided into parts that travel
  /// separately, the origins are these parts, in order; the parts of a block have the same home.
  [[nodiscard]] static Pattern many(std::vector<NodeId> homes, std::uint64_t parts_per_block = 1);

  /// The block of each pair's origin goes to its destination. The source of origin j is homes[j],
  /// or processor j without homes. Pairs from a processor to itself are left out. Throws
  /// InvalidParameter if a pair is listed twice or an origin has no home.
  [[nodiscard]] static Pattern pairs(const std::vector<BlockPair>& pairs,
                                     std::vector<NodeId> homes = {});
  /// The same of all pairs of processors that `expects(origin, destination)` is true of, by
  /// destination, then origin. O(processors squared).
  template <std::predicate<Origin, NodeId> Expects>
  [[nodiscard]] static Pattern where(std::uint64_t processors, const Expects& expects) {
    std::vector<BlockPair> all;
    for (std::uint64_t d = 0; d < processors; ++d)
      for (std::uint64_t o = 0; o < processors; ++o)
        if (o != d && expects(Origin{o}, NodeId{d})) all.push_back({Origin{o}, NodeId{d}});
    return pairs(all);
  }

  // Null where there is none.
  [[nodiscard]] const Bipartition* classes() const noexcept { return classes_.get(); }
  [[nodiscard]] const std::vector<NodeId>* homes() const noexcept { return homes_.get(); }
  [[nodiscard]] const PairList* pairs() const noexcept { return pairs_.get(); }
  /// Origins that are one block of the user.
  [[nodiscard]] std::uint64_t parts_per_block() const noexcept { return parts_per_block_; }
  /// The pattern of the blocks themselves.
  [[nodiscard]] Pattern of_whole_blocks() const;
  /// Pairs of a block and its own maker that were listed.
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

  /// The number of origins among `processors` processors.
  [[nodiscard]] std::uint64_t origins(std::uint64_t processors) const noexcept {
    return homes_ == nullptr ? processors : homes_->size();
  }
  /// Precondition: there is such an origin.
  [[nodiscard]] NodeId home(Origin origin) const noexcept {
    return homes_ == nullptr ? NodeId{index(origin)} : (*homes_)[index(origin)];
  }

 private:
  std::shared_ptr<const Bipartition> classes_;
  std::shared_ptr<const std::vector<NodeId>> homes_;
  std::shared_ptr<const PairList> pairs_;
  std::uint64_t parts_per_block_ = 1;
  std::uint64_t left_out_ = 0;
};

}  // namespace lockstep
