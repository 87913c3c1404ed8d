// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>

#include "algorithm/checks.hpp"
#include "algorithm/scatter/tree.hpp"

namespace lockstep {
namespace {

constexpr Region in_hand{0};

/// What came in a step is passed on in it and read in the next; then the slot is free.
[[nodiscard]] Blocks slot_of(std::uint64_t step) {
  return {in_hand, static_cast<std::uint32_t>(step % 2), 1};
}

}  // namespace

AnyTreeScatter::AnyTreeScatter(const AlgorithmInfo& info, const ErasedTopology& network,
                               const Settings& settings)
    : network_(network),
      backwards_(info.operation == Operation::gather),
      tree_(SpanningTree::of_processors(
          network,
          checked_root(info.name, network.name(), NodeId{settings.number(root_parameter.name)},
                       network.processor_count()))) {
  for (std::uint32_t u = 0; u < network.processor_count(); ++u)
    if (NodeId{u} != tree_.root()) order_.push_back(u);
  std::ranges::stable_sort(order_, std::ranges::greater(),
                           [&](std::uint32_t u) { return tree_.depth(NodeId{u}); });
  for (std::uint64_t rank = 0; rank < order_.size(); ++rank) {
    const std::uint64_t depth = tree_.depth(NodeId{order_[rank]});
    steps_ = std::max(steps_, rank + depth);
    hops_ += depth;
  }
}

std::optional<Cost> AnyTreeScatter::promise() const { return Cost{steps_, steps_}; }

/// A turn for every hop and every message that leaves the root. What nodes do is the same but for
/// the root, which names every message.
Footprint AnyTreeScatter::footprint() const {
  constexpr std::uint64_t bytes_of_a_turn = 3 * sizeof(std::uint32_t);
  constexpr std::uint64_t bytes_of_a_message = 2 * sizeof(Action) + 2 * sizeof(std::uint32_t);
  const std::uint64_t nodes = network_.node_count();
  return {.steps = steps_,
          .hops = hops_,
          .blocks_per_processor = 2,
          .plan_bytes = (hops_ + order_.size()) * bytes_of_a_turn +
                        order_.size() * bytes_of_a_message +
                        (nodes + steps_) * sizeof(std::uint32_t)};
}

std::uint64_t AnyTreeScatter::planning_bytes() const {
  constexpr std::uint64_t bytes_while_written = 3 * sizeof(std::uint32_t);
  return footprint().plan_bytes + (hops_ + order_.size()) * bytes_while_written;
}

ScheduleProgram AnyTreeScatter::program() const {
  return ScheduleProgram(std::make_shared<const Schedule>(schedule()));
}

Schedule AnyTreeScatter::schedule() const {
  Schedule schedule(network_.node_count(), {2});
  schedule.reserve(hops_ + order_.size());
  // The turns of a node in the order of the steps.
  for (std::uint64_t i = 0; i < order_.size(); ++i)
    write_way(schedule, backwards_ ? order_.size() - 1 - i : i);
  schedule.close(steps_);
  return schedule;
}

/// From the root to destination number `rank`, which the message leaves for in step `rank`; or
/// back.
void AnyTreeScatter::write_way(Schedule& schedule, std::uint64_t rank) const {
  const NodeId end{order_[rank]};
  const NodeId root = tree_.root();
  const NodeId first = backwards_ ? end : root;
  const NodeId last = backwards_ ? root : end;
  Port down{};
  for (NodeId u = end;;) {
    const Port up = u == root ? Port{} : tree_.parent_port(u);
    const std::uint64_t forwards = rank + tree_.depth(u);
    const std::uint64_t step = backwards_ ? steps_ - forwards : forwards;
    schedule.begin_turn(step, u);
    const Port from = backwards_ ? down : up;
    if (u == first)
      schedule.load(slot_of(step), last);
    else if (u == last)
      schedule.take_deliver(from, 0, std::array{Origin{first}});
    else
      schedule.take_store(from, slot_of(step));
    if (u != last) schedule.send(backwards_ ? up : down, slot_of(step));
    if (u == root) return;
    down = network_.reverse_port(u, up);
    u = network_.neighbor(u, up);
  }
}

}  // namespace lockstep
