// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Definitions of machine.hpp: the step loop, in the order of a run. What is made before it, and
/// what a run counts and judges, is in machine_accounting_inline.hpp.

#include "lockstep/machine/machine.hpp"

namespace lockstep {

template <class Net, class Prog, class Chans, class H>
RunRecord Machine<Net, Prog, Chans, H>::run(Executor& executor) {
  RunRecord record;
  record.nodes = network_.node_count();
  for (std::uint64_t u = 0; u < record.nodes; ++u)
    if (network_.kind(NodeId{u}) == NodeKind::processor) ++record.processors;
  record.block_bytes = options_.block_bytes;
  record.waits.watched = options_.watch_waits;
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

template <class Net, class Prog, class Chans, class H>
void Machine<Net, Prog, Chans, H>::step_loop(Executor& executor, RunRecord& record) {
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
    Outcome total = detail::gathered(outcomes_, options_.trace);
    const bool broken = settle_violations(total, record);
    if (step_ > 0) account_.finish(total.counts, options_, record);
    record.deliveries += total.deliveries;
    record.unmet_stores += total.counts.unmet_stores;
    if (total.counts.waited != 0) note_waits(total.counts, record.waits);
    record.wall.verify_seconds += total.verify_seconds;
    if (options_.progress != nullptr)
      options_.progress->store(step_, std::memory_order_relaxed);  // read by a display, no more
    if (broken || is_last_call()) return;
    const bool idle = total.counts.messages == 0 && total.counts.awake == 0;
    if (!CountedProgram<Prog> && idle) return;
    account_.begin(step_, total.counts, seconds);
  }
}

template <class Net, class Prog, class Chans, class H>
bool Machine<Net, Prog, Chans, H>::is_last_call() const {
  if constexpr (CountedProgram<Prog>)
    return step_ == program_.step_count();
  else
    return false;
}

template <class Net, class Prog, class Chans, class H>
void Machine<Net, Prog, Chans, H>::run_pass(Executor& executor) {
  channels_.begin_step(step_);
  if (options_.fault.kind == FaultKind::duplicate) [[unlikely]]
    replay_duplicate();
  executor.for_each(outcomes_.size(), [this](std::size_t task) { run_task(task); });
}

template <class Net, class Prog, class Chans, class H>
void Machine<Net, Prog, Chans, H>::run_task(std::size_t task) {
  if (options_.disturb) [[unlikely]]
    options_.disturb(step_, task);
  Outcome& outcome = outcomes_[task];
  outcome = Outcome{};
  const std::uint64_t first = task * task_size_;
  const std::uint64_t last = std::min(first + task_size_, network_.node_count());
  if (is_usual())
    run_range<true>(first, last, outcome);
  else
    run_range<false>(first, last, outcome);
}

template <class Net, class Prog, class Chans, class H>
bool Machine<Net, Prog, Chans, H>::is_usual() const {
  return options_.model.duplex == Duplex::full && options_.fault.kind == FaultKind::none &&
         !options_.keep_series && options_.trace == nullptr && step_ > 0 && !is_last_call();
}

template <class Net, class Prog, class Chans, class H>
template <bool usual>
void Machine<Net, Prog, Chans, H>::run_range(std::uint64_t first, std::uint64_t last,
                                             Outcome& outcome) {
  detail::DeliveryBatch<H> batch(host_, outcome.deliveries, outcome.verify_seconds);
  std::vector<std::byte> corrupted_block;
  detail::Pass<Net, Prog, Chans, H, usual> pass{
      .network = network_,
      .program = &program_,
      .in = channels_.receiver(step_ - 1),
      .out = channels_.sender(step_),
      .ledger = &ledger_,
      .half_duplex = options_.model.duplex == Duplex::half,
      .last_call = is_last_call(),
      .regular = regular_,
      .track_activity = options_.keep_series,
      .max_sends = options_.model.sends,
      .max_receptions = options_.model.receptions,
      .host = &host_,
      .memory = regions_.data(),
      .variables = variables_.data(),
      .next_active = sparse ? &active_[(step_ + 1) % 2] : nullptr,
      .fault = &options_.fault,
      .duplicate = &duplicate_,
      .corrupted_block = &corrupted_block,
      .block_bytes = options_.block_bytes,
      .step = step_,
      .batch = &batch,
      .violations = &outcome.violations,
      .trace = options_.trace == nullptr ? nullptr : &outcome.trace,
      .times = times_ ? &*times_ : nullptr};
  std::uint64_t node = first;
  try {
    if constexpr (sparse) {
      for (std::uint64_t word = first / 64; word < (last + 63) / 64; ++word)
        for (std::uint64_t bits = active_[step_ % 2].drain(word); bits != 0; bits &= bits - 1) {
          node = word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits));
          run_processor(pass, NodeId{node});
        }
    } else if (usual && GroupedProgram<Prog> && groups_) {
      for (; node < last; node += max_group_size)
        if constexpr (usual && GroupedProgram<Prog>)
          run_group(pass, NodeId{node}, std::min(max_group_size, last - node));
    } else {
      for (; node < last; ++node) run_processor(pass, NodeId{node});
    }
    batch.flush();
  } catch (...) {
    failure_.keep(NodeId{node});
  }
  outcome.counts += pass.counts;
}

}  // namespace lockstep
