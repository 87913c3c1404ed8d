// SPDX-License-Identifier: Apache-2.0
#pragma once

/// An algorithm of the catalogue that is data, as a class: for tests of classes. Its plan is of one
/// class of nodes.
///
///     using StarLevelwiseGather = test::PlannedClass<star_all_gather, StarGraph>;
///     StarLevelwiseGather(StarGraph{5}).program();

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "algorithm/planned_algorithm.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/grouped_schedule_program.hpp"
#include "lockstep/topology/any_cayley.hpp"

namespace lockstep::test {

class PlannedForClass : public Algorithm {
 public:
  [[nodiscard]] std::optional<Cost> promise() const override { return plan_->promise(); }
  [[nodiscard]] Footprint footprint() const override { return plan_->footprint(); }
  [[nodiscard]] std::uint64_t planning_bytes() const override { return plan_->planning_bytes(); }
  [[nodiscard]] GroupedScheduleProgram program() const {
    return std::get<GroupedScheduleProgram>(plan_->program());
  }

 protected:
  explicit PlannedForClass(std::shared_ptr<const PlannedTransfers> plan) : plan_(std::move(plan)) {}

 private:
  std::shared_ptr<const PlannedTransfers> plan_;
};

template <const PlannedAlgorithm& algorithm, class Net>
class PlannedClass final : public PlannedForClass {
 public:
  using TopologyType = Net;
  static constexpr const AlgorithmInfo& info = algorithm.info;

  [[nodiscard]] static const SupportedNetworks& networks() { return algorithm.networks; }

  explicit PlannedClass(const Net& network, const Settings& settings = {})
      : PlannedForClass(planned_for(algorithm, any_cayley(network), settings)) {}
};

}  // namespace lockstep::test
