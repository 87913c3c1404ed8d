// SPDX-License-Identifier: Apache-2.0
#include "algorithm/all_gather/ej_gather_rules.hpp"

#include <algorithm>
#include <deque>
#include <numeric>
#include <vector>

#include "algorithm/grown_matching.hpp"
#include "lockstep/core/expects.hpp"

namespace lockstep {

/// The dimensions are walked from `part` (counted from 0) - 1 downwards, cyclically, so that `part`
/// comes last.
EjLastHops ej_simultaneous_hops(const EisensteinJacobiTree& tree, std::size_t /*n*/) {
  return [&tree](std::span<const NodeId> coordinates, std::uint32_t part) -> EjGatherPlan::Hop {
    std::uint64_t distance = 0;
    for (const NodeId c : coordinates) distance += tree.weight(c);
    std::size_t d = part;
    while (coordinates[d] == NodeId{0}) d = (d + 1) % coordinates.size();
    return {static_cast<std::uint32_t>(distance - 1), ej_port(d, tree.parent_port(coordinates[d]))};
  };
}

namespace {

/// The last phase of a walk: which, how far in it, and the dimension of the last hop.
struct LastPhase {
  std::size_t phase = 0;
  std::uint64_t weight = 0;
  std::size_t last = 0;
  bool is_only_one = true;
};

[[nodiscard]] LastPhase last_phase_to(std::span<const NodeId> coordinates,
                                      const EisensteinJacobiTree& tree) {
  LastPhase end;
  for (std::size_t d = coordinates.size(); d-- > 0;) {
    if (coordinates[d] == NodeId{0}) continue;
    const std::size_t phase = ej_phase_of(tree.sector(coordinates[d]));
    end.is_only_one = end.is_only_one && (end.weight == 0 || phase == end.phase);
    if (end.weight != 0 && phase < end.phase) continue;
    if (phase > end.phase) end = {.phase = phase, .is_only_one = end.is_only_one};
    end.weight += tree.weight(coordinates[d]);
    end.last = d;
  }
  return end;
}

}  // namespace

EjLastHops ej_three_phase_complete_hops(const EisensteinJacobiTree& tree, std::size_t n) {
  const std::array<std::uint64_t, 3> depths = ej_phase_depths(tree);
  const std::array<std::uint64_t, 3> begin{0, n * depths[0], n * (depths[0] + depths[1])};
  return [&tree, begin](std::span<const NodeId> coordinates, std::uint32_t) -> EjGatherPlan::Hop {
    const LastPhase end = last_phase_to(coordinates, tree);
    return {static_cast<std::uint32_t>(begin.at(end.phase) + end.weight - 1),
            ej_port(end.last, tree.parent_port(coordinates[end.last]))};
  };
}

/// A block comes in the phase in which it was sent, or not at all.
EjLastHops ej_three_phase_hops(const EisensteinJacobiTree& tree, std::size_t n) {
  return [&tree, complete = ej_three_phase_complete_hops(tree, n)](
             std::span<const NodeId> coordinates, std::uint32_t part) {
    return last_phase_to(coordinates, tree).is_only_one ? complete(coordinates, part)
                                                        : EjGatherPlan::Hop{};
  };
}

namespace {

/// What carries one block in a step: a port or, on half-duplex links, a pair of opposite ports.
class Carriers {
 public:
  Carriers(const EisensteinJacobiNetwork& network, Duplex duplex)
      : ports_(network.max_degree()), per_dimension_(duplex == Duplex::full ? 6 : 3) {}

  [[nodiscard]] std::size_t count() const noexcept { return ports_ / 6 * per_dimension_; }
  [[nodiscard]] std::size_t of(std::size_t port) const noexcept {
    return port / 6 * per_dimension_ + port % 6 % per_dimension_;
  }

 private:
  std::size_t ports_;
  std::size_t per_dimension_;
};

/// A displacement that a carrier can bring the blocks to.
struct Choice {
  NodeId displacement;
  Port through;
};

/// Who has been reached, and what each carrier can do next.
class Frontier {
 public:
  Frontier(const EisensteinJacobiNetwork& network, Duplex duplex)
      : network_(network),
        carriers_(network, duplex),
        reached_(network.node_count()),
        choices_(carriers_.count()) {
    reach(network.identity());
  }

  [[nodiscard]] std::size_t carriers() const noexcept { return carriers_.count(); }
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
      if (!is_reached(next)) choices_[carriers_.of(p)].push_back({next, port(p)});
    }
  }
  /// Forgets what has been reached at the head of the list; the rest is passed over.
  void tidy(std::size_t carrier) {
    std::deque<Choice>& list = choices_[carrier];
    while (!list.empty() && is_reached(list.front().displacement)) list.pop_front();
  }

 private:
  const EisensteinJacobiNetwork& network_;
  Carriers carriers_;
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

/// What is brought where in each step, until all are reached: carriers choose displacements.
[[nodiscard]] std::vector<std::vector<Choice>> matched_steps(const EisensteinJacobiNetwork& network,
                                                             Duplex duplex) {
  Frontier frontier(network, duplex);
  GrownMatching matching(frontier.carriers(), network.node_count());
  std::vector<std::vector<Choice>> steps;
  while (frontier.count() < network.node_count()) {
    for (std::size_t carrier = 0; carrier < frontier.carriers(); ++carrier) frontier.tidy(carrier);
    matching.clear();
    for (const std::uint32_t carrier : by_scarcity(frontier))
      matching.add(carrier,
                   [&](std::uint32_t of, auto offer) { frontier.offer_choices(of, offer); });
    std::vector<Choice>& step = steps.emplace_back();
    for (std::uint32_t carrier = 0; carrier < frontier.carriers(); ++carrier)
      if (const std::uint32_t v = matching.provider_of(carrier); v != GrownMatching::nobody)
        step.push_back({NodeId{v}, matching.port_of(carrier)});
    expects(!step.empty(), "a connected network has a displacement that can be reached next");
    for (const Choice& choice : step) frontier.reach(choice.displacement);
  }
  return steps;
}

[[nodiscard]] EjGatherPlan plan_on(const EisensteinJacobiNetwork& network, Duplex duplex) {
  const std::vector<std::vector<Choice>> steps = matched_steps(network, duplex);
  EjGatherPlan plan(network, steps.size());
  for (std::size_t step = 0; step < steps.size(); ++step)
    for (const Choice& choice : steps[step])
      plan.set(choice.displacement, {static_cast<std::uint32_t>(step), choice.through});
  return plan;
}

}  // namespace

template <Duplex duplex>
EjGreedy<duplex>::EjGreedy(const EisensteinJacobiNetwork& network, const Settings&) {
  EjGatherPlan::check_size(std::string(info.name), network, 1);
  plan_ = std::make_shared<const EjGatherPlan>(plan_on(network, duplex));
}

template <Duplex duplex>
Footprint EjGreedy<duplex>::footprint() const {
  const std::uint64_t nodes = plan_->network().node_count();
  const std::uint64_t others = nodes - 1;
  const std::uint64_t steps = plan_->step_count();
  return {.steps = steps,
          .hops = others * nodes,
          .blocks_per_processor = nodes,
          .plan_bytes = EjGatherPlan::schedule_bytes(others, others, steps, 1) +
                        nodes * sizeof(EjGatherPlan::Hop)};
}

template class EjGreedy<Duplex::full>;
template class EjGreedy<Duplex::half>;

}  // namespace lockstep
