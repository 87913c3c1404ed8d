// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Definitions of single_reception_machine.hpp, in the order of a run.

#include <algorithm>

#include "lockstep/core/expects.hpp"
#include "lockstep/machine/single_reception_machine.hpp"

namespace lockstep {

template <class Net, class Prog>
SingleReceptionMachine<Net, Prog>::SingleReceptionMachine(const Net& network, const Prog& program,
                                                          Host& host, MachineOptions options)
    : network_((check(network, program, host, options), network)),
      program_(program),
      host_(host),
      options_(std::move(options)),
      nodes_(network.node_count()),
      laws_are_proven_(are_laws_proven(network)),
      boxes_(nodes_, options_.block_bytes) {
  variables_.reserve(variable_count(nodes_));
  for (std::uint64_t u = 0; u < variable_count(nodes_); ++u)
    variables_.push_back(memory_of<Prog>(NodeId{u}));
  for (const NodeId node : program.starts()) {
    if (index(node) >= nodes_)
      throw InvalidParameter("program: starts at node " + std::to_string(index(node)) +
                             "; allowed: 0.." + std::to_string(nodes_ - 1));
    boxes_.start(node);
  }
  note_made(bytes(nodes_, options_.block_bytes));
}

template <class Net, class Prog>
void SingleReceptionMachine<Net, Prog>::check(const Net& network, const Prog& program,
                                              const Host& host, const MachineOptions& options) {
  check_host(host, processor_count(network), options.block_bytes);
  check_block_bytes(options.block_bytes);
  if (std::uint64_t all = 0;
      __builtin_mul_overflow(network.node_count(), std::uint64_t{options.block_bytes}, &all))
    throw InvalidParameter("machine: needs more than 2^64 bytes of memory");
  if (program.regions() != std::vector<std::uint32_t>{1})
    throw InvalidParameter(
        "program: a receive-once program must have memory for exactly one block");
  (void)phases_of(program);  // checks them
  if constexpr (heavy_checks) check_hooks_are_pure(program, network.node_count());
  if (network.max_degree() > detail::SingleReceptionBoxes::max_ports)
    throw InvalidParameter("receive-once machine: a node has " +
                           std::to_string(network.max_degree()) + " ports; allowed: up to " +
                           std::to_string(detail::SingleReceptionBoxes::max_ports));
  if (options.fault.kind != FaultKind::none || options.watch_waits || !options.stop_at_violation)
    throw InvalidParameter(
        "receive-once machine: supports no faults and no waits, and stops at a violation");
}

template <class Net, class Prog>
RunRecord SingleReceptionMachine<Net, Prog>::run(Executor& executor) {
  return detail::run_steps(*this, network_, program_, options_, executor);
}

/// Some ranges of nodes are busier than others: there are many for every worker.
template <class Net, class Prog>
TaskPlan SingleReceptionMachine<Net, Prog>::plan_tasks(std::size_t workers) {
  constexpr std::uint64_t ranges_per_worker = 64;
  constexpr std::uint64_t worth_sharing = 8;  // words: less than the wake-up of another worker
  const std::uint64_t words = detail::NodeBits::words(nodes_);
  range_words_ = options_.processors_per_task == 0
                     ? std::max(worth_sharing, words / (workers * ranges_per_worker) + 1)
                     : detail::NodeBits::words(std::min(options_.processors_per_task, nodes_));
  rejected_.resize((words + range_words_ - 1) / range_words_);
  return {.tasks = rejected_.size(), .uneven = true};
}

template <class Net, class Prog>
void SingleReceptionMachine<Net, Prog>::end_pass(PassPlace place, Outcome& total) {
  expects(total.counts.taken == in_flight_, "a message runs its receiver in the next step");
  in_flight_ = total.counts.messages - total.counts.rejected;
  total.counts.links = total.counts.messages;
  std::vector<detail::RejectedMessage> all = detail::taken_from(rejected_);
  detail::judge_rejected(
      all, options_.model, place,
      [this](NodeId node, Port other) { return boxes_.keep_lowest(node, other); },
      total.violations);
}

template <class Net, class Prog>
NodeId SingleReceptionMachine<Net, Prog>::other_end(NodeId node, Port port) const {
  return index(port) < network_.degree(node) ? network_.neighbor(node, port) : node;
}

}  // namespace lockstep
