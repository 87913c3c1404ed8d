// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/other_processes.hpp"

#include <algorithm>
#include <span>

#include "lockstep/machine/detail/task_outcome.hpp"
#include "lockstep/machine/detail/wire.hpp"

namespace lockstep::detail {
namespace {

struct OutcomeHead {
  TaskCounts counts;
  DeliveryTally deliveries;
  double verify_seconds = 0;
  bool stops = false;
};

void put_trace(WireWriter& out, const SendTrace& trace) {
  out.put(std::uint64_t{trace.size()});
  for (const SendEvent& event : trace) {
    out.put(event.step).put(event.sender).put(event.port).put(event.receiver);
    out.put(event.receiver_port).put(event.blocks).put(event.words);
    out.put_all(std::span<const LinkName>(event.further));
  }
}

void take_trace(WireReader& in, SendTrace& trace) {
  for (auto events = in.take<std::uint64_t>(); events != 0; --events) {
    SendEvent event;
    event.step = in.take<std::uint64_t>();
    event.sender = in.take<NodeId>();
    event.port = in.take<Port>();
    event.receiver = in.take<NodeId>();
    event.receiver_port = in.take<Port>();
    event.blocks = in.take<std::uint64_t>();
    event.words = in.take<std::uint64_t>();
    event.further = in.take_all<LinkName>();
    trace.push_back(std::move(event));
  }
}

void put_outcome(WireWriter& out, const TaskOutcome& own) {
  out.put(OutcomeHead{own.counts, own.deliveries, own.verify_seconds, own.stops});
  out.put_all(std::span<const Violation>(own.violations));
  put_trace(out, own.trace);
}

/// Adds the outcome of one of `processes` processes.
void add_outcome(WireReader& in, std::size_t processes, TaskOutcome& total) {
  const auto head = in.take<OutcomeHead>();
  total.counts += head.counts;
  total.deliveries += head.deliveries;
  total.verify_seconds += head.verify_seconds / static_cast<double>(processes);
  total.stops = total.stops || head.stops;
  const auto violations = in.take_all<Violation>();
  total.violations.insert(total.violations.end(), violations.begin(), violations.end());
  take_trace(in, total.trace);
}

}  // namespace

OtherProcesses::OtherProcesses(Processes& processes, std::uint64_t nodes)
    : processes_(processes),
      nodes_(nodes),
      own_(nodes_of(processes, nodes)),
      out_(processes.count()),
      in_(processes.count()) {
  check_processes(processes.count(), nodes);
}

void OtherProcesses::exchange() {
  processes_.exchange(out_, in_);
  for (Processes::Bytes& bytes : out_) bytes.clear();
}

/// The outcomes and their length are behind the messages.
void OtherProcesses::exchange(std::span<TaskOutcome> outcomes) {
  Processes::Bytes own;
  WireWriter all(own);
  for (const TaskOutcome& outcome : outcomes) put_outcome(all, outcome);
  for (std::size_t p = 0; p < count(); ++p)
    if (p != rank()) WireWriter(out_[p]).put_bytes(own.data(), own.size()).put(own.size());
  exchange();
  for (TaskOutcome& outcome : outcomes) outcome = {};
  const auto add = [&](std::span<const std::byte> bytes) {
    WireReader part(bytes);
    for (TaskOutcome& outcome : outcomes) add_outcome(part, count(), outcome);
  };
  for (std::size_t p = 0; p < count(); ++p) {
    if (p == rank()) {
      add(own);
      continue;
    }
    const std::span<const std::byte> bytes(in_[p]);
    const std::size_t end = bytes.size() - sizeof(std::size_t);
    const auto size = WireReader(bytes.subspan(end)).take<std::size_t>();
    add(bytes.subspan(end - size, size));
    in_[p].resize(end - size);
  }
}

DeliveryTally combined(Processes& processes, const DeliveryTally& own) {
  DeliveryTally all;
  for (const DeliveryTally& part : gathered(processes, own)) all += part;
  return all;
}

std::vector<LevelQueues> combined(Processes& processes, const std::vector<LevelQueues>& own) {
  std::vector<LevelQueues> all = own;
  for (LevelQueues& level : all)
    for (const LevelQueues& other : gathered(processes, level)) {
      level.held = std::max(level.held, other.held);
      level.wait_up = std::max(level.wait_up, other.wait_up);
      level.wait_down = std::max(level.wait_down, other.wait_down);
      level.per_branch = std::max(level.per_branch, other.per_branch);
    }
  return all;
}

}  // namespace lockstep::detail
