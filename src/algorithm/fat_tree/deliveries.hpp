// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Algorithms of fat trees whose messages leave in given steps and wait nowhere (FatTreeDelivery),
/// as data. Each is a value that plans a timetable; related ones share a source.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "algorithm/fat_tree/delivery_program.hpp"
#include "algorithm/fat_tree/fat_tree_counts.hpp"
#include "lockstep/program/algorithm.hpp"

namespace lockstep {

struct FatTreeTimetable {
  std::uint64_t steps = 0;
  FatTreeColumns columns = FatTreeColumns::first;
  /// Injects all messages, in any order.
  std::function<void(const InjectionTimes::Inject& inject)> inject_all{};
  std::uint64_t bytes = 0;  ///< memory of the timetable, without the injections
};

struct FatTreeDeliveries {
  AlgorithmInfo info;
  FatTreeTimetable (*plan)(const SwitchTree& tree, const Settings& settings);
};

// Scatters and gathers; total exchanges.
extern const FatTreeDeliveries furthest_first_scatter, furthest_first_scatter_by_lanes,
    reversed_gather;
extern const FatTreeDeliveries exchange_in_phases, digitwise_exchange, class_sequence_exchange;

template <const FatTreeDeliveries& rule>
class FatTreeDelivered final : public Algorithm {
 public:
  using TopologyType = SwitchTree;
  using Program = FatTreeDelivery;
  static constexpr const AlgorithmInfo& info = rule.info;

  FatTreeDelivered(SwitchTree tree, const Settings& settings)
      : tree_(std::move(tree)), times_(rule.plan(tree_, settings)) {}

  [[nodiscard]] std::optional<Cost> promise() const override {
    return is_rooted() ? std::nullopt : std::optional(Cost{times_.steps, times_.steps});
  }
  [[nodiscard]] Footprint footprint() const override {
    const std::uint64_t leaves = tree_.processor_count();
    const std::uint64_t lists = is_rooted() ? 1 : leaves;  // of messages to, or from, all others
    return Program::footprint(tree_, times_.columns, times_.steps, lists * (leaves - 1),
                              lists * hops_from(tree_), times_.bytes);
  }
  [[nodiscard]] std::uint64_t steps() const override { return times_.steps; }
  [[nodiscard]] std::vector<Level> levels() const override {
    return is_rooted() ? levels_of_column_0(tree_) : std::vector<Level>{};
  }
  [[nodiscard]] Program program() const {
    return {tree_, times_.columns, std::make_shared<InjectionTimes>(times_.inject_all)};
  }

 private:
  [[nodiscard]] static bool is_rooted() { return has_root(info.operation); }

  SwitchTree tree_;
  FatTreeTimetable times_;
};

}  // namespace lockstep
