// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The step loop of all machines. It runs one pass after the other, adds up their counts, calls the
/// observers and ends the run. A machine implements the work of a pass on nodes and channels.
///
/// A pass takes the messages of step t-1 and sends those of step t: S steps take S + 1 passes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/detail/step_judge.hpp"
#include "lockstep/machine/detail/task_outcome.hpp"
#include "lockstep/machine/executor.hpp"
#include "lockstep/machine/machine_options.hpp"
#include "lockstep/machine/run_record.hpp"
#include "lockstep/program/phases.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

/// How a machine cuts its nodes into tasks, which are in the order of the nodes.
struct TaskPlan {
  std::size_t tasks = 1;
  /// Some take longer than others: a worker who is done takes the next. Otherwise a worker has the
  /// same tasks in every pass, and their memory in its cache.
  bool uneven = false;
};

/// The state that a machine reports to the loop.
struct MachineState {
  double setup_seconds = 0;
  std::uint64_t memory_bytes = 0;
  bool has_run = false;
};

/// A machine, as the loop sees it.
class PassRunner {
 public:
  PassRunner() = default;
  PassRunner(const PassRunner&) = delete;
  PassRunner& operator=(const PassRunner&) = delete;

  [[nodiscard]] virtual TaskPlan plan_tasks(std::size_t workers) = 0;
  virtual void begin_pass(PassPlace place) = 0;
  /// After begin_pass(): how many passes from this one on a task may run before the others have run
  /// theirs. None of them but the first can break a rule.
  [[nodiscard]] virtual std::size_t passes_together([[maybe_unused]] PassPlace place) { return 1; }
  /// By any worker. What it throws ends the run: of several tasks the first's.
  virtual void run_task(PassPlace place, std::size_t task, detail::TaskOutcome& outcome) = 0;
  /// So many passes as there are outcomes, as passes_together() said, with the time of each.
  virtual void run_passes([[maybe_unused]] PassPlace place, [[maybe_unused]] std::size_t task,
                          [[maybe_unused]] std::span<detail::TaskOutcome> outcomes) {}
  /// Adds to the sum of all tasks what can be judged only when they are done. `totals`: those that
  /// other processes do not know yet, of this pass last. Returns false if they stay unknown,
  /// because no message of the step leaves a process. Otherwise they are the totals of all
  /// processes afterwards.
  [[nodiscard]] virtual bool end_pass(PassPlace place, std::span<detail::TaskOutcome> totals) = 0;
  /// After the last pass: lets the host count what it has not looked up yet.
  virtual void settle(DeliveryTally& tally) = 0;
  /// Behind the port; the node itself where it has no such port.
  [[nodiscard]] virtual NodeId other_end(NodeId node, Port port) const = 0;

  [[nodiscard]] MachineState& state() noexcept { return state_; }

 protected:
  ~PassRunner() = default;

  /// At the end of construction, which took so many bytes.
  void note_made(std::uint64_t bytes);
  /// Work that belongs to the set-up, though it is done later.
  template <class Work>
  void add_setup(const Work& work) {
    const std::int64_t start = nanoseconds_now();
    work();
    state_.setup_seconds += static_cast<double>(nanoseconds_now() - start) * 1e-9;
  }

  [[nodiscard]] static std::int64_t nanoseconds_now();

 private:
  const std::int64_t construction_ = nanoseconds_now();
  MachineState state_;
};

/// Facts of network and program that the loop needs.
struct RunFacts {
  std::uint64_t nodes = 0;
  std::uint64_t processors = 0;
  /// Without it a run ends after the first step in which nothing was sent and nobody asked to stay
  /// active.
  std::optional<std::uint64_t> step_count{};
  std::uint64_t label_bytes = 0;  ///< of a block
  std::vector<Phase> phases{};    ///< as check_phases() allows
};

/// Runs all passes. Once per machine: throws InvalidParameter after that.
[[nodiscard]] RunRecord run_steps(PassRunner& machine, const RunFacts& facts,
                                  const MachineOptions& options, Executor& executor);

namespace detail {

template <Topology Net, Program Prog>
[[nodiscard]] RunFacts facts_of_run(const Net& network, const Prog& program) {
  RunFacts facts{.nodes = network.node_count(), .processors = processor_count(network)};
  if constexpr (CountedProgram<Prog>) facts.step_count = step_count_of(program);
  if constexpr (LabelledProgram<Prog>) facts.label_bytes = word_bytes;
  facts.phases = phases_of(program);
  return facts;
}

}  // namespace detail

}  // namespace lockstep
