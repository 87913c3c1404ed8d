// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/broadcast/ej_matching.hpp"

#include <algorithm>
#include <limits>

#include "algorithm/grown_matching.hpp"
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

/// The broadcast from node 0, step by step: who informs whom is a maximum matching.
class Rounds {
 public:
  explicit Rounds(const EisensteinJacobiNetwork& network)
      : network_(network),
        informed_(network.node_count()),
        uninformed_neighbors_(network.node_count(),
                              static_cast<std::uint16_t>(network.max_degree())),
        matching_(network.node_count(), network.node_count()) {
    inform(0);
  }

  [[nodiscard]] bool done() const noexcept { return informed_count_ == informed_.size(); }

  /// One step: those to be informed are the clients, through their ports, of those who know.
  /// Precondition: not done.
  [[nodiscard]] const GrownMatching& next() {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> ranked;
    ranked.reserve(frontier_.size());
    for (const std::uint32_t u : frontier_) ranked.emplace_back(preference(u), u);
    std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    matching_.clear();
    for (const auto& [preference, u] : ranked) {
      if (matching_.clients().size() == informed_count_) break;
      matching_.add(u, [this](std::uint32_t target, auto offer) { offer_senders(target, offer); });
    }
    for (const std::uint32_t u : matching_.clients()) inform(u);
    std::erase_if(frontier_, [&](std::uint32_t u) { return informed_[u] != 0; });
    return matching_;
  }

 private:
  template <class Offer>
  void offer_senders(std::uint32_t target, Offer offer) const {
    for (std::size_t p = 0; p < network_.max_degree(); ++p) {
      const std::uint32_t sender = neighbor(target, p);
      if (informed_[sender] != 0 && !offer(sender, port(p))) return;
    }
  }

  [[nodiscard]] std::uint32_t neighbor(std::uint32_t u, std::size_t p) const {
    return static_cast<std::uint32_t>(index(network_.neighbor(NodeId{u}, port(p))));
  }

  /// Larger is better.
  [[nodiscard]] std::uint64_t preference(std::uint32_t target) const {
    std::uint64_t beyond = 0;
    for (std::size_t p = 0; p < network_.max_degree(); ++p) {
      const std::uint32_t next = neighbor(target, p);
      if (informed_[next] == 0) beyond += uninformed_neighbors_[next];
    }
    // At most degree^2 < 2^32.
    return (std::uint64_t{uninformed_neighbors_[target]} << 32U) + beyond;
  }

  void inform(std::uint32_t u) {
    informed_[u] = 1;
    ++informed_count_;
    for (std::size_t p = 0; p < network_.max_degree(); ++p) {
      const std::uint32_t next = neighbor(u, p);
      if (uninformed_neighbors_[next]-- == network_.max_degree() && informed_[next] == 0)
        frontier_.push_back(next);
    }
  }

  const EisensteinJacobiNetwork& network_;
  std::vector<std::uint8_t> informed_;
  std::vector<std::uint16_t> uninformed_neighbors_;
  std::vector<std::uint32_t> frontier_;  // uninformed, with an informed neighbour
  std::uint64_t informed_count_ = 0;
  GrownMatching matching_;
};

}  // namespace

EjMatching::Plan::Plan(const EisensteinJacobiNetwork& network) : first_(network.node_count() + 1) {
  std::vector<Informed> all;
  all.reserve(network.node_count() - 1);
  for (Rounds rounds(network); !rounds.done(); ++steps_) {
    expects(steps_ <= std::numeric_limits<std::uint16_t>::max(), "a step has 16 bits");
    const GrownMatching& matching = rounds.next();
    for (const std::uint32_t target : matching.clients())
      all.push_back({NodeId{matching.provider_of(target)},
                     {static_cast<std::uint16_t>(steps_),
                      network.reverse_port(NodeId{target}, matching.port_of(target))}});
  }
  // Sorted by sender, the steps of one in their order: counted, then put into place.
  for (const Informed& informed : all) ++first_[index(informed.by) + 1];
  for (std::size_t u = 1; u < first_.size(); ++u) first_[u] += first_[u - 1];
  sends_.resize(all.size());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (const Informed& informed : all) sends_[next[index(informed.by)]++] = informed.send;
}

EjMatching::EjMatching(const EisensteinJacobiNetwork& network, const Settings& settings)
    : RootBroadcast(info.name, network, settings),
      plan_(std::make_shared<const Plan>(checked(network))) {
  set_plan(plan_->steps(), Plan::bytes(network.node_count()));
}

}  // namespace lockstep
