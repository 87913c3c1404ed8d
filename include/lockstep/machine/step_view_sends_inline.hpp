// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Definitions of step_view.hpp: what becomes of a send.

#include "lockstep/machine/step_view.hpp"

namespace lockstep {

template <class Pass>
[[gnu::always_inline]] inline void StepView<Pass>::push(Port port, Message message) {
  if (pass_.unusual() && pass_.judge.is_after_end(node_, port)) return;
  if (!pass_.regular && index(port) >= degree()) [[unlikely]]
    return pass_.judge.no_such_port(node_, port);
  if (!pass_.counts.is_again(port, message)) [[unlikely]] {
    if (index(port) >= pass_.network.max_degree()) return pass_.judge.no_such_port(node_, port);
    expects_own_memory(message);
    pass_.counts.count_another(port, message);
  }
  pass_.counts.blocks += message.blocks();
  if (pass_.times != nullptr) [[unlikely]]
    count_waits(node_, message);
  ++sends_;
  last_sent_ = port;
  if (pass_.unusual()) {
    pass_.judge.sent(node_, port);
    if (sends_ == 1 && pass_.fault->strikes(pass_.step, node_)) {
      if (pass_.fault->kind == FaultKind::drop) {
        ++pass_.counts.rejected;
        return;
      }
      if (pass_.fault->kind == FaultKind::misroute) port = pass_.fault->wrong_port;
      if (pass_.fault->kind == FaultKind::duplicate) pass_.remember(node_, port, message);
    }
  }
  enter_channel(port, message);
}

template <class Pass>
[[gnu::always_inline]] inline void StepView<Pass>::expects_own_memory(Message message) const {
  const std::uint64_t last =
      message.gathered() ? 1 : std::uint64_t{message.first()} + message.blocks();
  expects(message.blocks() != 0 && last <= pass_.memory[index(message.region())].blocks,
          "send: the blocks lie in a region of the processor's own memory");
}

template <class Pass>
[[gnu::always_inline]] inline void StepView<Pass>::count_waits(NodeId node, Message message) {
  const std::uint32_t* list = nullptr;
  if constexpr (GatheringProgram<typename Pass::ProgramType>)
    if (message.gathered())
      list = pass_.program->gather_list(static_cast<GatherList>(message.first())).data();
  for (std::uint32_t i = 0; i < message.blocks(); ++i) {
    const std::uint32_t slot = list == nullptr ? message.first() + i : list[i];
    pass_.counts.count_wait(node, pass_.times->wait(node, message.region(), slot, pass_.step));
  }
}

/// Whether the arc carries a message of this step already. Channels of one message per arc know;
/// those of one per node may hold another sender's instead.
template <class Pass>
[[gnu::always_inline]] inline bool StepView<Pass>::meets_earlier_send(Port port) {
  if constexpr (Pass::one_message_per_node) {
    const std::uint64_t bit = std::uint64_t{1} << index(port);
    bool used = (sent_through_ & bit) != 0;
    if (pass_.unusual()) used = used || pass_.replays_through(node_, port);
    sent_through_ |= bit;
    return used;
  }
  return false;
}

template <class Pass>
[[gnu::always_inline]] inline void StepView<Pass>::enter_channel(Port port, Message message) {
  const NodeId receiver = pass_.network.neighbor(node_, port);
  const Port back = pass_.network.reverse_port(node_, port);
  if (pass_.unusual() && pass_.trace != nullptr)
    pass_.trace->push_back({pass_.step, node_, port, receiver, back, message.blocks()});
  const bool used = meets_earlier_send(port);
  const Pushed pushed = used ? Pushed::full : pass_.out.push(receiver, back, message);
  if (pushed != Pushed::accepted) [[unlikely]]
    return reject(pushed, node_, port);
  pass_.activate(receiver);
}

/// A message from `node` through `port` did not enter its channel.
template <class Pass>
[[gnu::always_inline]] inline void StepView<Pass>::reject(Pushed pushed, NodeId node, Port port) {
  ++pass_.counts.rejected;
  if (pushed == Pushed::full) return pass_.judge.lane_taken(node, port);
  pass_.judge.crowded(pass_.network.neighbor(node, port), pass_.network.reverse_port(node, port),
                      1);  // one more than one
}

}  // namespace lockstep
