// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/rejected_messages.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace lockstep::detail {

void add_rejected(std::vector<RejectedMessage>* task, const RejectedMessage& message) {
  task->push_back(message);
}

void judge_rejected(std::vector<RejectedMessage>& messages, const PortModel& model, PassPlace place,
                    const std::function<Port(NodeId, Port)>& keep_lowest,
                    std::vector<Violation>& found) {
  if (messages.empty()) return;
  const StepJudge judge(model, place, nullptr, found);
  std::ranges::sort(messages, {},
                    [](const RejectedMessage& m) { return std::pair(m.receiver, m.port); });
  if (model.duplex == Duplex::half) {
    std::vector<std::pair<NodeId, Port>> lanes;  // of these messages: senders and their ports
    for (const RejectedMessage& message : messages)
      lanes.emplace_back(message.sender, message.through);
    std::ranges::sort(lanes);
    std::erase_if(messages, [&](const RejectedMessage& message) {
      if (!std::ranges::binary_search(lanes, std::pair(message.receiver, message.port)))
        return false;
      judge.met_another(message.receiver, message.port);
      return true;
    });
  }
  for (auto first = messages.begin(); first != messages.end();) {
    const auto last = std::find_if(first, messages.end(), [&](const RejectedMessage& message) {
      return message.receiver != first->receiver;
    });
    const Port lowest =
        first->why == Put::crowded ? keep_lowest(first->receiver, first->port) : first->port;
    judge.crowded(first->receiver, lowest, 1 + static_cast<std::uint64_t>(last - first));
    first = last;
  }
}

void resize_tasks(std::vector<std::vector<RejectedMessage>>& tasks, std::size_t count) {
  tasks.resize(count);
}

std::vector<RejectedMessage> taken_from(std::vector<std::vector<RejectedMessage>>& tasks) {
  std::vector<RejectedMessage> all;
  for (std::vector<RejectedMessage>& part : tasks) {
    all.insert(all.end(), part.begin(), part.end());
    part.clear();
  }
  return all;
}

}  // namespace lockstep::detail
