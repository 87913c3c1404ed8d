// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Definitions of machine.hpp, in the order of a run.

#include "lockstep/machine/machine.hpp"

namespace lockstep {

template <class Net, class Prog, class Chans, class H>
Machine<Net, Prog, Chans, H>::Machine(const Net& network, const Prog& program, H& host,
                                      MachineOptions options)
    : network_((check(network, program, options), network)),
      program_(program),
      host_(host),
      options_(std::move(options)),
      shape_{network.node_count(), network.max_degree()},
      channels_(shape_),
      ledger_(options_.model, network.node_count(), network.max_degree()),
      variables_(network.node_count()),
      taken_(network.node_count()),
      sent_in_(options_.keep_series ? network.node_count() : 0) {
  for (const std::uint32_t blocks : program.regions()) {
    const std::size_t stride = blocks * options_.block_bytes;
    region_bytes_.emplace_back(network.node_count() * stride);
    const HugeBuffer& bytes = region_bytes_.back();
    if (bytes.size() != 0) std::memset(bytes.data(), detail::poison, bytes.size());
    regions_.push_back({bytes.data(), stride, blocks});
  }
  regular_ = true;
  for (std::uint64_t u = 0; u < network.node_count() && regular_; ++u)
    regular_ = network.degree(NodeId{u}) == network.max_degree();
  if constexpr (sparse) {
    active_.emplace_back(network.node_count());
    active_.emplace_back(network.node_count());
    for (const NodeId node : program.starts()) active_[0].insert(node);
  }
}

template <class Net, class Prog, class Chans, class H>
void Machine<Net, Prog, Chans, H>::check(const Net& network, const Prog& program,
                                         const MachineOptions& options) {
  const std::vector<std::uint32_t> regions = program.regions();
  if (regions.size() > max_regions)
    throw InvalidParameter("program: " + std::to_string(regions.size()) + " regions, allowed " +
                           std::to_string(max_regions));
  for (const std::uint32_t blocks : regions)
    if (blocks > max_region_blocks)
      throw InvalidParameter("program: a region of " + std::to_string(blocks) +
                             " blocks per processor, allowed " + std::to_string(max_region_blocks));
  if constexpr (std::same_as<Chans, MailboxChannels>)
    if (network.max_degree() > MailboxChannels::max_ports)
      throw InvalidParameter("mailbox channels: a node has " +
                             std::to_string(network.max_degree()) + " ports, allowed " +
                             std::to_string(MailboxChannels::max_ports));
  if (options.fault.kind != FaultKind::none && index(options.fault.sender) >= network.node_count())
    throw InvalidParameter("fault: no such sender");
}

template <class Net, class Prog, class Chans, class H>
std::uint64_t Machine<Net, Prog, Chans, H>::bytes(const Net& network, const Prog& program,
                                                  const MachineOptions& options) {
  const std::uint64_t nodes = network.node_count();
  std::uint64_t per_node = sizeof(typename Prog::Memory) + sizeof(std::uint8_t) +
                           (options.keep_series ? sizeof(std::uint32_t) : 0);
  for (const std::uint32_t blocks : program.regions()) per_node += blocks * options.block_bytes;
  std::uint64_t total = nodes * per_node + Chans::bytes({nodes, network.max_degree()}) +
                        PortLedger::bytes(options.model, nodes) + (sparse ? nodes / 4 : 0);
  if constexpr (CountedProgram<Prog>)
    if (options.keep_series) total += program.step_count() * sizeof(StepRecord);
  return total;
}

template <class Net, class Prog, class Chans, class H>
RunRecord Machine<Net, Prog, Chans, H>::run(Executor& executor) {
  RunRecord record;
  record.nodes = network_.node_count();
  for (std::uint64_t u = 0; u < record.nodes; ++u)
    if (network_.kind(NodeId{u}) == NodeKind::processor) ++record.processors;
  record.block_bytes = options_.block_bytes;
  plan_tasks(executor.worker_count());
  const auto start = std::chrono::steady_clock::now();
  executor.run([&] { step_loop(executor, record); });
  record.wall.step_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  record.wall.verify_seconds /= static_cast<double>(executor.worker_count());
  if (failure_) std::rethrow_exception(failure_);
  return record;
}

template <class Net, class Prog, class Chans, class H>
void Machine<Net, Prog, Chans, H>::plan_tasks(std::size_t workers) {
  // Below this many processors a step is shorter than the wake-up of another worker.
  constexpr std::uint64_t worth_sharing = 512;
  const std::uint64_t nodes = network_.node_count();
  task_size_ = options_.processors_per_task;
  if (task_size_ == 0) task_size_ = nodes < worth_sharing ? nodes : (nodes + workers - 1) / workers;
  // Words of the active set belong to one task.
  if (sparse || options_.processors_per_task == 0) task_size_ = (task_size_ + 63) / 64 * 64;
  outcomes_.resize((nodes + task_size_ - 1) / task_size_);
}

template <class Net, class Prog, class Chans, class H>
void Machine<Net, Prog, Chans, H>::step_loop(Executor& executor, RunRecord& record) {
  for (step_ = 0;; ++step_) {
    if (options_.stop.stop_requested()) {
      record.interrupted = true;
      if (step_ > 0) finish_previous_step({}, record);
      return;
    }
    const auto start = std::chrono::steady_clock::now();
    run_pass(executor);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (failure_) return;
    Outcome total = gather();
    const bool broken = settle_violations(total, record);
    if (step_ > 0) finish_previous_step(total, record);
    record.deliveries += total.deliveries;
    record.wall.verify_seconds += total.verify_seconds;
    if (options_.progress != nullptr)
      options_.progress->store(step_, std::memory_order_relaxed);  // read by a display, no more
    if (broken || is_last_call()) return;
    const bool idle = total.counts.messages == 0 && total.counts.awake == 0;
    if (!CountedProgram<Prog> && idle) return;
    begin_record_of_step(total, seconds, record);
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
  if constexpr (PreparedProgram<Prog>) {
    if (is_usual())
      return program_.with_rule(step_, first, last,
                                [&](const auto& rule, std::uint64_t begin, std::uint64_t end) {
                                  run_range<true>(rule, begin, end, outcome);
                                });
  }
  const auto rule = [this](auto& here) { program_(here); };
  if (is_usual())
    run_range<true>(rule, first, last, outcome);
  else
    run_range<false>(rule, first, last, outcome);
}

template <class Net, class Prog, class Chans, class H>
bool Machine<Net, Prog, Chans, H>::is_usual() const {
  return options_.model.duplex == Duplex::full && options_.fault.kind == FaultKind::none &&
         !options_.keep_series && step_ > 0 && !is_last_call();
}

template <class Net, class Prog, class Chans, class H>
template <bool usual, class StepRule>
void Machine<Net, Prog, Chans, H>::run_range(const StepRule& shared_rule, std::uint64_t first,
                                             std::uint64_t last, Outcome& outcome) {
  const StepRule rule = shared_rule;  // local, as the pass is
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
      .violations = &outcome.violations};
  std::uint64_t node = first;
  try {
    if constexpr (sparse) {
      for (std::uint64_t word = first / 64; word < (last + 63) / 64; ++word)
        for (std::uint64_t bits = active_[step_ % 2].drain(word); bits != 0; bits &= bits - 1) {
          node = word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits));
          run_processor(rule, pass, NodeId{node});
        }
    } else {
      for (; node < last; ++node) run_processor(rule, pass, NodeId{node});
    }
    batch.flush();
  } catch (...) {
    keep_failure(NodeId{node});
  }
  outcome.counts += pass.counts;
}

/// The first by node number, whatever the schedule.
template <class Net, class Prog, class Chans, class H>
void Machine<Net, Prog, Chans, H>::keep_failure(NodeId node) {
  const std::scoped_lock lock(failure_mutex_);
  if (failure_ && failed_node_ <= node) return;
  failure_ = std::current_exception();
  failed_node_ = node;
}

template <class Net, class Prog, class Chans, class H>
template <class StepRule, class Pass>
[[gnu::always_inline]] inline void Machine<Net, Prog, Chans, H>::run_processor(const StepRule& rule,
                                                                               Pass& pass,
                                                                               NodeId node) {
  if constexpr (!Pass::usual)
    if (pass.half_duplex) ledger_.begin(pass.step, node);
  StepView<Pass> here(pass, node);
  rule(here);

  detail::TaskCounts& counts = pass.counts;
  counts.senders += static_cast<std::uint64_t>(here.sends_ != 0);
  counts.receivers += static_cast<std::uint64_t>(here.taken_ != 0);
  counts.messages += here.sends_;
  counts.taken += here.taken_;
  taken_[index(node)] = static_cast<std::uint8_t>(std::min(here.taken_, 255U));
  if constexpr (!Pass::usual)
    if (pass.track_activity) note_activity(pass, node, here.sends_ != 0, here.taken_ != 0);
  if (here.sends_ > pass.max_sends) [[unlikely]]
    here.report(pass.step, node, here.last_sent_, lockstep::Rule::sends, here.sends_);
  if (here.taken_ > pass.max_receptions) [[unlikely]]
    here.report(pass.step - 1, node, here.last_taken_, lockstep::Rule::receptions, here.taken_);
}

/// Whether a processor was active in the step before: it received, or it had sent.
template <class Net, class Prog, class Chans, class H>
template <class Pass>
[[gnu::always_inline]] inline void Machine<Net, Prog, Chans, H>::note_activity(Pass& pass,
                                                                               NodeId node,
                                                                               bool sent,
                                                                               bool received) {
  const auto this_step = static_cast<std::uint32_t>(pass.step + 1);
  std::uint32_t& sent_in = sent_in_[index(node)];
  pass.counts.busy +=
      static_cast<std::uint64_t>(received && pass.step > 0 && sent_in == this_step - 1);
  if (sent) sent_in = this_step;
}

template <class Net, class Prog, class Chans, class H>
detail::TaskOutcome Machine<Net, Prog, Chans, H>::gather() {
  Outcome total;
  for (const Outcome& part : outcomes_) {
    total.counts += part.counts;
    total.deliveries += part.deliveries;
    total.verify_seconds += part.verify_seconds;
    total.violations.insert(total.violations.end(), part.violations.begin(), part.violations.end());
  }
  return total;
}

template <class Net, class Prog, class Chans, class H>
bool Machine<Net, Prog, Chans, H>::settle_violations(Outcome& total, RunRecord& record) {
  constexpr std::size_t kept = 64;
  if (total.counts.taken != in_flight_) find_unread(total.violations);
  in_flight_ = total.counts.messages - total.counts.rejected + std::exchange(replayed_, 0);
  std::vector<Violation>& all = record.violations;
  if (total.violations.empty() && all.empty()) [[likely]]
    return false;
  all.insert(all.end(), total.violations.begin(), total.violations.end());
  settle(all);
  // Receptions of a step are known one pass later: only now is the step before fully judged.
  const auto judged =
      static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const Violation& v) {
        return v.step < step_ || is_last_call();
      }));
  record.violation_count = all.size();
  if (!options_.stop_at_violation || judged == 0) return false;
  record.violation_count = judged;
  all.resize(std::min(judged, kept));
  return true;
}

template <class Net, class Prog, class Chans, class H>
void Machine<Net, Prog, Chans, H>::find_unread(std::vector<Violation>& violations) {
  auto receiver = channels_.receiver(step_ - 1);
  for (std::uint64_t u = 0; u < shape_.nodes; ++u) {
    const NodeId node{u};
    std::uint64_t left = 0;
    Port last{};
    for (std::size_t p = 0; p < network_.degree(node); ++p)
      if (receiver.pull(node, port(p))) {
        ++left;
        last = port(p);
      }
    // A register keeps what was read; a queue does not.
    const std::uint64_t taken = taken_[u];
    const std::uint64_t arrived = std::same_as<Chans, SpscChannels> ? left + taken : left;
    if (arrived <= taken) continue;
    const bool too_many = !ledger_.allows_receptions(static_cast<std::uint32_t>(arrived));
    violations.push_back(
        {step_ - 1, node, last, too_many ? Rule::receptions : Rule::unread, arrived});
  }
}

template <class Net, class Prog, class Chans, class H>
void Machine<Net, Prog, Chans, H>::finish_previous_step(const Outcome& total, RunRecord& record) {
  current_.receivers = total.counts.receivers;
  current_.active = current_.senders + total.counts.receivers - total.counts.busy;
  record.steps = step_;
  record.startups += static_cast<std::uint64_t>(current_.messages != 0);
  record.message_times += current_.largest_message_blocks;
  record.hops += current_.messages;
  record.blocks_moved += current_.blocks;
  record.senders += current_.senders;
  record.receivers += current_.receivers;
  if (options_.keep_series) record.series.push_back(current_);
}

template <class Net, class Prog, class Chans, class H>
void Machine<Net, Prog, Chans, H>::begin_record_of_step(const Outcome& total, double seconds,
                                                        RunRecord&) {
  current_ = {.step = step_,
              .senders = total.counts.senders,
              .messages = total.counts.messages,
              .blocks = total.counts.blocks,
              .largest_message_blocks = total.counts.largest,
              .ports_used = total.counts.ports_used,
              .seconds = seconds};
}

template <class Net, class Prog, class Chans, class H>
void Machine<Net, Prog, Chans, H>::replay_duplicate() {
  if (step_ != options_.fault.step + 1 || !duplicate_.second) return;
  const NodeId sender = options_.fault.sender;
  const NodeId receiver = network_.neighbor(sender, duplicate_.first);
  const Port back = network_.reverse_port(sender, duplicate_.first);
  if (channels_.sender(step_).push(receiver, back, duplicate_.second) == Pushed::accepted)
    ++replayed_;
}

}  // namespace lockstep
