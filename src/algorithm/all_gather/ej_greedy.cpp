// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/all_gather/ej_greedy.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace lockstep {
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

/// A maximum matching of carriers and displacements, by shortest augmenting paths.
class Matching {
 public:
  Matching(const Frontier& frontier, std::vector<std::size_t>& owners)
      : frontier_(frontier), owners_(owners), chosen_(frontier.carriers()) {}

  [[nodiscard]] const std::vector<std::optional<Choice>>& chosen() const noexcept {
    return chosen_;
  }
  static constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();

  /// Matches that carrier too, if it can be; others may have to change.
  void add(std::size_t carrier) {
    std::vector<Visit> visits{{carrier, nobody, {}}};
    std::vector<bool> seen(frontier_.carriers());
    seen[carrier] = true;
    for (std::size_t at = 0; at < visits.size(); ++at) {
      if (const auto free = free_choice(visits[at].carrier)) return reassign(visits, at, *free);
      for (const Choice& choice : frontier_.choices(visits[at].carrier)) {
        const std::size_t owner = owners_[index(choice.displacement)];
        if (frontier_.is_reached(choice.displacement) || seen[owner]) continue;
        seen[owner] = true;
        visits.push_back({owner, at, choice});
      }
    }
  }

 private:
  /// A carrier that would have to change, so that the one of visit `before` gets `wanted`.
  struct Visit {
    std::size_t carrier;
    std::size_t before;
    Choice wanted;
  };

  [[nodiscard]] std::optional<Choice> free_choice(std::size_t carrier) const {
    for (const Choice& choice : frontier_.choices(carrier))
      if (!frontier_.is_reached(choice.displacement) &&
          owners_[index(choice.displacement)] == nobody)
        return choice;
    return std::nullopt;
  }

  void reassign(const std::vector<Visit>& visits, std::size_t at, Choice choice) {
    for (; at != nobody; at = visits[at].before) {
      chosen_[visits[at].carrier] = choice;
      owners_[index(choice.displacement)] = visits[at].carrier;
      choice = visits[at].wanted;
    }
  }

  const Frontier& frontier_;
  std::vector<std::size_t>& owners_;  ///< of displacements not yet reached, in this step
  std::vector<std::optional<Choice>> chosen_;
};

/// The carriers with the fewest choices first.
[[nodiscard]] std::vector<std::size_t> by_scarcity(const Frontier& frontier) {
  std::vector<std::size_t> order(frontier.carriers());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return frontier.choices(a).size() < frontier.choices(b).size();
  });
  return order;
}

/// What is brought where in each step, until all are reached.
[[nodiscard]] std::vector<std::vector<Choice>> matched_steps(const EisensteinJacobiNetwork& network,
                                                             Duplex duplex) {
  Frontier frontier(network, duplex);
  std::vector<std::size_t> owners(network.node_count(), Matching::nobody);
  std::vector<std::vector<Choice>> steps;
  while (frontier.count() < network.node_count()) {
    for (std::size_t carrier = 0; carrier < frontier.carriers(); ++carrier) frontier.tidy(carrier);
    Matching matching(frontier, owners);
    for (const std::size_t carrier : by_scarcity(frontier)) matching.add(carrier);
    std::vector<Choice>& step = steps.emplace_back();
    for (const std::optional<Choice>& choice : matching.chosen())
      if (choice) step.push_back(*choice);
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
