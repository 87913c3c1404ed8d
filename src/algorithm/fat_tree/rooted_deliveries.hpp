// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Scatter in a fat tree, furthest destinations first, and the gather that is this scatter read
/// backwards.
/// Model:   single-port-send; the scatter with all ports: as many messages leave in a step as the
///          source has lanes.
/// Idea:    the source sends by the level at which a message turns, the highest first; switches
///          pass on what came in the step before: there is never more than one message in a node.
///          In the gather a message leaves in the step that mirrors its counterpart's arrival.
/// Source:  Dimakopoulos 1996, section 6.2.2.   Differs: several lanes (c > 1) are not in it.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "algorithm/fat_tree/delivery_program.hpp"
#include "algorithm/fat_tree/fat_tree_counts.hpp"
#include "algorithm/fat_tree/tree_shapes.hpp"
#include "lockstep/program/algorithm.hpp"
#include "program/cost_formulas.hpp"

namespace lockstep {

/// `Self` adds its info, and inject(tree, root, steps, i, inject) for message i.
template <class Self>
class FatTreeRooted : public Algorithm {
 public:
  using TopologyType = SwitchTree;
  using Program = FatTreeDelivery;

  FatTreeRooted(SwitchTree tree, const Settings& settings)
      : tree_(std::move(tree)), root_(settings.number(root_parameter.name)) {
    check_countable(tree_);
  }

  [[nodiscard]] Footprint footprint() const override {
    return Program::footprint(tree_, FatTreeColumns::first, steps(), tree_.processor_count() - 1,
                              hops_from(tree_));
  }
  [[nodiscard]] std::vector<Level> levels() const override { return levels_of_column_0(tree_); }
  [[nodiscard]] Program program() const {
    return {tree_, FatTreeColumns::first,
            std::make_shared<InjectionTimes>([this](const InjectionTimes::Inject& inject) {
              for (std::uint64_t i = 0, all = steps(); i + 1 < tree_.processor_count(); ++i)
                Self::inject(tree_, root_, all, i, inject);
            })};
  }

 private:
  [[nodiscard]] std::uint64_t steps() const override {
    return value_by_formula(Self::info.startups, tree_).numerator();
  }

  SwitchTree tree_;
  std::uint64_t root_;
};

/// Messages that a processor sends in a step: one, or as many as it has lanes.
enum class FatTreeSends : std::uint8_t { one, all_lanes };

template <FatTreeSends sends>
class FatTreeFurthestFirst final : public FatTreeRooted<FatTreeFurthestFirst<sends>> {
  static constexpr bool one = sends == FatTreeSends::one;

 public:
  using FatTreeRooted<FatTreeFurthestFirst>::FatTreeRooted;
  static constexpr AlgorithmInfo info{
      .name = one ? "furthest-first" : "furthest-first-all-port",
      .operation = Operation::scatter,
      .model = one ? port_models::single_port_send : port_models::all_port,
      .source = one ? "Dimakopoulos, section 6.2.2" : "Lockstep; not in Dimakopoulos",
      .startups = one ? steps_with_leaf : steps_with_leaf_by_lanes,
      .message_times = one ? steps_with_leaf : steps_with_leaf_by_lanes,
      .claims =
          one ? Claims{.startups = Among::one_block, .message_times = Among::undivided}
              : with_one_parent({.startups = Among::one_block, .message_times = Among::undivided}),
      .summary = one ? "sends to the furthest destinations first, one message per step"
                     : "sends to the furthest destinations first, through all lanes of the source",
      .parameters = root_parameters};

  /// With one lane the two are the same.
  [[nodiscard]] static SupportedNetworks networks() { return one ? fat_trees : several_lane_trees; }

  static void inject(const SwitchTree& tree, std::uint64_t root, std::uint64_t /*steps*/,
                     std::uint64_t i, const InjectionTimes::Inject& inject) {
    inject(i / (one ? 1 : tree.lanes(1)), root, furthest(tree, root, i));
  }
};

class FatTreeReversedGather final : public FatTreeRooted<FatTreeReversedGather> {
 public:
  using FatTreeRooted::FatTreeRooted;
  static constexpr AlgorithmInfo info{
      .name = "reversed",
      .operation = Operation::gather,
      .model = port_models::single_port_send,
      .source = "Dimakopoulos, section 6.2.2",
      .startups = steps_with_leaf,
      .message_times = steps_with_leaf,
      .claims = with_one_parent({.startups = Among::one_block, .message_times = Among::undivided}),
      .summary = "reverses the scatter with furthest destinations first; no queues",
      .parameters = root_parameters};

  /// In the scatter message i arrives in step i + 2 turns, counted from 1.
  static void inject(const SwitchTree& tree, std::uint64_t root, std::uint64_t steps,
                     std::uint64_t i, const InjectionTimes::Inject& inject) {
    const std::uint64_t source = furthest(tree, root, i);
    inject(steps - i - 2 * tree.turning_level(root, source), source, root);
  }
};

}  // namespace lockstep
