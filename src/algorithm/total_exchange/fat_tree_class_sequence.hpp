// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchange in a fat tree of exponential capacities, in a k-ary n-tree, or in any XGFT whose
/// switches have as many links up as down, all leaves alike.
/// Model:   all-port.
/// Idea:    in a step either nobody starts a message or every leaf x sends to x (+) d, digit by
///          digit modulo the arities: no branch has more messages than lanes. What is left to
///          choose is the order of the offsets d, of which only the level counts: messages that
///          arrive together must have left together. Digitwise: furthest first. Class sequence: a
///          search, depth first, the highest level first, for a sequence without a lost step. In an
///          XGFT a message takes the port of the destination's digit on its way up: sources below
///          one subtree have destinations of different lower digits, so that no two meet on a link
///          up, and each link down leads to one destination.
/// Cost:    digitwise n + 2h - 2 start-ups and message times; class sequence one less for k = 2,
///          h >= 3, which is optimal (n + 2h - 2 is for k >= 3).
/// Source:  digitwise: Dimakopoulos 1996, section 6.3.3.1, in a simpler form.
/// Differs: the class sequence is not in the thesis, whose conjecture (section 6.3.4) it refutes
///          for k = 2 (tests/papers/fat_tree_exchange_test.cpp). Neither are XGFTs: the thesis's
///          switches pair any incoming with any outgoing link.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "algorithm/fat_tree/delivery_program.hpp"
#include "lockstep/program/algorithm.hpp"

namespace lockstep {

/// By step, the level at which the messages that leave in it turn; 0: none leaves.
using FatTreeClasses = std::vector<std::uint8_t>;

/// A sequence in which all messages have arrived after `steps` steps, no two classes in one; empty
/// where there is none, or the search gives up after some millions of choices.
[[nodiscard]] std::optional<FatTreeClasses> class_sequence(const SwitchTree& tree,
                                                           std::uint64_t steps);

enum class FatTreeClassOrder : std::uint8_t { furthest_first, searched };

template <FatTreeClassOrder order>
class FatTreeClassExchange final : public Algorithm {
  static constexpr bool searched = order == FatTreeClassOrder::searched;

 public:
  using TopologyType = SwitchTree;
  using Program = FatTreeDelivery;
  static constexpr AlgorithmInfo info{
      .name = searched ? "class-sequence" : "digitwise",
      .operation = Operation::total_exchange,
      .model = port_models::all_port,
      .source = searched ? "not in the thesis" : "Dimakopoulos, section 6.3.3.1, for fat trees",
      .costs = searched ? "n + 2h - 2 start-ups and message times, n + 2h - 3 for k = 2: the "
                          "lower bound"
                        : "n + 2h - 2 start-ups and message times",
      .summary = searched ? "all leaves alike, levels in an order without idle steps"
                          : "all leaves alike, furthest destinations first"};

  /// Every branch has a lane for each leaf below; in an XGFT no links are missing on the way up,
  /// and leaves have one.
  [[nodiscard]] static bool admits(const SwitchTree& tree);

  FatTreeClassExchange(SwitchTree tree, const Settings&);

  [[nodiscard]] std::optional<Cost> promise() const override { return Cost{steps_, steps_}; }
  [[nodiscard]] Footprint footprint() const override;
  [[nodiscard]] Program program() const;

 private:
  void inject_all(const InjectionTimes::Inject& inject) const;

  SwitchTree tree_;
  FatTreeWays ways_;
  FatTreeClasses classes_;
  std::uint64_t steps_ = 0;
};

using FatTreeDigitwise = FatTreeClassExchange<FatTreeClassOrder::furthest_first>;
using FatTreeClassSequence = FatTreeClassExchange<FatTreeClassOrder::searched>;

static_assert(AlgorithmClass<FatTreeDigitwise> && AlgorithmClass<FatTreeClassSequence>);

}  // namespace lockstep
