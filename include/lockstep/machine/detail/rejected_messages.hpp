// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Which rules are broken by messages that reach a processor which was promised one in the whole
/// run. Not for users.

#include <cstdint>
#include <vector>

#include "lockstep/core/detail/std_basics.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/machine/detail/receive_once_boxes.hpp"
#include "lockstep/machine/detail/step_judge.hpp"
#include "lockstep/machine/run_record.hpp"
#include "lockstep/program/port_model.hpp"

namespace lockstep::detail {

/// A message that was one too many.
struct RejectedMessage {
  NodeId receiver{};
  Port port{};  ///< of the receiver
  NodeId sender{};
  Port through{};  ///< of the sender: lanes of one link differ in it
  Put why{};
};

/// Adds to the messages of the task.
[[gnu::cold]] void add_rejected(std::vector<RejectedMessage>* task, const RejectedMessage& message);

/// After a pass, by one thread. Where a link was used both ways, both ends had been
/// reached before, so that both messages are among the rejected: under half duplex that is the rule
/// they broke. All others are receptions: as many as reached the processor in this step, and one
/// more where it had been reached before; the lowest port of this step stands for all.
/// `keep_lowest(node, port)`: of the message that stays where several reach a node in this step,
/// that of the rejected one with the lowest port included.
void judge_rejected(std::vector<RejectedMessage>& messages, const PortModel& model, PassPlace place,
                    const std::function<Port(NodeId, Port)>& keep_lowest,
                    std::vector<Violation>& found);

void resize_tasks(std::vector<std::vector<RejectedMessage>>& tasks, std::size_t count);
/// Takes the messages of all tasks, which have none afterwards.
[[nodiscard]] std::vector<RejectedMessage> taken_from(
    std::vector<std::vector<RejectedMessage>>& tasks);

/// OncePromise: who was reached, where a program promises that a processor receives one message in
/// the whole run and runs on channels that could carry more. the receive-once machine keeps
/// the same bits in its boxes (machine/detail/receive_once_boxes.hpp); a promise that is broken
/// comes to the same record on both. Not for users.
class OncePromise {
 public:
  explicit OncePromise(std::uint64_t nodes)
      : before_((nodes + 63) / 64), reached_(before_.size()) {}

  [[nodiscard]] static std::uint64_t bytes(std::uint64_t nodes) noexcept {
    return (nodes + 63) / 64 * 2 * sizeof(std::uint64_t);
  }

  /// By one thread, before a pass in which these nodes run: running(word) of 64 of them.
  template <class Running>
  void begin_step(Running running) {
    for (std::uint64_t word = 0; word < reached_.size(); ++word) {
      before_[word] = reached_[word];
      reached_[word] |= running(word);
    }
  }
  /// Whether the node ran in an earlier step.
  [[nodiscard]] bool ran_before(NodeId node) const noexcept { return has(before_, node); }
  /// Or runs in this one.
  [[nodiscard]] bool is_reached(NodeId node) const noexcept { return has(reached_, node); }

 private:
  [[nodiscard]] static bool has(const std::vector<std::uint64_t>& bits, NodeId node) noexcept {
    return ((bits[index(node) / 64] >> (index(node) % 64)) & 1U) != 0;
  }

  std::vector<std::uint64_t> before_;
  std::vector<std::uint64_t> reached_;
};

}  // namespace lockstep::detail
