// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Definitions of single_reception_machine.hpp, in the order of a run.

#include <algorithm>
#include <atomic>
#include <chrono>

#include "lockstep/core/expects.hpp"
#include "lockstep/machine/single_reception_machine.hpp"

namespace lockstep {

template <class Net, class Prog, class H>
SingleReceptionMachine<Net, Prog, H>::SingleReceptionMachine(const Net& network,
                                                             const Prog& program, H& host,
                                                             MachineOptions options)
    : network_((check(network, program, options), network)),
      program_(program),
      host_(host),
      options_(std::move(options)),
      nodes_(network.node_count()),
      boxes_(nodes_, options_.block_bytes),
      variables_(variable_count(nodes_)) {
  for (const NodeId node : program.starts()) {
    if (index(node) >= nodes_)
      throw InvalidParameter("program: starts at node " + std::to_string(index(node)) +
                             ", allowed 0.." + std::to_string(nodes_ - 1));
    boxes_.start(node);
  }
}

template <class Net, class Prog, class H>
void SingleReceptionMachine<Net, Prog, H>::check(const Net& network, const Prog& program,
                                                 const MachineOptions& options) {
  if (program.regions() != std::vector<std::uint32_t>{1})
    throw InvalidParameter("program: promises one reception, but has more memory than one block");
  if (network.max_degree() > detail::SingleReceptionBoxes::max_ports)
    throw InvalidParameter("one box per node: a node has " + std::to_string(network.max_degree()) +
                           " ports, allowed " +
                           std::to_string(detail::SingleReceptionBoxes::max_ports));
  if (options.fault.kind != FaultKind::none || options.watch_waits || !options.stop_at_violation)
    throw InvalidParameter(
        "one box per node: no faults, no waits, and the run stops at a violation");
}

template <class Net, class Prog, class H>
RunRecord SingleReceptionMachine<Net, Prog, H>::run(Executor& executor) {
  RunRecord record;
  record.nodes = nodes_;
  record.processors = processor_count();
  record.block_bytes = options_.block_bytes;
  plan_tasks(executor.worker_count());
  const auto start = std::chrono::steady_clock::now();
  executor.run([&] { step_loop(executor, record); });
  record.wall.step_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  record.wall.verify_seconds /= static_cast<double>(executor.worker_count());
  failure_.rethrow();
  if (record.violations.size() > detail::kept_violations)
    record.violations.resize(detail::kept_violations);
  return record;
}

/// In a Cayley graph all nodes are alike; others are looked at one by one.
template <class Net, class Prog, class H>
std::uint64_t SingleReceptionMachine<Net, Prog, H>::processor_count() const {
  if constexpr (CayleyTopology<Net>) return nodes_;
  std::uint64_t count = 0;
  for (std::uint64_t u = 0; u < nodes_; ++u)
    count += static_cast<std::uint64_t>(network_.kind(NodeId{u}) == NodeKind::processor);
  return count;
}

/// Some ranges of nodes are busier than others: there are many for every worker.
template <class Net, class Prog, class H>
void SingleReceptionMachine<Net, Prog, H>::plan_tasks(std::size_t workers) {
  constexpr std::uint64_t ranges_per_worker = 64;
  constexpr std::uint64_t worth_sharing = 8;  // words: less than the wake-up of another worker
  const std::uint64_t words = detail::NodeBits::words(nodes_);
  workers_ = workers;
  range_words_ = options_.processors_per_task == 0
                     ? std::max(worth_sharing, words / (workers * ranges_per_worker) + 1)
                     : detail::NodeBits::words(std::min(options_.processors_per_task, nodes_));
  outcomes_.resize((words + range_words_ - 1) / range_words_);
}

/// Executors deal out their tasks beforehand; here, who is done with a range takes the next one.
template <class Net, class Prog, class H>
void SingleReceptionMachine<Net, Prog, H>::run_pass(Executor& executor) {
  std::atomic<std::size_t> next{0};
  const auto take_next = [&next] {
    // relaxed: it only gives each number to one worker; the end of the loop orders the rest.
    return next.fetch_add(1, std::memory_order_relaxed);
  };
  executor.for_each(std::min(outcomes_.size(), workers_), [&](std::size_t) {
    for (std::size_t range = take_next(); range < outcomes_.size(); range = take_next())
      run_range(range);
  });
}

template <class Net, class Prog, class H>
void SingleReceptionMachine<Net, Prog, H>::step_loop(Executor& executor, RunRecord& record) {
  for (step_ = 0;; ++step_) {
    if (options_.stop.stop_requested()) {
      record.interrupted = true;
      if (step_ > 0) account_.finish({}, options_, record);
      return;
    }
    const auto start = std::chrono::steady_clock::now();
    run_pass(executor);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (failure_) return;
    detail::TaskOutcome total = detail::gathered(outcomes_, options_.trace);
    expects(total.counts.taken == in_flight_, "a message runs its receiver in the next step");
    in_flight_ = total.counts.messages - total.counts.rejected;
    const std::vector<Violation> rejected = judge_rejected_messages();
    total.violations.insert(total.violations.end(), rejected.begin(), rejected.end());
    const bool broken = detail::settle_violations(network_, total.violations,
                                                  {step_, is_last_call()}, options_, record);
    if (step_ > 0) account_.finish(total.counts, options_, record);
    record.deliveries += total.deliveries;
    record.unmet_stores += total.counts.unmet_stores;
    record.wall.verify_seconds += total.verify_seconds;
    if (options_.progress != nullptr)
      options_.progress->store(step_, std::memory_order_relaxed);  // read by a display, no more
    if (broken || is_last_call()) return;
    const bool idle = total.counts.messages == 0 && total.counts.awake == 0;
    if (!CountedProgram<Prog> && idle) return;
    account_.begin(step_, total.counts, seconds);
  }
}

template <class Net, class Prog, class H>
bool SingleReceptionMachine<Net, Prog, H>::is_last_call() const {
  if constexpr (CountedProgram<Prog>)
    return step_ == program_.step_count();
  else
    return false;
}

template <class Net, class Prog, class H>
std::vector<Violation> SingleReceptionMachine<Net, Prog, H>::judge_rejected_messages() {
  std::vector<detail::RejectedMessage> all;
  for (const Outcome& part : outcomes_)
    all.insert(all.end(), part.rejected.begin(), part.rejected.end());
  return detail::judge_rejected(all, step_, options_.model.duplex, boxes_);
}

}  // namespace lockstep
