// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A user's own schedule, or a saved one, on any network.
/// Model:   the file's: single-port where it says nothing; or the one that the run asks for.
/// Idea:    a file says what every node does in every step, or, on a Cayley graph, what the
///          identity sends, a plan of one class of nodes (program/schedule_file.hpp).
/// Cost:    a start-up for every step in which something is sent, the largest message of each.
/// Source:  the user.
/// Differs: nothing to differ from; tests/unit/algorithm/schedule_from_file_test.cpp,
///          tests/property/saved_schedule_laws_test.cpp.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "algorithm/many_to_all/placement.hpp"
#include "algorithm/planned_transfers.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/grouped_schedule_program.hpp"
#include "lockstep/program/schedule_program.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "program/schedule_file.hpp"

namespace lockstep {

inline constexpr Parameter schedule_parameter{
    .name = "schedule",
    .kind = Parameter::Kind::file,
    .placeholder = "FILE",
    .meaning =
        "Schedule file to run, such as one written by --save-schedule; implies "
        "--algorithm schedule",
    .noun = "schedule file",
    .phrase = " {}",
    .required = true,
    .selects_algorithm = true};

/// As for other algorithms, but the file itself says where the messages are, if the user does not.
inline constexpr Parameter placement_of_schedule = [] {
  Parameter placement = placement_parameter;
  placement.fallback = {};
  return placement;
}();

/// The part that does not depend on the operation's type.
class AnyScheduleFromFile : public Algorithm {
 public:
  using TopologyType = ErasedTopology;

  /// The one that the file states; the catalogue's otherwise.
  [[nodiscard]] std::optional<PortModel> port_model() const override {
    return file_->states_model ? std::optional(file_->model) : std::nullopt;
  }
  [[nodiscard]] std::optional<Cost> promise() const override;
  /// The plan itself: as many slots as it needs is known only when it is written.
  [[nodiscard]] Footprint footprint() const override;
  [[nodiscard]] std::uint64_t planning_bytes() const override {
    return plan_ ? plan_->planning_bytes() : 0;
  }
  [[nodiscard]] Pattern pattern() const override {
    if (operation_ != Operation::many_to_all) return {};
    return Pattern::many(file_->homes, file_->parts_per_block);
  }
  [[nodiscard]] Settings chosen() const override;
  /// The blocks that wait in a processor before the first step, for the largest queue.
  [[nodiscard]] std::optional<std::uint64_t> own_blocks() const override {
    if (!plan_ || operation_ != Operation::total_exchange) return std::nullopt;
    return nodes_ - 1;
  }
  /// "FILE:14"
  [[nodiscard]] std::string place_of(std::uint64_t step, NodeId node) const override {
    return file_->place_of(step, node);
  }

  using Programs = std::variant<ScheduleProgram, RoutedScheduleProgram, GroupedScheduleProgram>;
  [[nodiscard]] Programs program() const;
  /// Which of them, without making it.
  [[nodiscard]] std::size_t program_type() const;

 protected:
  /// Reads the file. Throws InvalidParameter.
  AnyScheduleFromFile(Operation operation, const ErasedTopology& network, const Settings& settings);

 private:
  void check_problem(const ErasedTopology& network, const Settings& settings) const;

  Operation operation_;
  std::uint64_t nodes_;
  std::shared_ptr<const ScheduleFile> file_;
  std::shared_ptr<const PlannedTransfers> plan_;  // null where the file has a schedule
  PlannedWork work_{};                            // of the schedule
};

template <Operation operation>
class ScheduleFromFile final : public AnyScheduleFromFile {
  static constexpr std::array rooted{schedule_parameter, root_parameter};
  static constexpr std::array many{schedule_parameter, messages_parameter, placement_of_schedule,
                                   parts_parameter};
  static constexpr std::array others{schedule_parameter};

 public:
  static constexpr std::span<const Parameter> parameters =
      has_root(operation)                   ? std::span<const Parameter>(rooted)
      : operation == Operation::many_to_all ? std::span<const Parameter>(many)
                                            : std::span<const Parameter>(others);
  static constexpr AlgorithmInfo info{
      .name = "schedule",
      .operation = operation,
      .model = port_models::single_port,
      .source = "the user's schedule file",
      .costs = "cost of the schedule",
      .summary = "checks a schedule file, of one node or of every node, and executes it",
      .parameters = parameters,
      .promise_name = "schedule"};

  ScheduleFromFile(const ErasedTopology& network, const Settings& settings)
      : AnyScheduleFromFile(operation, network, settings) {}
};

}  // namespace lockstep
