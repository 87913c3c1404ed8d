// SPDX-License-Identifier: Apache-2.0

/// All-gather in EJ_alpha^(n) with one block per message, by matching. In every step each port - on
/// half-duplex links each pair of opposite ports - brings the blocks of all sources to one
/// displacement they have not reached, from one that they reached before. A maximum matching says
/// which ones: the ports with the fewest displacements to choose from are served first, of these
/// the one that could be reached first.
///
/// It takes ceil((N^n - 1)/(6n)) start-ups and message times, on half-duplex links
/// ceil((N^n - 1)/(3n)), the least there can be, in every network tried (b <= 25 in one dimension,
/// 1+2rho .. 2+3rho in up to five); not proved. Nothing of the kind is in Hussain 2018, which
/// counts steps of three phases as if a link took several messages at once.

#include <algorithm>
#include <deque>
#include <numeric>
#include <vector>

#include "algorithm/family_shapes.hpp"
#include "algorithm/grown_matching.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"

namespace lockstep {
namespace {

/// A displacement that a carrier can bring the blocks to.
struct Choice {
  NodeId displacement;
  Port through;
};

/// Who has been reached, and what each carrier can do next. A carrier brings one block in a step: a
/// port or, on half-duplex links, a pair of opposite ports.
class Frontier {
 public:
  Frontier(const EisensteinJacobiNetwork& network, Duplex duplex)
      : network_(network),
        per_dimension_(duplex == Duplex::full ? 6 : 3),
        reached_(network.node_count()),
        choices_(network.dimensions() * per_dimension_) {
    reach(network.identity());
  }

  [[nodiscard]] std::size_t carriers() const noexcept { return choices_.size(); }
  [[nodiscard]] const std::deque<Choice>& choices(std::size_t carrier) const {
    return choices_[carrier];
  }
  /// Until `offer` returns false.
  void offer_choices(std::size_t carrier, auto offer) const {
    for (const Choice& choice : choices_[carrier])
      if (!is_reached(choice.displacement) &&
          !offer(static_cast<std::uint32_t>(index(choice.displacement)), choice.through))
        return;
  }
  [[nodiscard]] bool is_reached(NodeId v) const { return reached_[index(v)]; }
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

  /// From the next step on its neighbours can be reached from here.
  void reach(NodeId v) {
    reached_[index(v)] = true;
    ++count_;
    for (std::size_t p = 0; p < network_.max_degree(); ++p) {
      const NodeId next = network_.neighbor(v, port(p));
      if (!is_reached(next)) choices_[carrier_of(p)].push_back({next, port(p)});
    }
  }
  /// Forgets what has been reached at the head of the list; the rest is passed over.
  void tidy(std::size_t carrier) {
    std::deque<Choice>& list = choices_[carrier];
    while (!list.empty() && is_reached(list.front().displacement)) list.pop_front();
  }

 private:
  [[nodiscard]] std::size_t carrier_of(std::size_t port) const noexcept {
    return port / 6 * per_dimension_ + port % 6 % per_dimension_;
  }

  const EisensteinJacobiNetwork& network_;
  std::size_t per_dimension_;  // carriers
  std::vector<bool> reached_;
  std::vector<std::deque<Choice>> choices_;
  std::uint64_t count_ = 0;
};

/// The carriers with the fewest choices first.
[[nodiscard]] std::vector<std::uint32_t> by_scarcity(const Frontier& frontier) {
  std::vector<std::uint32_t> order(frontier.carriers());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {},
                           [&](std::uint32_t of) { return frontier.choices(of).size(); });
  return order;
}

/// Step by step, until all displacements are reached: carriers choose them.
[[nodiscard]] Transfers matched(const EisensteinJacobiNetwork& network, Duplex duplex) {
  Transfers plan = all_one_class(network.node_count());
  Frontier frontier(network, duplex);
  GrownMatching matching(frontier.carriers(), network.node_count());
  for (; frontier.count() < network.node_count(); ++plan.steps) {
    for (std::size_t carrier = 0; carrier < frontier.carriers(); ++carrier) frontier.tidy(carrier);
    matching.clear();
    for (const std::uint32_t carrier : by_scarcity(frontier))
      matching.add(carrier,
                   [&](std::uint32_t of, auto offer) { frontier.offer_choices(of, offer); });
    const std::size_t before = plan.list.size();
    for (std::uint32_t carrier = 0; carrier < frontier.carriers(); ++carrier) {
      const NodeId to{matching.provider_of(carrier)};
      if (index(to) == GrownMatching::nobody) continue;
      const Port through = matching.port_of(carrier);
      const NodeId from = network.neighbor(to, network.reverse_port(to, through));
      plan.move(plan.steps, 0, everyone, index(from), index(to), through);
    }
    expects(plan.list.size() > before,
            "a connected network has a displacement that can be reached next");
    for (std::size_t i = before; i < plan.list.size(); ++i) frontier.reach(NodeId{plan.list[i].to});
  }
  return plan;
}

[[nodiscard]] PlannedAlgorithm by_matching(Duplex duplex) {
  const bool full = duplex == Duplex::full;
  return {
      .info = {.name = full ? "greedy" : "greedy-half-duplex",
               .operation = Operation::all_gather,
               .model = full ? port_models::all_port : port_models::all_port_half_duplex,
               .source = "Lockstep, for Eisenstein-Jacobi networks",
               .costs = full ? "(N^n - 1)/(6n) start-ups and message times, rounded up, in all "
                               "tested cases"
                             : "(N^n - 1)/(3n) start-ups and message times, rounded up, in all "
                               "tested cases",
               .summary = full ? "one block per message, by a matching of ports and displacements"
                               : "one block per message, by a matching of links and "
                                 "displacements"},
      .networks = families::ej,
      .plan =
          [duplex](const PlanRequest& asked) {
            return matched(*asked.network.as<EisensteinJacobiNetwork>(), duplex);
          },
      .one_class = true};
}

}  // namespace

const PlannedAlgorithm ej_greedy = by_matching(Duplex::full);
const PlannedAlgorithm ej_greedy_half_duplex = by_matching(Duplex::half);

}  // namespace lockstep
