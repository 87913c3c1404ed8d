// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchange in a fat tree of any capacities or any XGFT, by first fit.
/// Model:   all-port.
/// Idea:    messages are taken in the order of the phases; each leaves in the earliest step in
///          which it finds a lane on every branch of its way, as it passes. In an XGFT columns are
///          tried from that of the destination's digits on. Switches pass on; no queues.
/// Cost:    no closed form: that of the plan. In fat trees with constant capacities it is the lower
///          bound, n^2 (k-1)/k^2 + 2h - 1, in every tree tried. Of 1,800 XGFTs of up to 81
///          processors 57 % are at the lower bound, that of the fat tree whose capacities are the
///          links above a subtree, 27 % a step above it; at worst it is a fifth above.
/// Source:  not in the thesis.   Differs: none.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "algorithm/fat_tree/delivery_program.hpp"
#include "algorithm/fat_tree/fat_tree_counts.hpp"
#include "algorithm/fat_tree/tree_shapes.hpp"
#include "lockstep/program/algorithm.hpp"

namespace lockstep {

class FatTreeFirstFit final : public Algorithm {
 public:
  using TopologyType = SwitchTree;
  using Program = FatTreeDelivery;
  struct Plan {
    std::shared_ptr<const InjectionTimes> injections;
    std::uint64_t steps = 0;
  };
  static constexpr AlgorithmInfo info{
      .name = "first-fit",
      .operation = Operation::total_exchange,
      .model = port_models::all_port,
      .source = "Lockstep; not in Dimakopoulos",
      .costs =
          "from the plan; fat trees with constant capacities: the lower bound on message times of "
          "undivided blocks in all tested cases; XGFTs: at most one above it in 83 % of 1,800 "
          "trees",
      .summary = "sends each message in the earliest step with a free route; no queues"};

  /// Throws ResourceExhausted where the plan takes more than 4 GiB.
  FatTreeFirstFit(SwitchTree tree, const Settings&);

  [[nodiscard]] std::optional<Cost> promise() const override { return std::nullopt; }
  [[nodiscard]] Footprint footprint() const override;
  [[nodiscard]] Program program() const;

  [[nodiscard]] std::uint64_t planning_bytes() const override;

 private:
  [[nodiscard]] Plan plan() const;

  SwitchTree tree_;
  FatTreeWays ways_;
  KeptPlan<Plan> plan_;
};

/// Total exchange in a fat tree of any capacities, level by level.
/// Model:   all-port.
/// Idea:    a phase per level, the root's first, for the messages that turn there: in each of its
///          steps e_l of them leave every child of every node of that level, from leaves that
///          are spread evenly, and then move in every step. No queues.
/// Source:  Dimakopoulos 1996, section 6.3.3.
/// Differs: the thesis leaves open who sends what; e_l = min(c_l, k_(l-1) e_(l-1)) stands for c_l,
///          which lower levels cannot always fill (equation 6.5 is wrong there); where e_l does
///          not divide N_(l-1), its steps are filled by first fit
///          (tests/papers/fat_tree_exchange_test.cpp).
///
/// Its steps: where each phase begins, and in which of its windows a message leaves.
class FatTreePhasePlan {
 public:
  struct Phase {
    std::uint64_t start = 0;              ///< its first step, counted from 0
    std::uint64_t windows = 0;            ///< steps in which messages leave
    std::uint64_t width = 0;              ///< messages of a child in one, where they are cut evenly
    std::vector<std::uint32_t> fitted{};  ///< else: the window of every slot
    [[nodiscard]] std::uint64_t window(std::uint64_t slot) const {
      return fitted.empty() ? slot / width : fitted[slot];
    }
  };

  FatTreePhasePlan(const SwitchTree& tree, bool pipelined);

  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
  /// That its windows take.
  [[nodiscard]] std::uint64_t bytes() const;
  /// The phase of the messages that turn at that level.
  [[nodiscard]] const Phase& phase(std::size_t level) const { return phases_[level - 1]; }

 private:
  std::vector<Phase> phases_;  ///< of level 1, 2, ..
  std::uint64_t steps_ = 0;
};

class FatTreePhases final : public Algorithm {
  static constexpr std::array own_parameters{pipelined_parameter};

 public:
  using TopologyType = SwitchTree;
  using Program = FatTreeDelivery;
  static constexpr AlgorithmInfo info{
      .name = "phases",
      .operation = Operation::total_exchange,
      .model = port_models::all_port,
      .source = "Dimakopoulos, section 6.3.3",
      .costs =
          "sum over l of (k_l - 1) N_(l-1)^2/e_l, + 2h - 1 start-ups and message times; without "
          "pipelining + h^2",
      .summary = "level by level, messages through the root first; any capacities, no queues",
      .parameters = own_parameters};

  [[nodiscard]] static SupportedNetworks networks() { return one_parent_trees; }

  FatTreePhases(SwitchTree tree, const Settings& settings);

  [[nodiscard]] std::optional<Cost> promise() const override;
  [[nodiscard]] Footprint footprint() const override;
  [[nodiscard]] Program program() const;

 private:
  SwitchTree tree_;
  std::shared_ptr<const FatTreePhasePlan> plan_;
};

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
///
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
      .source = searched ? "Lockstep; not in Dimakopoulos"
                         : "Dimakopoulos, section 6.3.3.1, for fat trees",
      .startups = searched ? "" : "N + 2*h - 2",
      .message_times = searched ? "" : "N + 2*h - 2",
      .costs = searched ? "N + 2h - 2 start-ups and message times, one less for k = 2" : "",
      .claims = searched ? with_one_link_per_leaf(
                               {.startups = Among::one_block, .message_times = Among::undivided})
                         : Claims{},
      .summary = searched ? "every leaf makes the same moves; levels in an order without idle steps"
                          : "every leaf makes the same moves; furthest destinations first"};

  [[nodiscard]] static SupportedNetworks networks() { return full_trees; }

  FatTreeClassExchange(SwitchTree tree, const Settings&);

  [[nodiscard]] std::optional<Cost> promise() const override { return Cost{steps_, steps_}; }
  [[nodiscard]] Footprint footprint() const override {
    return Program::of_exchange(tree_, FatTreeColumns::all, steps_);
  }
  [[nodiscard]] Program program() const;

 private:
  SwitchTree tree_;
  FatTreeWays ways_;
  FatTreeClasses classes_;
  std::uint64_t steps_ = 0;
};

using FatTreeDigitwise = FatTreeClassExchange<FatTreeClassOrder::furthest_first>;
using FatTreeClassSequence = FatTreeClassExchange<FatTreeClassOrder::searched>;

}  // namespace lockstep
