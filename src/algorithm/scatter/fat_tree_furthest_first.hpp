// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Scatter in a fat tree, furthest destinations first.
/// Model:   single-port-send; with all ports as many messages leave in a step as the source has
///          lanes.
/// Idea:    the source sends by the level at which a message turns, the highest first; switches
///          pass on what came in the step before: there is never more than one message in a node.
/// Cost:    max over levels i of ceil((n - N_(i-1)) / c) + 2i - 1 start-ups and message times; c
///          messages leave in a step.
/// Source:  Dimakopoulos 1996, section 6.2.2.   Differs: several lanes (c > 1) are not in it.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "algorithm/fat_tree/delivery_program.hpp"
#include "algorithm/fat_tree/fat_tree_counts.hpp"
#include "lockstep/program/algorithm.hpp"

namespace lockstep {

/// Messages that a processor sends in a step: one, or as many as it has lanes.
enum class FatTreeSends : std::uint8_t { one, all_lanes };

template <FatTreeSends sends>
class FatTreeFurthestFirst final : public Algorithm {
  static constexpr bool one = sends == FatTreeSends::one;
  static constexpr std::array own_parameters{root_parameter};

 public:
  using TopologyType = SwitchTree;
  using Program = FatTreeDelivery;
  static constexpr AlgorithmInfo info{
      .name = one ? "furthest-first" : "furthest-first-all-port",
      .operation = Operation::scatter,
      .model = one ? port_models::single_port_send : port_models::all_port,
      .source = one ? "Dimakopoulos, section 6.2.2" : "not in the thesis",
      .costs =
          "max over i of (n - N_(i-1))/c + 2i - 1 start-ups and message times, with c messages "
          "sent per step: the lower "
          "bound",
      .summary = one ? "furthest destinations first, one message per step"
                     : "furthest destinations first, on all lanes of the source",
      .parameters = own_parameters};

  /// With one lane the two are the same.
  [[nodiscard]] static bool admits(const SwitchTree& tree) { return one || tree.lanes(1) > 1; }

  FatTreeFurthestFirst(SwitchTree tree, const Settings& settings)
      : tree_(std::move(tree)), root_(settings.number(root_parameter.name)) {
    check_countable(tree_);
  }

  [[nodiscard]] std::optional<Cost> promise() const override { return Cost{steps(), steps()}; }
  [[nodiscard]] Footprint footprint() const override {
    return Program::footprint(tree_, FatTreeColumns::first, steps(), tree_.processor_count() - 1,
                              hops_from(tree_));
  }
  [[nodiscard]] std::vector<Level> levels() const override { return levels_of_column_0(tree_); }
  [[nodiscard]] Program program() const {
    return {tree_, FatTreeColumns::first,
            std::make_shared<InjectionTimes>([this](const InjectionTimes::Inject& inject) {
              for (std::uint64_t i = 0; i + 1 < tree_.processor_count(); ++i)
                inject(i / width(), root_, furthest(tree_, root_, i));
            })};
  }

 private:
  [[nodiscard]] std::uint64_t width() const { return one ? 1 : tree_.lanes(1); }
  [[nodiscard]] std::uint64_t steps() const { return steps_with_leaf(tree_, width()); }

  SwitchTree tree_;
  std::uint64_t root_;
};

static_assert(AlgorithmClass<FatTreeFurthestFirst<FatTreeSends::one>>);

}  // namespace lockstep
