// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Definitions of machine.hpp: passes in groups, and those that run together
/// (passes_together.hpp).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "lockstep/machine/machine.hpp"

namespace lockstep {

template <class Net, class Prog, class Chans>
void Machine<Net, Prog, Chans>::run_nodes(const TaskRange& nodes, Outcome& outcome) {
  if constexpr (in_groups)
    if (runs_in_groups(nodes.place)) return run_range<true>(nodes, outcome);
  run_range<false>(nodes, outcome);
}

/// Nodes run alone where they take what nobody can have sent, or send what nobody can take.
template <class Net, class Prog, class Chans>
bool Machine<Net, Prog, Chans>::runs_in_groups([[maybe_unused]] PassPlace place) const {
  if constexpr (in_groups) {
    if (!groups_ || options_.fault.kind != FaultKind::none) return false;
    const auto& step = same_moves_->at(place.step);
    return step.is_lawful && (place.step > 0 || step.takes.empty()) &&
           !(place.last_call && !step.sends.empty());
  }
  return false;
}

/// Null: groups are as large as they may be.
template <class Net, class Prog, class Chans>
const std::uint64_t* Machine<Net, Prog, Chans>::group_ends(
    [[maybe_unused]] std::uint64_t first) const {
  if constexpr (in_rows)
    if (together_) return together_->group_ends(first);
  return nullptr;
}

template <class Net, class Prog, class Chans>
TaskPlan Machine<Net, Prog, Chans>::plan_tasks(std::size_t workers) {
  const TaskPlan plan = MachineCore::plan_tasks(workers);
  if constexpr (in_rows) {
    // A look at all links takes as long as that many steps.
    const bool is_long = setup_.run.step_count.value_or(0) > network_.max_degree();
    constexpr std::uint64_t cached_bytes = 1U << 20U;  // stay in a near cache from pass to pass
    const bool gains = plan.tasks > 1 || region_bytes() > cached_bytes;
    if (!channels_.keeps_rows() || !is_usual() || !is_long || !gains) return plan;
    const std::uint64_t nodes = network_.node_count();
    if (options_.processors_per_task == 0) task_size_ = (nodes + plan.tasks - 1) / plan.tasks;
    if (!together_)
      together_.emplace(network_, options_, task_size_);  // set-up and run have one plan
    task_size_ = together_->task_size();
  }
  return plan;
}

template <class Net, class Prog, class Chans>
std::size_t Machine<Net, Prog, Chans>::passes_together([[maybe_unused]] PassPlace place) {
  std::size_t passes = 1;
  if constexpr (in_rows) {
    if (!together_ || !runs_in_groups(place)) return passes;
    std::uint64_t end = std::min(*setup_.run.step_count, place.step + Chans::row_steps / 2);
    if (options_.max_steps > place.step) end = std::min(end, options_.max_steps);
    for (std::uint64_t step = place.step + 1; step < end; ++step)
      if (Chans::clears_slots(step)) end = step;
    passes = together_->count(program_, *same_moves_, place.step, end);
    for (std::size_t i = 1; i < passes; ++i) channels_.begin_step(place.step + i);
  }
  return passes;
}

template <class Net, class Prog, class Chans>
void Machine<Net, Prog, Chans>::run_passes([[maybe_unused]] PassPlace place,
                                           [[maybe_unused]] std::size_t task,
                                           [[maybe_unused]] std::span<Outcome> outcomes) {
  if constexpr (in_rows) {
    const auto [first, last] = nodes_of_task(task);
    std::int64_t begun = PassRunner::nanoseconds_now();
    const auto run_block = [&](std::uint64_t from, std::uint64_t to) {
      for (std::size_t i = 0; i < outcomes.size(); ++i) {
        run_range<true>({{place.step + i}, task, from, to}, outcomes[i]);
        const std::int64_t now = PassRunner::nanoseconds_now();
        outcomes[i].seconds += static_cast<double>(now - std::exchange(begun, now)) * 1e-9;
      }
    };
    together_->for_each_block(first, last, run_block);
    for (Outcome& outcome : outcomes) outcome.counts.processors = outcome.counts.all;
  }
}

}  // namespace lockstep
