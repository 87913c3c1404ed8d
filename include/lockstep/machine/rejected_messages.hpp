// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Which rules are broken by messages that reach a processor which was promised one in the whole
/// run. Not for users.

#include <cstdint>
#include <functional>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/run_record.hpp"
#include "lockstep/machine/single_reception_boxes.hpp"
#include "lockstep/machine/step_judge.hpp"
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

/// After a pass, by one thread. Where a link was used both ways, both ends had been
/// reached before, so that both messages are among the rejected: under half duplex that is the rule
/// they broke. All others are receptions: as many as reached the processor in this step, and one
/// more where it had been reached before; the lowest port of this step stands for all.
/// `keep_lowest(node, port)`: of the message that stays where several reach a node in this step,
/// that of the rejected one with the lowest port included.
void judge_rejected(std::vector<RejectedMessage>& messages, const PortModel& model, PassPlace place,
                    const std::function<Port(NodeId, Port)>& keep_lowest,
                    std::vector<Violation>& found);

/// Of all tasks, which have none afterwards.
[[nodiscard]] std::vector<RejectedMessage> taken_from(
    std::vector<std::vector<RejectedMessage>>& tasks);

}  // namespace lockstep::detail
