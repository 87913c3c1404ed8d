// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The messages of a machine whose run is shared by several processes: which nodes are its own,
/// what its nodes send to others, and the exchange that ends a step. Also the figures that the
/// processes combine at the end of a run. Internal.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/detail/message.hpp"
#include "lockstep/machine/processes.hpp"
#include "lockstep/machine/run_record.hpp"

namespace lockstep::detail {

struct TaskOutcome;

/// A message for a node of another process.
struct SentAway {
  NodeId sender{};
  Port port{};  ///< of the sender
  Message message{};
  std::uint32_t route = 0;  ///< as WormholeChannels keep it
};

/// An arc to a node of another process.
struct CrossingArc {
  NodeId sender{};
  NodeId receiver{};
  Port back{};  ///< of the receiver
};

class OtherProcesses {
 public:
  /// Throws InvalidParameter where a process would own no node.
  OtherProcesses(Processes& processes, std::uint64_t nodes);

  [[nodiscard]] std::size_t count() const noexcept { return processes_.count(); }
  [[nodiscard]] std::size_t rank() const noexcept { return processes_.rank(); }
  [[nodiscard]] const NodeRange& own() const noexcept { return own_; }
  [[nodiscard]] bool owns(NodeId node) const noexcept { return own_.holds(node); }
  [[nodiscard]] std::size_t owner(NodeId node) const noexcept {
    return process_of(node, processes_.count(), nodes_);
  }

  /// The messages that a task sends away; none after the exchange.
  void resize_outboxes(std::size_t tasks) { outboxes_.resize(tasks); }
  [[nodiscard]] std::vector<SentAway>& outbox(std::size_t task) { return outboxes_[task]; }
  [[nodiscard]] std::vector<std::vector<SentAway>>& outboxes() noexcept { return outboxes_; }

  /// The bytes that the next exchange sends to a process.
  [[nodiscard]] Processes::Bytes& out(std::size_t process) { return out_[process]; }
  /// The bytes of a process in the last exchange.
  [[nodiscard]] const Processes::Bytes& in(std::size_t process) const { return in_[process]; }
  void exchange();
  /// The same, with the outcomes of passes: those of all processes afterwards.
  void exchange(std::span<TaskOutcome> outcomes);

 private:
  Processes& processes_;
  std::uint64_t nodes_;
  NodeRange own_;
  std::vector<std::vector<SentAway>> outboxes_;
  std::vector<Processes::Bytes> out_;
  std::vector<Processes::Bytes> in_;
};

/// The sum over the processes.
[[nodiscard]] DeliveryTally combined(Processes& processes, const DeliveryTally& own);

/// The longest queues of all processes, level by level.
[[nodiscard]] std::vector<LevelQueues> combined(Processes& processes,
                                                const std::vector<LevelQueues>& own);

}  // namespace lockstep::detail
