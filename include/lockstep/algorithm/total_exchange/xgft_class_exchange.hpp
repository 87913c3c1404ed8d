// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchange in a k-ary n-tree, or any XGFT whose switches have as many links up as down, all
/// leaves alike.
/// Model:   all-port; every link carries one message.
/// Idea:    the sequence of offsets of the fat tree of exponential capacities, in which every leaf
///          x sends to x (+) d. On its way up a message takes the port of the destination's digit:
///          sources below one subtree have destinations of different lower digits, so that no two
///          meet on a link up, and each link down leads to one destination.
/// Cost:    as in that fat tree: digitwise n + 2h - 2 start-ups and message times; class sequence
///          one less for k = 2, h >= 3, which is optimal.
/// Source:  not in the thesis, whose switches pair any incoming with any outgoing link.
/// Differs: none.

#include <memory>
#include <optional>
#include <utility>

#include "lockstep/algorithm/fat_tree/xgft_delivery.hpp"
#include "lockstep/algorithm/total_exchange/fat_tree_class_sequence.hpp"
#include "lockstep/program/algorithm.hpp"

namespace lockstep {

template <FatTreeClassOrder order>
class XgftClassExchange final : public Algorithm {
  using InFatTree = FatTreeClassExchange<order>;

 public:
  using TopologyType = Xgft;
  using Program = XgftDelivery;
  static constexpr AlgorithmInfo info{.name = InFatTree::info.name,
                                      .operation = InFatTree::info.operation,
                                      .model = InFatTree::info.model,
                                      .source = "not in the thesis",
                                      .costs = InFatTree::info.costs,
                                      .summary = InFatTree::info.summary};

  /// No links are missing on the way up, and leaves have one, all that is used.
  [[nodiscard]] static bool admits(const Xgft& tree) {
    for (std::size_t i = 1; i < tree.height(); ++i)
      if (tree.parents(i + 1) < tree.arity(i)) return false;
    return tree.parents(1) == 1;
  }

  XgftClassExchange(Xgft tree, const Settings& settings)
      : tree_(std::move(tree)), classes_(countable_tree(tree_), settings), ways_(tree_) {}

  [[nodiscard]] std::optional<Cost> promise() const override { return classes_.promise(); }
  [[nodiscard]] Footprint footprint() const override {
    return Program::footprint(tree_, classes_.footprint().steps);
  }
  [[nodiscard]] Program program() const {
    return {tree_, std::make_shared<Departures>([this](const Departures::Leaves& leaves) {
              classes_.tell([&](std::uint64_t step, std::uint64_t from, std::uint64_t to) {
                leaves(step, from, ways_.word({to, column_of_digits(tree_, to)}));
              });
            })};
  }

 private:
  Xgft tree_;
  InFatTree classes_;
  XgftWays ways_;
};

using XgftDigitwise = XgftClassExchange<FatTreeClassOrder::furthest_first>;
using XgftClassSequence = XgftClassExchange<FatTreeClassOrder::searched>;

static_assert(AlgorithmClass<XgftDigitwise> && AlgorithmClass<XgftClassSequence>);

}  // namespace lockstep
