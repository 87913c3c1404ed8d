// SPDX-License-Identifier: Apache-2.0
#include "algorithm/broadcast/matching_rounds.hpp"

#include <algorithm>
#include <utility>

namespace lockstep {

TargetMatching::TargetMatching(const EisensteinJacobiNetwork& network)
    : network_(network),
      target_of_(network.node_count(), nobody),
      sender_of_(network.node_count(), nobody),
      port_of_(network.node_count()),
      visits_(network.node_count()) {}

void TargetMatching::clear() {
  for (const std::uint32_t target : targets_) {
    target_of_[sender_of_[target]] = nobody;
    sender_of_[target] = nobody;
  }
  targets_.clear();
  std::fill(visits_.begin(), visits_.end(), Visit{});
  search_ = 0;
}

bool TargetMatching::add(NodeId target, const std::vector<std::uint8_t>& informed) {
  ++search_;
  seen_.clear();
  queue_.assign(1, static_cast<std::uint32_t>(index(target)));
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const std::uint32_t wanted = queue_[i];
    for (std::size_t p = 0; p < network_.max_degree(); ++p) {
      const NodeId sender = network_.neighbor(NodeId{wanted}, port(p));
      Visit& visit = visits_[index(sender)];
      if (informed[index(sender)] == 0 || visit.search == search_ || visit.search == given_up)
        continue;
      visit = {search_, wanted, network_.reverse_port(NodeId{wanted}, port(p))};
      const auto from = static_cast<std::uint32_t>(index(sender));
      if (target_of_[from] == nobody) {
        augment(from, static_cast<std::uint32_t>(index(target)));
        targets_.push_back(static_cast<std::uint32_t>(index(target)));
        return true;
      }
      seen_.push_back(from);
      queue_.push_back(target_of_[from]);
    }
  }
  for (const std::uint32_t sender : seen_) visits_[sender].search = given_up;
  return false;
}

/// The sender takes the target it was found for, whose sender takes the one it was found for, ...
void TargetMatching::augment(std::uint32_t sender, std::uint32_t target) {
  while (true) {
    const Visit& visit = visits_[sender];
    const std::uint32_t freed = std::exchange(sender_of_[visit.target], sender);
    target_of_[sender] = visit.target;
    port_of_[visit.target] = visit.port;
    if (visit.target == target) return;
    sender = freed;
  }
}

NodeId TargetMatching::sender_to(std::uint32_t target) const { return NodeId{sender_of_[target]}; }

MatchingRounds::MatchingRounds(const EisensteinJacobiNetwork& network)
    : network_(network),
      informed_(network.node_count()),
      uninformed_neighbors_(network.node_count(), static_cast<std::uint16_t>(network.max_degree())),
      matching_(network) {
  inform(NodeId{0});
}

const TargetMatching& MatchingRounds::next() {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> ranked;
  ranked.reserve(frontier_.size());
  for (const std::uint32_t u : frontier_) ranked.emplace_back(preference(NodeId{u}), u);
  std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  matching_.clear();
  for (const auto& [preference, u] : ranked) {
    if (matching_.size() == informed_count_) break;
    (void)matching_.add(NodeId{u}, informed_);
  }
  for (const std::uint32_t u : matching_.targets()) inform(NodeId{u});
  std::erase_if(frontier_, [&](std::uint32_t u) { return informed_[u] != 0; });
  return matching_;
}

std::uint64_t MatchingRounds::preference(NodeId target) const {
  std::uint64_t beyond = 0;
  for (std::size_t p = 0; p < network_.max_degree(); ++p) {
    const std::uint64_t neighbor = index(network_.neighbor(target, port(p)));
    if (informed_[neighbor] == 0) beyond += uninformed_neighbors_[neighbor];
  }
  // At most degree^2 < 2^32.
  return (std::uint64_t{uninformed_neighbors_[index(target)]} << 32U) + beyond;
}

void MatchingRounds::inform(NodeId u) {
  informed_[index(u)] = 1;
  ++informed_count_;
  for (std::size_t p = 0; p < network_.max_degree(); ++p) {
    const NodeId neighbor = network_.neighbor(u, port(p));
    if (uninformed_neighbors_[index(neighbor)]-- == network_.max_degree() &&
        informed_[index(neighbor)] == 0)
      frontier_.push_back(static_cast<std::uint32_t>(index(neighbor)));
  }
}

}  // namespace lockstep
