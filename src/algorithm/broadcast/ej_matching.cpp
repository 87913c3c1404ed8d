// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/broadcast/ej_matching.hpp"

#include <limits>

#include "algorithm/broadcast/matching_rounds.hpp"
#include "lockstep/core/expects.hpp"

namespace lockstep {
namespace {

[[nodiscard]] const EisensteinJacobiNetwork& checked(const EisensteinJacobiNetwork& network) {
  if (network.node_count() > EjMatching::max_nodes)
    throw InvalidParameter(fmt::format("{} on {}: {} nodes, allowed {}", EjMatching::info.name,
                                       network.name(), network.node_count(),
                                       EjMatching::max_nodes));
  return network;
}

/// A send, and whose it is.
struct Informed {
  NodeId by;
  EjMatching::Plan::Send send;
};

}  // namespace

EjMatching::Plan::Plan(const EisensteinJacobiNetwork& network) : first_(network.node_count() + 1) {
  std::vector<Informed> all;
  all.reserve(network.node_count() - 1);
  for (MatchingRounds rounds(network); !rounds.done(); ++steps_) {
    expects(steps_ <= std::numeric_limits<std::uint16_t>::max(), "a step has 16 bits");
    const TargetMatching& matching = rounds.next();
    for (const std::uint32_t target : matching.targets())
      all.push_back({matching.sender_to(target),
                     {static_cast<std::uint16_t>(steps_), matching.port_to(target)}});
  }
  // Sorted by sender, the steps of one in their order: counted, then put into place.
  for (const Informed& informed : all) ++first_[index(informed.by) + 1];
  for (std::size_t u = 1; u < first_.size(); ++u) first_[u] += first_[u - 1];
  sends_.resize(all.size());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (const Informed& informed : all) sends_[next[index(informed.by)]++] = informed.send;
}

EjMatching::EjMatching(const EisensteinJacobiNetwork& network, const Settings& settings)
    : network_(network),
      root_(checked_root(info.name, network, settings)),
      plan_(std::make_shared<const Plan>(checked(network))) {}

Footprint EjMatching::footprint() const {
  return {.steps = plan_->steps(),
          .hops = network_.node_count() - 1,
          .blocks_per_processor = 1,
          .plan_bytes = Plan::bytes(network_.node_count())};
}

}  // namespace lockstep
