// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/machine_core.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "lockstep/core/errors.hpp"
#include "lockstep/machine/detail/rejected_messages.hpp"
#include "lockstep/machine/detail/step_judge.hpp"
#include "lockstep/machine/detail/task_size.hpp"
#include "lockstep/machine/detail/wire.hpp"

namespace lockstep::detail {

// Passes without a message between processes that run before each hears of the others again.
constexpr std::size_t max_passes_apart = 64;

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
      sent_in_(options_.keep_series ? setup_.run.nodes : 0),
      own_{0, setup_.run.nodes} {
  const std::uint64_t nodes = setup_.run.nodes;
  if (options_.processes != nullptr && options_.processes->count() > 1)
    own_ = others_.emplace(*options_.processes, nodes).own();
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
      const auto [first, last] = nodes_of_task(task);
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
  if (!state().has_run) {
    add_setup([&] { poison_memory(executor); });
    if (others_)
      for (const std::uint64_t ports : gathered(*options_.processes, crossing_ports_))
        crossing_ports_ |= ports;
  }
  RunRecord record = lockstep::run_steps(*this, setup_.run, options_, executor);
  if (options_.queues != nullptr) record.queues = options_.queues->largest();
  if (others_) record.queues = combined(*options_.processes, record.queues);
  return record;
}

void MachineCore::start(NodeId node, std::uint64_t step) {
  if (index(node) >= setup_.run.nodes)
    throw InvalidParameter("program: starts at node " + std::to_string(index(node)) +
                           "; allowed: 0.." + std::to_string(setup_.run.nodes - 1));
  if (owns(node)) active_[step % 2].insert(node);
}

/// Tasks share no word of the active set, so that the first one may begin in the middle of a word.
TaskPlan MachineCore::plan_tasks(std::size_t workers) {
  first_node_of_tasks_ = own_.first - (setup_.program.sparse ? own_.first % nodes_of_task_word : 0);
  const detail::TaskRequest request{.nodes = own_.last - first_node_of_tasks_,
                                    .workers = workers,
                                    .asked = options_.processors_per_task,
                                    .sparse = setup_.program.sparse,
                                    .step = options_.step};
  task_size_ = detail::nodes_per_task(request);
  ranges_.resize(detail::task_count(request));
  if (once_) rejected_.resize(ranges_.size());
  if (others_) others_->resize_outboxes(ranges_.size());
  return {.tasks = ranges_.size()};
}

NodeRange MachineCore::nodes_of_task(std::size_t task) const noexcept {
  const std::uint64_t first = first_node_of_tasks_ + task * task_size_;
  return {std::max(first, own_.first), std::min(first + task_size_, own_.last)};
}

// How the violations that workers found in a pass become those of the record, the same for every
// channel, schedule and number of workers.
bool MachineCore::end_pass(PassPlace place, std::span<TaskOutcome> totals) {
  TaskOutcome& total = totals.back();
  const bool wormhole = setup_.channel == ChannelKind::wormhole;
  std::uint64_t in_flight = total.counts.messages;  // to nodes of this process
  const bool is_late = others_ && judges_arrivals();
  if (others_) in_flight -= send_messages(place, total);
  if (is_late) {
    others_->exchange();
    in_flight += accept_messages(place, total);
  }
  if (setup_.channel == ChannelKind::mailbox && !total.violations.empty())
    count_crowded(place, total.violations);
  if (once_) judge_promise(place, total.violations);
  if (wormhole && !total.violations.empty())
    total.counts.rejected += count_held(place, total.violations);
  if (!wormhole) total.counts.links = total.counts.messages;
  if (setup_.last_start)  // of a calendar: it is still to come
    total.counts.awake += static_cast<std::uint64_t>(place.step < *setup_.last_start);
  if (total.counts.taken != in_flight_) find_unread(place, total.violations);
  in_flight_ = in_flight - total.counts.rejected + std::exchange(replayed_, 0);
  if (!others_) return true;
  broke_a_rule_ = broke_a_rule_ || !total.violations.empty();
  if (totals.size() < max_passes_apart && is_inside(place)) return false;
  others_->exchange(totals);
  broke_a_rule_ = broke_a_rule_ || !total.violations.empty();
  if (!is_late) in_flight_ += accept_messages(place, total);
  return true;
}

/// Whether all processes know that none of them has a message for another, and that the run goes
/// on. Then each runs the next pass at once. All nodes make the same moves in such a step, and the
/// reverse ports agree: a rule that is broken in one process is broken in all of them, and each
/// knows it by itself. Only a request to stop is known some passes later.
bool MachineCore::is_inside(PassPlace place) const {
  return (ports_used(place) & crossing_ports_) == 0 && !broke_a_rule_ && !judges_arrivals() &&
         !place.last_call && setup_.run.step_count && place.step + 1 != options_.max_steps;
}

void MachineCore::find_unread(PassPlace place, std::vector<Violation>& violations) {
  const bool queues = setup_.channel == ChannelKind::spsc;
  const StepJudge judge(options_.model, place, &ledger_, violations);
  for (std::uint64_t u = own_.first; u < own_.last; ++u) {
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
/// with it, and did not. Each of several processes judges the links that end at its nodes.
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
    if (!owns(other_end(link.first, link.second))) continue;
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

/// The blocks of a message, one after the other, in the memory of its sender.
template <class Visit>
void MachineCore::for_blocks(NodeId sender, Message message, Visit visit) const {
  const RegionLayout& layout = regions_[index(message.region())];
  std::byte* const bytes =
      layout.bytes + (layout.first == nullptr ? index(sender) * layout.stride
                                              : layout.first[index(sender)] * layout.slot_bytes);
  if (!message.gathered())
    return visit(bytes + message.first() * layout.slot_bytes, message.blocks() * layout.slot_bytes);
  for (const std::uint32_t slot : slots_of(message.first()))
    visit(bytes + slot * layout.slot_bytes, layout.slot_bytes);
}

/// A message travels with its bytes, and only to the process of its receiver. Over links that it
/// holds, every process has to know of it.
void MachineCore::send_away(const SentAway& sent, TaskOutcome& total) {
  const std::size_t owner = others_->owner(receiver_of(sent));
  const bool to_all = setup_.channel == ChannelKind::wormhole;
  for (std::size_t p = 0; p < others_->count(); ++p) {
    if (p == others_->rank() || (p != owner && !to_all)) continue;
    WireWriter out(others_->out(p));
    out.put(sent).put(p == owner);
    if (p != owner) continue;
    for_blocks(sent.sender, sent.message,
               [&](const std::byte* bytes, std::size_t count) { out.put_bytes(bytes, count); });
    ++total.counts.crossing;
    if (!regions_[index(sent.message.region())].control)
      total.counts.crossing_bytes += sent.message.blocks() * options_.block_bytes;
  }
}

/// Messages of other processes may break rules where they arrive. Then the outcome of the pass is
/// exchanged after them, and together with them otherwise.
bool MachineCore::judges_arrivals() const noexcept {
  return setup_.channel == ChannelKind::mailbox || setup_.channel == ChannelKind::wormhole ||
         once_ || options_.fault.kind != FaultKind::none;
}

/// Packs the messages of own nodes to other processes. Their number.
std::uint64_t MachineCore::send_messages(PassPlace place, TaskOutcome& total) {
  if (options_.fault.kind == FaultKind::duplicate && place.step == options_.fault.step)
    share_replay();
  leaving_.clear();
  for (std::vector<SentAway>& outbox : others_->outboxes()) {
    leaving_.insert(leaving_.end(), outbox.begin(), outbox.end());
    outbox.clear();
  }
  take_from_channels(place, leaving_);
  for (const SentAway& sent : leaving_) send_away(sent, total);
  return total.counts.crossing;
}

/// Lets the messages of other processes enter the channels. The bytes lie in the memory of the
/// sender afterwards, which no node of this process uses otherwise. The number of those for own
/// nodes.
std::uint64_t MachineCore::accept_messages(PassPlace place, TaskOutcome& total) {
  std::uint64_t arriving = 0;
  for (std::size_t p = 0; p < others_->count(); ++p) {
    if (p == others_->rank()) continue;
    for (WireReader in(others_->in(p)); !in.is_empty();) {
      const auto sent = in.take<SentAway>();
      const bool arrives = in.take<bool>();
      arriving += static_cast<std::uint64_t>(arrives);
      if (arrives)
        for_blocks(sent.sender, sent.message, [&](std::byte* bytes, std::size_t count) {
          std::memcpy(bytes, in.take_bytes(count), count);
        });
      accept(place, sent, total);
    }
  }
  return arriving;
}

/// Every process replays the message that a fault sends twice, if the receiver is its own.
void MachineCore::share_replay() {
  const std::size_t owner = others_->owner(options_.fault.sender);
  if (owner == others_->rank())
    for (std::size_t p = 0; p < others_->count(); ++p)
      WireWriter(others_->out(p))
          .put(duplicate_.port)
          .put(duplicate_.message)
          .put_all(std::span<const std::byte>(duplicate_.bytes));
  others_->exchange();
  if (owner == others_->rank()) return;
  WireReader in(others_->in(owner));
  duplicate_.port = in.take<Port>();
  duplicate_.message = in.take<Message>();
  duplicate_.bytes = in.take_all<std::byte>();
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
