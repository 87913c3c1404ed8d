// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/machine_core.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "lockstep/core/errors.hpp"
#include "lockstep/machine/detail/rejected_messages.hpp"
#include "lockstep/machine/detail/step_judge.hpp"
#include "lockstep/machine/detail/task_size.hpp"

namespace lockstep::detail {

std::vector<std::uint64_t>& MachineSetup::add_first_slots() {
  return first_slots.emplace_back(run.nodes + 1);
}

ArrivalTimes::ArrivalTimes(std::uint64_t nodes, const std::vector<std::uint32_t>& regions,
                           std::span<const std::vector<std::uint64_t>> first_slots,
                           QueueLedger* queues)
    : queues_(queues), regions_(regions), first_slots_(first_slots) {
  for (std::size_t r = 0; r < regions.size(); ++r)
    steps_.emplace_back(first_slots.empty() ? nodes * regions[r] : first_slots[r].back());
}

MachineCore::MachineCore(MachineSetup&& setup, Host& host, const MachineOptions& options)
    : setup_(std::move(setup)),
      host_(host),
      options_(options),
      arcs_(setup_.arcs),
      processors_(setup_.run.processors),
      parts_(static_cast<std::uint32_t>(host.parts_per_block())),
      ledger_(options_.model, arcs_),
      lowest_taken_(setup_.channel == ChannelKind::spsc ? setup_.run.nodes : 0),
      sent_in_(options_.keep_series ? setup_.run.nodes : 0) {
  const std::uint64_t nodes = setup_.run.nodes;
  if (parts_ != 1 && setup_.program.label_bytes != 0)
    throw InvalidParameter("machine: blocks with labels cannot be divided into " +
                           std::to_string(parts_) + " parts, because the parts are not contiguous");
  make_regions();
  if (options_.watch_waits || options_.queues != nullptr)
    times_.emplace(nodes, options_.watch_waits ? setup_.regions : std::vector<std::uint32_t>{},
                   setup_.first_slots, options_.queues);
  if (setup_.program.sparse) {
    active_.emplace_back(nodes);
    active_.emplace_back(nodes);
    for (const NodeId node : setup_.starts) start(node, 0);
  }
  // Where a receive-once machine could run; what a fault does to a promise is no mistake.
  if (setup_.program.receives_once && setup_.channel != ChannelKind::wormhole &&
      options_.fault.kind == FaultKind::none && options_.stop_at_violation)
    once_.emplace(nodes);
}

MachineCore::~MachineCore() = default;

void MachineCore::make_regions() {
  for (std::size_t r = 0; r < setup_.regions.size(); ++r) {
    const bool control = std::ranges::count(setup_.control_regions, static_cast<Region>(r)) != 0;
    RegionLayout layout{
        .blocks = setup_.regions[r],
        .slot_bytes = control ? word_bytes : options_.block_bytes + setup_.program.label_bytes,
        .control = control};
    layout.stride = padded_bytes_per_node(layout.blocks * layout.slot_bytes);
    std::uint64_t places = setup_.run.nodes;
    std::uint64_t bytes_of_place = layout.stride;
    if (!setup_.first_slots.empty()) {
      layout.first = setup_.first_slots[r].data();
      places = setup_.first_slots[r].back();
      bytes_of_place = layout.slot_bytes;
    }
    // At most 2^32 nodes, 2^20 blocks: only the bytes can be too many.
    std::uint64_t all = 0;
    if (__builtin_mul_overflow(places, bytes_of_place, &all))
      throw InvalidParameter("machine: needs more than 2^64 bytes of memory");
    const HugeBuffer& bytes = region_bytes_.emplace_back(all);
    layout.bytes = bytes.data();
    regions_.push_back(layout);
  }
  regions_.resize(std::size_t{1} << (8 * sizeof(Region)));  // one that is not there has no blocks
}

/// The first use of memory takes longer than all later ones, so each worker writes the poison of
/// the nodes that it will run.
void MachineCore::poison_memory(Executor& executor) {
  const TaskPlan plan = plan_tasks(executor.worker_count());
  executor.run([&] {
    executor.for_each(plan.tasks, [this](std::size_t task) {
      const std::uint64_t first = task * task_size_;
      const std::uint64_t last = std::min(first + task_size_, setup_.run.nodes);
      for (std::size_t r = 0; r < setup_.regions.size(); ++r) {
        const RegionLayout& layout = regions_[r];
        const auto before = [&layout](std::uint64_t node) {
          return layout.first == nullptr ? node * layout.stride
                                         : layout.first[node] * layout.slot_bytes;
        };
        poison_bytes(layout.bytes + before(first), before(last) - before(first));
      }
    });
  });
}

RunRecord MachineCore::run_all(Executor& executor) {
  if (!state().has_run) add_setup([&] { poison_memory(executor); });
  RunRecord record = lockstep::run_steps(*this, setup_.run, options_, executor);
  if (options_.queues != nullptr) record.queues = options_.queues->largest();
  return record;
}

void MachineCore::note_size() {
  note_made(machine_bytes(setup_.channel, setup_.program, setup_.size, options_));
}

void MachineCore::start(NodeId node, std::uint64_t step) {
  if (index(node) >= setup_.run.nodes)
    throw InvalidParameter("program: starts at node " + std::to_string(index(node)) +
                           "; allowed: 0.." + std::to_string(setup_.run.nodes - 1));
  active_[step % 2].insert(node);
}

TaskPlan MachineCore::plan_tasks(std::size_t workers) {
  const detail::TaskRequest request{.nodes = setup_.run.nodes,
                                    .workers = workers,
                                    .asked = options_.processors_per_task,
                                    .sparse = setup_.program.sparse};
  task_size_ = detail::nodes_per_task(request);
  ranges_.resize(detail::task_count(request));
  if (once_) rejected_.resize(ranges_.size());
  return {.tasks = ranges_.size()};
}

// How the violations that workers found in a pass become those of the record, the same for every
// channel, schedule and number of workers.
void MachineCore::end_pass(PassPlace place, TaskOutcome& total) {
  const bool wormhole = setup_.channel == ChannelKind::wormhole;
  if (setup_.channel == ChannelKind::mailbox && !total.violations.empty())
    count_crowded(place, total.violations);
  if (once_) judge_promise(place, total.violations);
  if (wormhole && !total.violations.empty())
    total.counts.rejected += count_held(place, total.violations);
  if (!wormhole) total.counts.links = total.counts.messages;
  if (setup_.last_start)  // of a calendar: it is still to come
    total.counts.awake += static_cast<std::uint64_t>(place.step < *setup_.last_start);
  if (total.counts.taken != in_flight_) find_unread(place, total.violations);
  in_flight_ = total.counts.messages - total.counts.rejected + std::exchange(replayed_, 0);
}

void MachineCore::find_unread(PassPlace place, std::vector<Violation>& violations) {
  const bool queues = setup_.channel == ChannelKind::spsc;
  const StepJudge judge(options_.model, place, &ledger_, violations);
  for (std::uint64_t u = 0; u < setup_.run.nodes; ++u) {
    const NodeId node{u};
    const std::uint64_t taken = taken_by(node);
    // A register keeps what was read; a queue does not.
    std::uint64_t arrived = queues ? taken : 0;
    Port lowest = port(setup_.size.degree);
    if (queues && taken != 0) lowest = lowest_taken_[u];
    for (std::size_t p = 0; p < degree_of(node); ++p) {
      if (!has_message(place.step - 1, node, port(p), true)) continue;
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
std::uint64_t MachineCore::count_held(PassPlace place, std::vector<Violation>& violations) {
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
  const StepJudge judge(options_.model, place, nullptr, violations);
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

void MachineCore::judge_promise(PassPlace place, std::vector<Violation>& violations) {
  std::vector<RejectedMessage> all = taken_from(rejected_);
  judge_rejected(
      all, options_.model, place,
      [this, place](NodeId node, Port) { return lowest_sent_to(node, place.step); }, violations);
}

Port MachineCore::lowest_sent_to(NodeId node, std::uint64_t step) {
  Port lowest{};
  while (!has_message(step, node, lowest, false)) lowest = port(index(lowest) + 1);
  return lowest;
}

/// Channels that keep one message per node report every further message separately. Their order
/// depends on scheduling. Their number and the lowest port, whose message is kept, do not.
void MachineCore::count_crowded(PassPlace place, std::vector<Violation>& violations) {
  const auto is_crowding = [place](const Violation& v) {
    return v.rule == Rule::receptions && v.step == place.step;
  };
  std::map<NodeId, std::uint64_t> further;
  for (const Violation& v : violations)
    if (is_crowding(v)) ++further[v.node];
  std::erase_if(violations, is_crowding);
  const StepJudge judge(options_.model, place, nullptr, violations);
  for (const auto& [node, count] : further)
    judge.crowded(node, lowest_sent_to(node, place.step), count + 1);
}

}  // namespace lockstep::detail
