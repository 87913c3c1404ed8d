// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Definitions of machine.hpp: what is checked, predicted and made before a run, what is counted
/// after each of its passes.

#include "lockstep/machine/machine.hpp"

namespace lockstep {

template <class Net, class Prog, class Chans>
Machine<Net, Prog, Chans>::Machine(const Net& network, const Prog& program, Host& host,
                                   MachineOptions options)
    : region_blocks_(program.regions()),
      network_((check(network, program, host, options, region_blocks_), network)),
      program_(program),
      host_(host),
      options_(std::move(options)),
      arcs_(arc_layout(network)),
      processors_(processor_count(network)),
      channels_(arcs_),
      ledger_(options_.model, arcs_),
      taken_(network.node_count()),
      lowest_taken_(queues ? network.node_count() : 0),
      sent_in_(options_.keep_series ? network.node_count() : 0) {
  variables_.reserve(network.node_count());
  for (std::uint64_t u = 0; u < network.node_count(); ++u)
    variables_.push_back(memory_of<Prog>(NodeId{u}));
  for (detail::RegionLayout layout : layouts(program, region_blocks_, options_.block_bytes)) {
    std::uint64_t slots = network.node_count() * layout.blocks;
    if constexpr (UnevenProgram<Prog>) {
      first_slots_.push_back(
          first_slots(network, program, static_cast<Region>(regions_.size()), layout.blocks));
      layout.first = first_slots_.back().data();
      slots = first_slots_.back().back();
    }
    // At most 2^32 nodes, 2^20 blocks: only the bytes can be too many.
    std::uint64_t all = 0;
    if (__builtin_mul_overflow(slots, std::uint64_t{layout.slot_bytes}, &all))
      throw InvalidParameter("machine: needs more than 2^64 bytes of memory");
    const HugeBuffer& bytes = region_bytes_.emplace_back(all);
    detail::poison_bytes(bytes.data(), bytes.size());
    layout.bytes = bytes.data();
    regions_.push_back(layout);
  }
  regions_.resize(std::size_t{1} << (8 * sizeof(Region)));  // one that is not there has no blocks
  if constexpr (in_groups)
    same_moves_.emplace(region_blocks_);
  else if (options_.watch_in_flight)
    sent_.resize(network.node_count());
  if (options_.watch_waits || options_.queues != nullptr)
    times_.emplace(network.node_count(),
                   options_.watch_waits ? region_blocks_ : std::vector<std::uint32_t>{},
                   first_slots_, options_.queues);
  regular_ = true;
  for (std::uint64_t u = 0; u < network.node_count() && regular_; ++u)
    regular_ = network.degree(NodeId{u}) == network.max_degree();
  groups_ = in_groups && regular_ && arcs_.is_rectangle() &&
            network.max_degree() <= max_group_ports && processors_ == network.node_count();
  if constexpr (sparse) {
    active_.emplace_back(network.node_count());
    active_.emplace_back(network.node_count());
    for (const NodeId node : program.starts()) start(node, 0);
  }
  if constexpr (CalendarProgram<Prog>)
    last_start_ = checked_steps("last_start", std::uint64_t{program.last_start()});
  // Where a receive-once machine could run; what a fault does to a promise is no mistake.
  if constexpr (receives_once)
    if (options_.fault.kind == FaultKind::none && options_.stop_at_violation)
      once_.emplace(network.node_count());
  note_made(bytes(network, program, options_));
}

template <class Net, class Prog, class Chans>
TaskPlan Machine<Net, Prog, Chans>::plan_tasks(std::size_t workers) {
  // Below this many processors a step is shorter than the wake-up of another worker.
  constexpr std::uint64_t worth_sharing = 512;
  const std::uint64_t nodes = network_.node_count();
  task_size_ = options_.processors_per_task;
  if (task_size_ == 0) task_size_ = nodes < worth_sharing ? nodes : (nodes + workers - 1) / workers;
  // Words of the active set belong to one task.
  if (sparse || options_.processors_per_task == 0) task_size_ = (task_size_ + 63) / 64 * 64;
  ranges_.resize((nodes + task_size_ - 1) / task_size_);
  if (once_) rejected_.resize(ranges_.size());
  return {.tasks = ranges_.size()};
}

template <class Net, class Prog, class Chans>
std::vector<detail::RegionLayout> Machine<Net, Prog, Chans>::layouts(
    [[maybe_unused]] const Prog& program, const std::vector<std::uint32_t>& regions,
    std::size_t block_bytes) {
  std::vector<detail::RegionLayout> all;
  for (const std::uint32_t blocks : regions)
    all.push_back(
        {.blocks = blocks, .slot_bytes = block_bytes + (LabelledProgram<Prog> ? word_bytes : 0)});
  if constexpr (ControlProgram<Prog>)
    for (const Region region : program.control_regions()) {
      if (index(region) >= all.size()) continue;  // check() says so
      all[index(region)].slot_bytes = word_bytes;
      all[index(region)].control = true;
    }
  for (detail::RegionLayout& layout : all) layout.stride = layout.blocks * layout.slot_bytes;
  return all;
}

template <class Net, class Prog, class Chans>
std::vector<std::uint64_t> Machine<Net, Prog, Chans>::first_slots(
    [[maybe_unused]] const Net& network, [[maybe_unused]] const Prog& program,
    [[maybe_unused]] Region region, [[maybe_unused]] std::uint32_t most) {
  std::vector<std::uint64_t> first(1, 0);
  if constexpr (UnevenProgram<Prog>)
    for (std::uint64_t u = 0; u < network.node_count(); ++u)
      first.push_back(first.back() + blocks_of(program, NodeId{u}, region, most));
  return first;
}

template <class Net, class Prog, class Chans>
void Machine<Net, Prog, Chans>::check(const Net& network, const Prog& program, const Host& host,
                                      const MachineOptions& options,
                                      const std::vector<std::uint32_t>& regions) {
  check_host(host, processor_count(network), options.block_bytes);
  if (!are_laws_proven(network))
    for (std::uint64_t u = 0; u < network.node_count(); ++u) check_arcs(network, NodeId{u});
  (void)phases_of(program);  // checks them
  if constexpr (heavy_checks) check_hooks_are_pure(program, network.node_count());
  std::vector<Region> control;
  if constexpr (ControlProgram<Prog>) control = program.control_regions();
  const bool has_sender = index(options.fault.sender) < network.node_count();
  detail::check_machine({.channels = Chans::name,
                         .wormhole = wormhole,
                         .nodes = network.node_count(),
                         .degree = network.max_degree(),
                         .allowed_degree = max_degree,
                         .degree_of_fault = has_sender ? network.degree(options.fault.sender) : 0,
                         .regions = regions,
                         .control_regions = control},
                        options);
}

template <class Net, class Prog, class Chans>
std::uint64_t Machine<Net, Prog, Chans>::bytes(const Net& network, const Prog& program,
                                               const MachineOptions& options) {
  return machine_bytes(channel, facts_of<Prog>(), size_of(network, program), options);
}

/// Whether a processor was active in the step before: it received, or it had sent.
template <class Net, class Prog, class Chans>
template <class Pass>
[[gnu::always_inline]] inline void Machine<Net, Prog, Chans>::note_activity(Pass& pass, NodeId node,
                                                                            bool sent,
                                                                            bool received) {
  const auto this_step = static_cast<std::uint32_t>(pass.step + 1);
  std::uint32_t& sent_in = sent_in_[index(node)];
  pass.counts.all.busy +=
      static_cast<std::uint64_t>(received && pass.step > 0 && sent_in == this_step - 1);
  if (sent) sent_in = this_step;
}

// How the violations that workers found in a pass become those of the record, the same for every
// channel, schedule and number of workers.
template <class Net, class Prog, class Chans>
void Machine<Net, Prog, Chans>::end_pass(PassPlace place, Outcome& total) {
  if constexpr (one_message_per_node)
    if (!total.violations.empty()) count_crowded(place, total.violations);
  if constexpr (receives_once)
    if (once_) judge_promise(place, total.violations);
  if constexpr (wormhole)
    if (!total.violations.empty()) total.counts.rejected += count_held(place, total.violations);
  if constexpr (!wormhole) total.counts.links = total.counts.messages;
  if constexpr (CalendarProgram<Prog>)  // whose last start is still to come
    total.counts.awake += static_cast<std::uint64_t>(place.step < last_start_);
  if (total.counts.taken != in_flight_) find_unread(place, total.violations);
  in_flight_ = total.counts.messages - total.counts.rejected + std::exchange(replayed_, 0);
}

template <class Net, class Prog, class Chans>
NodeId Machine<Net, Prog, Chans>::other_end(NodeId node, Port port) const {
  return index(port) < network_.degree(node) ? network_.neighbor(node, port) : node;
}

template <class Net, class Prog, class Chans>
void Machine<Net, Prog, Chans>::find_unread(PassPlace place, std::vector<Violation>& violations) {
  const detail::StepJudge judge(options_.model, place, &ledger_, violations);
  auto receiver = channels_.receiver(place.step - 1);
  for (std::uint64_t u = 0; u < network_.node_count(); ++u) {
    const NodeId node{u};
    const std::uint64_t taken = taken_[u];
    // A register keeps what was read; a queue does not.
    std::uint64_t arrived = queues ? taken : 0;
    Port lowest = port(network_.max_degree());
    if constexpr (queues)
      if (taken != 0) lowest = lowest_taken_[u];
    for (std::size_t p = 0; p < network_.degree(node); ++p) {
      if (!receiver.pull(node, port(p))) continue;
      ++arrived;
      lowest = std::min(lowest, port(p));
      judge.received(node, port(p));
    }
    if (once_) arrived = taken != 0 ? taken : std::min<std::uint64_t>(arrived, 1);
    if (arrived > taken) judge.unread(node, lowest, arrived);
  }
}

/// Every message that found a link held reported the one before it. Which came first is chance; who
/// took the link is not, nor that of them the lowest keeps it. How many others would have arrived
/// with it, and did not.
template <class Net, class Prog, class Chans>
std::uint64_t Machine<Net, Prog, Chans>::count_held(PassPlace place,
                                                    std::vector<Violation>& violations) {
  using Place = std::pair<NodeId, Port>;
  std::map<Place, std::map<Place, bool>> links;  // who took each, and whether to arrive
  std::erase_if(violations, [&](const Violation& v) {
    if (v.rule == Rule::link_held && v.step == place.step)
      for (const MessageName& message : {v.one, v.other}) {
        bool& arrives = links[{v.node, v.port}][{message.sender, message.port}];
        arrives = arrives || message.arrives;
      }
    return v.rule == Rule::link_held && v.step == place.step;
  });
  const detail::StepJudge judge(options_.model, place, nullptr, violations);
  std::uint64_t lost = 0;
  for (const auto& [link, takers] : links) {
    const auto name = [](const auto& taker) {
      return MessageName{taker.first.first, taker.first.second, taker.second};
    };
    const auto lowest = takers.begin();
    const auto second = takers.size() == 1 ? lowest : std::next(lowest);  // one may take it twice
    judge.link_held(link.first, link.second, name(*lowest), name(*second),
                    std::max<std::uint64_t>(takers.size(), 2));
    lost += static_cast<std::uint64_t>(std::count_if(
        std::next(lowest), takers.end(), [](const auto& taker) { return taker.second; }));
  }
  return lost;
}

template <class Net, class Prog, class Chans>
void Machine<Net, Prog, Chans>::judge_promise(PassPlace place, std::vector<Violation>& violations) {
  std::vector<detail::RejectedMessage> all = detail::taken_from(rejected_);
  detail::judge_rejected(
      all, options_.model, place,
      [this, place](NodeId node, Port) { return lowest_sent_to(node, place.step); }, violations);
}

template <class Net, class Prog, class Chans>
Port Machine<Net, Prog, Chans>::lowest_sent_to(NodeId node, std::uint64_t step) {
  const auto receiver = channels_.receiver(step);
  const auto holds = [&](Port port) {
    if constexpr (queues)
      return receiver.holds(node, port);
    else
      return static_cast<bool>(receiver.pull(node, port));
  };
  Port lowest{};
  while (!holds(lowest)) lowest = port(index(lowest) + 1);
  return lowest;
}

/// Channels that keep one message per node report every further message separately. Their order
/// depends on scheduling. Their number and the lowest port, whose message is kept, do not.
template <class Net, class Prog, class Chans>
void Machine<Net, Prog, Chans>::count_crowded(PassPlace place, std::vector<Violation>& violations) {
  const auto is_crowding = [place](const Violation& v) {
    return v.rule == Rule::receptions && v.step == place.step;
  };
  std::map<NodeId, std::uint64_t> further;
  for (const Violation& v : violations)
    if (is_crowding(v)) ++further[v.node];
  std::erase_if(violations, is_crowding);
  const detail::StepJudge judge(options_.model, place, nullptr, violations);
  for (const auto& [node, count] : further)
    judge.crowded(node, lowest_sent_to(node, place.step), count + 1);
}

}  // namespace lockstep
