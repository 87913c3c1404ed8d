// SPDX-License-Identifier: Apache-2.0
#pragma once

/// SingleReceptionMachine: runs programs whose processors receive one message in the whole run, on
/// a topology that is a formula, for networks of billions of nodes. Same contract as Machine, same
/// record; it keeps a block and three bits per node, and a step costs what its active processors
/// cost (and a look at one bit of every other). Faults, waits and runs that go on after a violation
/// are Machine's.
///
///     SingleReceptionMachine<Hypercube, Binomial, ProvingHost> machine(cube, program, host,
///         {.model = port_models::single_port, .block_bytes = 1});
///     const RunRecord record = machine.run(*make_executor(ExecutorKind::tbb, 2));

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/machine/executor.hpp"
#include "lockstep/machine/machine_options.hpp"
#include "lockstep/machine/rejected_messages.hpp"
#include "lockstep/machine/single_reception_boxes.hpp"
#include "lockstep/machine/single_reception_view.hpp"
#include "lockstep/machine/step_account.hpp"
#include "lockstep/machine/task_outcome.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

template <class Net, class Prog, class H>
class SingleReceptionMachine {
  static_assert(Topology<Net> && SingleReceptionProgram<Prog> && Host<H>);

 public:
  /// The arguments outlive the machine. Throws InvalidParameter where program or options do not fit
  /// the machine, before anything runs.
  SingleReceptionMachine(const Net& network, const Prog& program, H& host, MachineOptions options);

  /// Bytes that construction will take.
  [[nodiscard]] static std::uint64_t bytes(std::uint64_t nodes, std::size_t block_bytes) noexcept {
    return detail::SingleReceptionBoxes::bytes(nodes, block_bytes) +
           variable_count(nodes) * sizeof(typename Prog::Memory);
  }

  /// Runs the program from its first step to its end. Once per machine.
  [[nodiscard]] RunRecord run(Executor& executor);

 private:
  using Pass = detail::SingleReceptionPass<Net, Prog, H>;
  using View = SingleReceptionView<Pass>;
  struct Outcome : detail::TaskOutcome {
    std::vector<detail::RejectedMessage> rejected;
  };

  [[nodiscard]] static constexpr std::uint64_t variable_count(std::uint64_t nodes) noexcept {
    return std::is_empty_v<typename Prog::Memory> ? 1 : nodes;
  }
  static void check(const Net& network, const Prog& program, const MachineOptions& options);
  [[nodiscard]] std::uint64_t processor_count() const;
  void plan_tasks(std::size_t workers);
  void run_pass(Executor& executor);
  void step_loop(Executor& executor, RunRecord& record);
  [[nodiscard]] bool is_last_call() const;
  void run_range(std::size_t range);
  void run_words(Pass& pass, std::uint64_t first, std::uint64_t last, NodeId& running);
  void run_processor(Pass& pass, NodeId node, typename View::Message message);
  [[nodiscard]] std::vector<Violation> judge_rejected_messages();

  const Net& network_;
  const Prog& program_;
  H& host_;
  MachineOptions options_;
  std::uint64_t nodes_;
  detail::SingleReceptionBoxes boxes_;
  std::vector<typename Prog::Memory> variables_;

  std::uint64_t range_words_ = 1;  // of the bits of a task's nodes
  std::size_t workers_ = 1;
  std::vector<Outcome> outcomes_;  // of every range of nodes, in order
  std::uint64_t step_ = 0;
  std::uint64_t in_flight_ = 0;  // messages that were accepted in the step before
  detail::StepAccount account_;
  detail::FirstFailure failure_;
};

}  // namespace lockstep

#include "lockstep/machine/single_reception_machine_inline.hpp"
#include "lockstep/machine/single_reception_processors_inline.hpp"
