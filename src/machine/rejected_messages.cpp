// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/rejected_messages.hpp"

#include <algorithm>
#include <utility>

namespace lockstep::detail {
namespace {

/// The links through which messages were rejected, as (sender, receiver).
class Links {
 public:
  explicit Links(const std::vector<RejectedMessage>& messages) {
    for (const RejectedMessage& message : messages)
      links_.emplace_back(message.sender, message.receiver);
    std::sort(links_.begin(), links_.end());
  }
  [[nodiscard]] bool met_another(const RejectedMessage& message) const {
    return std::binary_search(links_.begin(), links_.end(),
                              std::pair(message.receiver, message.sender));
  }

 private:
  std::vector<std::pair<NodeId, NodeId>> links_;
};

}  // namespace

std::vector<Violation> judge_rejected(std::vector<RejectedMessage>& messages, std::uint64_t step,
                                      Duplex duplex, SingleReceptionBoxes& boxes) {
  std::vector<Violation> violations;
  if (messages.empty()) return violations;
  std::sort(messages.begin(), messages.end(),
            [](const RejectedMessage& a, const RejectedMessage& b) {
              return std::pair(a.receiver, a.port) < std::pair(b.receiver, b.port);
            });
  if (duplex == Duplex::half) {
    const Links links(messages);
    std::erase_if(messages, [&](const RejectedMessage& message) {
      if (!links.met_another(message)) return false;
      violations.push_back({step, message.receiver, message.port, Rule::half_duplex, 2});
      return true;
    });
  }
  const RejectedMessage* before = nullptr;
  for (const RejectedMessage& message : messages) {
    if (before != nullptr && before->receiver == message.receiver) {
      ++violations.back().count;
      continue;
    }
    before = &message;
    const Port lowest = message.why == Put::crowded
                            ? boxes.keep_lowest(message.receiver, message.port)
                            : message.port;
    violations.push_back({step, message.receiver, lowest, Rule::receptions, 2});
  }
  return violations;
}

}  // namespace lockstep::detail
