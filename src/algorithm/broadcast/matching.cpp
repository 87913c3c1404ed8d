// SPDX-License-Identifier: Apache-2.0

/// Single node broadcast on any graph by maximum matchings.
/// Model:   single-port, half-duplex.
/// Idea:    in every step as many as possible of those who have the block inform a neighbour that
///          has not: a maximum matching. Of all maximum matchings it takes one that informs those
///          with the most uninformed neighbours, and among these, whose uninformed neighbours have
///          the most.
/// Cost:    computed with the plan: 6 start-ups in EJ_(3+4rho), 11 in its square, both the least
///          there can be; N - 1 messages of one block.
/// Source:  this library, after the model of the Eisenstein-Jacobi paper (Hussain 2018).
/// Differs: nothing to differ from; tests/papers/ej_single_port_broadcast_test.cpp.
/// Planning takes about a second for a million nodes.

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <utility>

#include "algorithm/broadcast/planned_broadcast.hpp"
#include "algorithm/grown_matching.hpp"
#include "lockstep/core/expects.hpp"
#include "topology/known_searches.hpp"

namespace lockstep {
namespace {

/// The broadcast, step by step: who informs whom is a maximum matching.
class Rounds {
 public:
  /// Equal nodes are taken in the order of their numbers; of another attempt, by chance.
  Rounds(const ErasedTopology& network, NodeId root, std::uint32_t attempt)
      : network_(network),
        order_(network.node_count()),
        informed_(network.node_count()),
        matching_(network.node_count(), network.node_count()) {
    std::iota(order_.begin(), order_.end(), std::uint32_t{0});
    std::mt19937 random{attempt};
    if (attempt > 0) std::ranges::shuffle(order_, random);
    uninformed_neighbors_.reserve(network.node_count());
    for (std::uint64_t u = 0; u < network.node_count(); ++u)
      uninformed_neighbors_.push_back(static_cast<std::uint32_t>(network.degree(NodeId{u})));
    inform(static_cast<std::uint32_t>(index(root)));
  }

  [[nodiscard]] bool done() const noexcept { return informed_count_ == informed_.size(); }

  /// One step: those to be informed are the clients, through their ports, of those who know.
  /// Precondition: not done.
  [[nodiscard]] const GrownMatching& next() {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> ranked;
    ranked.reserve(frontier_.size());
    for (const std::uint32_t u : frontier_) ranked.emplace_back(preference(u), u);
    std::ranges::sort(ranked, [this](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : order_[a.second] < order_[b.second];
    });
    matching_.clear();
    for (const auto& [preference, u] : ranked) {
      if (matching_.clients().size() == informed_count_) break;
      matching_.add(u, [this](std::uint32_t target, auto offer) { offer_senders(target, offer); });
    }
    expects(!matching_.clients().empty(), "a topology is connected");
    for (const std::uint32_t u : matching_.clients()) inform(u);
    std::erase_if(frontier_, [&](std::uint32_t u) { return informed_[u] != 0; });
    return matching_;
  }

 private:
  void offer_senders(std::uint32_t target, auto offer) const {
    const std::size_t degree = network_.degree(NodeId{target});
    for (std::size_t p = 0; p < degree; ++p) {
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
    const std::size_t degree = network_.degree(NodeId{target});
    for (std::size_t p = 0; p < degree; ++p) {
      const std::uint32_t next = neighbor(target, p);
      if (informed_[next] == 0) beyond += uninformed_neighbors_[next];
    }
    // At most degree^2 < 2^32.
    return (std::uint64_t{uninformed_neighbors_[target]} << 32U) + beyond;
  }

  void inform(std::uint32_t u) {
    informed_[u] = 1;
    ++informed_count_;
    const std::size_t degree = network_.degree(NodeId{u});
    for (std::size_t p = 0; p < degree; ++p) {
      const std::uint32_t next = neighbor(u, p);
      const bool first = uninformed_neighbors_[next]-- == network_.degree(NodeId{next});
      if (first && informed_[next] == 0) frontier_.push_back(next);
    }
  }

  const ErasedTopology& network_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint8_t> informed_;
  std::vector<std::uint32_t> uninformed_neighbors_;
  std::vector<std::uint32_t> frontier_;  // uninformed, with an informed neighbour
  std::uint64_t informed_count_ = 0;
  GrownMatching matching_;
};

/// Leaves out switches that have nobody to send it to, and steps in which only they receive. A node
/// receives before it sends.
void leave_out_idle_switches(const ErasedTopology& network,
                             std::vector<BroadcastPlan::SendOf>& sends) {
  std::vector<bool> is_needed(network.node_count());
  std::fill_n(is_needed.begin(), network.processor_count(), true);
  const auto receiver = [&](const BroadcastPlan::SendOf& one) {
    return index(network.neighbor(NodeId{one.node}, one.send.port));
  };
  for (auto one = sends.rbegin(); one != sends.rend(); ++one)
    if (is_needed[receiver(*one)]) is_needed[one->node] = true;
  std::erase_if(sends, [&](const auto& one) { return !is_needed[receiver(one)]; });
  std::uint32_t steps = 0;
  for (auto one = sends.begin(); one != sends.end(); ++steps) {
    const std::uint32_t step = one->send.step;
    for (; one != sends.end() && one->send.step == step; ++one) one->send.step = steps;
  }
}

[[nodiscard]] std::vector<BroadcastPlan::SendOf> sends_of_attempt(const ErasedTopology& network,
                                                                  NodeId root,
                                                                  std::uint32_t attempt) {
  std::vector<BroadcastPlan::SendOf> sends;
  sends.reserve(network.node_count() - 1);
  Rounds rounds(network, root, attempt);
  for (std::uint32_t step = 0; !rounds.done(); ++step) {
    const GrownMatching& matching = rounds.next();
    for (const std::uint32_t target : matching.clients())
      sends.push_back({matching.provider_of(target),
                       {step, network.reverse_port(NodeId{target}, matching.port_of(target))}});
  }
  if (network.processor_count() != network.node_count()) leave_out_idle_switches(network, sends);
  return sends;
}

/// Steps, then the message times of the scatter over the same tree: the nodes at and below the
/// receivers of each step, the most of one.
[[nodiscard]] std::pair<std::uint64_t, std::uint64_t> figures_of(
    const ErasedTopology& network, const std::vector<BroadcastPlan::SendOf>& sends) {
  std::vector<std::uint64_t> below(network.node_count(), 1);
  const std::uint64_t steps = sends.empty() ? 0 : sends.back().send.step + 1;
  std::vector<std::uint64_t> longest(steps);
  for (auto one = sends.rbegin(); one != sends.rend(); ++one) {
    const std::uint64_t nodes = below[index(network.neighbor(NodeId{one->node}, one->send.port))];
    below[one->node] += nodes;
    longest[one->send.step] = std::max(longest[one->send.step], nodes);
  }
  return {steps, std::reduce(longest.begin(), longest.end(), std::uint64_t{0})};
}

/// The best of several attempts; one in large networks.
[[nodiscard]] std::vector<BroadcastPlan::SendOf> sends_of_all(const ErasedTopology& network,
                                                              NodeId root) {
  constexpr std::uint64_t most_work = 8'192;
  const std::uint64_t others_to_inform = network.processor_count() - 1;
  const std::uint64_t attempts =
      std::clamp<std::uint64_t>(most_work / network.node_count(), 1, 128);
  std::vector<BroadcastPlan::SendOf> best = sends_of_attempt(network, root, 0);
  if (attempts == 1) return best;
  const std::pair<std::uint64_t, std::uint64_t> least{std::bit_width(others_to_inform),
                                                      others_to_inform};
  auto figures = figures_of(network, best);
  for (std::uint32_t i = 1; i < attempts && figures > least; ++i) {
    auto other = sends_of_attempt(network, root, i);
    const auto others = figures_of(network, other);
    if (others >= figures) continue;
    best = std::move(other);
    figures = others;
  }
  return best;
}

}  // namespace

BroadcastPlan matching_plan(const ErasedTopology& network, NodeId root) {
  static KnownSearches<NodeId, std::vector<BroadcastPlan::SendOf>> known;
  return {network.node_count(),
          known.of(network, root, [&] { return sends_of_all(network, root); })};
}

const BroadcastRule matching_broadcast{
    .info = {.name = "matching",
             .operation = Operation::broadcast,
             .model = port_models::single_port_half_duplex,
             .source = "Lockstep; machine model of Hussain",
             .costs = "from the search; on ej:3+4^2 11 start-ups and message times",
             .claims = {.startups = Among::all,
                        .message_times = Among::undivided,
                        .where = "on ej:3+4 and ej:3+4^2",
                        .holds =
                            [](const ErasedTopology& network, const Settings&) {
                              return network.name() == "ej:3+4" || network.name() == "ej:3+4^2";
                            }},
             .summary =
                 "sends along a maximum matching of informed to uninformed nodes in every step",
             .parameters = root_parameters,
             .promise_name = "plan"},
    .plan = matching_plan};

}  // namespace lockstep
