// SPDX-License-Identifier: Apache-2.0
#pragma once

/// SingleReceptionMachine: runs programs whose processors receive one message in the whole run, on
/// a topology that is a formula, for networks of billions of nodes. Same contract as Machine, same
/// record; it keeps a block and three bits per node, and a step costs what its active processors
/// cost (and a look at one bit of every other). Faults, waits and runs that go on after a violation
/// are Machine's.
///
///     SingleReceptionMachine<Hypercube, Binomial> machine(cube, program, host,
///         {.model = port_models::single_port, .block_bytes = 1});
///     const RunRecord record = machine.run(*make_executor(ExecutorKind::tbb, 2));

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/machine/executor.hpp"
#include "lockstep/machine/machine_memory.hpp"
#include "lockstep/machine/machine_options.hpp"
#include "lockstep/machine/rejected_messages.hpp"
#include "lockstep/machine/single_reception_boxes.hpp"
#include "lockstep/machine/single_reception_view.hpp"
#include "lockstep/machine/step_loop.hpp"
#include "lockstep/program/group_of_one.hpp"
#include "lockstep/program/program_check.hpp"
#include "lockstep/program/pure_hooks.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

template <class Net, class Prog>
class SingleReceptionMachine final : PassRunner {
  static_assert(sizeof(ProgramCheck<Prog>) != 0);  // which says what does not fit
  static_assert(Topology<Net> && SingleReceptionProgram<Prog>);
  static_assert(!ReadingProgram<Prog> && !UnevenProgram<Prog>,
                "receive-once machine: a node must have exactly one block");

 public:
  /// The arguments outlive the machine. Throws InvalidParameter where program, host or options do
  /// not fit the machine, before anything runs.
  SingleReceptionMachine(const Net& network, const Prog& program, Host& host,
                         MachineOptions options);

  /// Bytes that construction will take.
  [[nodiscard]] static std::uint64_t bytes(std::uint64_t nodes, std::size_t block_bytes) noexcept {
    return receive_once_bytes(facts_of<Prog>(), nodes, block_bytes);
  }

  /// Runs the program from its first step to its end. Once per machine: InvalidParameter after
  /// that.
  [[nodiscard]] RunRecord run(Executor& executor);

  /// The variables of a node, as the run left them.
  [[nodiscard]] const typename Prog::Memory& memory(NodeId node) const {
    return variables_.at(std::is_empty_v<typename Prog::Memory> ? 0 : index(node));
  }

 private:
  using Pass = detail::SingleReceptionPass<Net, Prog>;
  using View = SingleReceptionView<Pass>;
  using Outcome = detail::TaskOutcome;

  [[nodiscard]] static constexpr std::uint64_t variable_count(std::uint64_t nodes) noexcept {
    return std::is_empty_v<typename Prog::Memory> ? 1 : nodes;
  }
  static void check(const Net& network, const Prog& program, const Host& host,
                    const MachineOptions& options);
  [[nodiscard]] TaskPlan plan_tasks(std::size_t workers) override;
  void begin_pass(PassPlace) override {}
  void run_task(PassPlace place, std::size_t range, Outcome& outcome) override;
  void end_pass(PassPlace place, Outcome& total) override;
  [[nodiscard]] NodeId other_end(NodeId node, Port port) const override;
  void run_words(Pass& pass, std::uint64_t first, std::uint64_t last);
  void run_processor(Pass& pass, NodeId node, typename View::Message message);

  const Net& network_;
  const Prog& program_;
  Host& host_;
  MachineOptions options_;
  std::uint64_t nodes_;
  bool laws_are_proven_;  // of the network
  detail::SingleReceptionBoxes boxes_;
  std::vector<typename Prog::Memory> variables_;

  std::uint64_t range_words_ = 1;                               // of the bits of a task's nodes
  std::vector<std::vector<detail::RejectedMessage>> rejected_;  // by task
  std::uint64_t in_flight_ = 0;  // messages that were accepted in the step before
};

}  // namespace lockstep

#include "lockstep/machine/single_reception_machine_inline.hpp"
#include "lockstep/machine/single_reception_processors_inline.hpp"
