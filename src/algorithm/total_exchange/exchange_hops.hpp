// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A personalised exchange as data (total exchange; scatter and gather by flow): in which step
/// every block makes each of its hops. Algorithms that plan hop by hop make one. PlannedExchange
/// runs a total exchange.
///
///     ExchangeHops hops = one_class(ring, steps);           // the nodes of a group move alike
///     hops.add(0, g, h, 0, 1);                              // step 0, block for g, from h to 1
///
/// Nodes of a class move alike: a translation of the group leads from one to the other and takes
/// hops to hops, so that those of one node, the representative of its class, say what all do. On
/// networks that are not translation-invariant every node is a class. Node-invariant schedules,
/// schedules by classes and schedules by nodes are thus made by one writer.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/class_schedule.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/program/schedule_program.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// A hop of the block that `source`, a representative, has for `destination`.
struct BlockHop {
  std::uint32_t step;
  std::uint32_t source;
  std::uint32_t destination;
  std::uint32_t from;
  std::uint32_t to;
};

struct ExchangeHops {
  std::uint64_t steps = 0;
  std::vector<std::uint32_t> class_of{};  ///< of every node
  std::vector<std::uint32_t>
      representatives{};         ///< a node of each class; of one class: the identity
  std::vector<BlockHop> hops{};  ///< those of a block in the order of their steps
  std::vector<Port> ports{};     ///< of the hops; empty: the first port that leads there

  [[nodiscard]] std::uint64_t nodes() const noexcept { return class_of.size(); }
  /// Whether nodes are too different to have translations.
  [[nodiscard]] bool by_node() const noexcept {
    return representatives.size() == class_of.size() && nodes() > 1;
  }
};

/// Without hops: every node is a class; all are one, of a Cayley graph whose identity is node 0.
[[nodiscard]] ExchangeHops every_node_a_class(std::uint64_t nodes);
[[nodiscard]] ExchangeHops all_one_class(std::uint64_t nodes);

/// The schedule of hops in which every node is a class, and the memory beside it while it is made.
[[nodiscard]] Schedule schedule_by_node(const ErasedTopology& network,
                                        const ExchangeHops& exchange);
[[nodiscard]] std::uint64_t planning_bytes_of(const ExchangeHops& exchange) noexcept;

/// More hops are not planned: gigabytes.
inline constexpr std::uint64_t most_planned_hops = std::uint64_t{1} << 23U;

/// Throws InvalidParameter for more than `most`; `what` begins the message: "a2 on torus:9x9".
void check_planned_hops(std::string_view what, std::uint64_t hops,
                        std::uint64_t most = most_planned_hops);

class PlannedExchange : public Algorithm {
 public:
  using TopologyType = ErasedTopology;
  using Programs = std::variant<ScheduleProgram, NodeInvariantProgram, ClassScheduleProgram>;

  [[nodiscard]] std::optional<Cost> promise() const override { return cost_; }
  [[nodiscard]] Footprint footprint() const override { return footprint_; }
  [[nodiscard]] std::uint64_t planning_bytes() const override { return planning_bytes_; }
  /// What waits in a processor before the first step; the largest queue is reported.
  [[nodiscard]] std::optional<std::uint64_t> own_blocks() const override {
    return network_.node_count() - 1;
  }
  [[nodiscard]] Programs program() const;
  /// Its place in Programs.
  [[nodiscard]] std::size_t program_type() const;

 protected:
  /// Throws InvalidParameter where there are too many hops, or blocks do not fit a region.
  PlannedExchange(std::string_view name, const ErasedTopology& network, ExchangeHops exchange);

 private:
  ErasedTopology network_;
  Cost cost_{};
  Footprint footprint_{};
  std::uint64_t planning_bytes_ = 0;
  std::shared_ptr<const Schedule> by_node_;
  std::shared_ptr<const ClassSchedule> by_class_;
  std::vector<std::uint32_t> class_of_;
};

}  // namespace lockstep
