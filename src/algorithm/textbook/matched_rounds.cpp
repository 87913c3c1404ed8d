// SPDX-License-Identifier: Apache-2.0

/// Collectives on any small network, in rounds. Under one port, in a round every node sends at most
/// one message and receives at most one; a matching selects the arcs over which most pass that is
/// new to the receiver.
///     matched-rounds         a message carries all that the receiver does not have: few start-ups.
///     matched-single-blocks  a message carries one block, the rarest: few message times.
///     matched-ports          the same over all ports: a matching of the blocks that are new to a
///                            node and its ports.
/// Messages to switches that pass nothing on are left out.
/// Source: Lockstep.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "algorithm/grown_matching.hpp"
#include "algorithm/heaviest_assignment.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/program/plan/transformations.hpp"
#include "topology/known_searches.hpp"

namespace lockstep {
namespace {

/// The purpose of the rounds: which plan attempts are compared by, and which is kept. A message
/// carries all blocks that are new; of a single gather one; of an all-port gather one per port.
enum class RoundsFor : std::uint8_t { gather, single_gather, all_port_gather, exchange };

/// Which node has which block, 64 blocks in a word, and how many have it.
class BlockHolders {
 public:
  explicit BlockHolders(const ErasedTopology& network)
      : processors_(network.processor_count()),
        words_((processors_ + 63) / 64),
        holds_(network.node_count() * words_),
        holders_(processors_, 1),
        missing_(processors_ * (processors_ - 1)) {
    for (std::uint64_t u = 0; u < processors_; ++u)
      holds_[u * words_ + u / 64] |= std::uint64_t{1} << u % 64;
  }

  [[nodiscard]] std::uint64_t processors() const noexcept { return processors_; }
  /// Words of a node.
  [[nodiscard]] std::uint64_t words() const noexcept { return words_; }
  [[nodiscard]] std::uint64_t word(std::uint64_t node, std::uint64_t number) const {
    return holds_[node * words_ + number];
  }
  [[nodiscard]] std::uint32_t holders(std::uint64_t block) const { return holders_[block]; }
  [[nodiscard]] bool is_complete() const noexcept { return missing_ == 0; }
  void receive(std::uint64_t node, std::uint64_t block) {
    holds_[node * words_ + block / 64] |= std::uint64_t{1} << block % 64;
    ++holders_[block];
    if (node < processors_) --missing_;
  }

 private:
  std::uint64_t processors_;
  std::uint64_t words_;
  std::vector<std::uint64_t> holds_;
  std::vector<std::uint32_t> holders_;  // of each block
  std::uint64_t missing_;               // blocks at processors
};

/// The arcs of a network, listed once for all attempts.
struct RoundArcs {
  explicit RoundArcs(const ErasedTopology& network) : into(network.node_count()) {
    for (std::uint64_t u = 0; u < network.node_count(); ++u) {
      first.push_back(arcs.size());
      for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p) {
        const auto v = static_cast<std::uint32_t>(index(network.neighbor(NodeId{u}, port(p))));
        into[v].push_back(static_cast<std::uint32_t>(arcs.size()));
        arcs.push_back({static_cast<std::uint32_t>(u), v, 0});
        ports.push_back(port(p));
      }
    }
    first.push_back(arcs.size());
  }

  [[nodiscard]] std::uint64_t nodes() const noexcept { return first.size() - 1; }
  [[nodiscard]] std::span<const WeightedArc> from(std::uint32_t node) const {
    return std::span(arcs).subspan(first[node], first[node + 1] - first[node]);
  }

  std::vector<WeightedArc> arcs{};
  std::vector<std::size_t> first{};              // by tail; one more at the end
  std::vector<Port> ports{};                     // at the tails
  std::vector<std::vector<std::uint32_t>> into;  // arcs by their heads
};

/// One attempt; equal choices are made by chance.
class MatchedRounds {
 public:
  MatchedRounds(const ErasedTopology& network, const RoundArcs& arcs, RoundsFor wanted,
                std::uint64_t seed)
      : network_(arcs),
        wanted_(wanted),
        chance_(seed % 2 == 0 ? unit / 8 : 2 * unit),
        random_(seed),
        blocks_(network),
        plan_(every_node_a_class(network.node_count())),
        arcs_(arcs.arcs) {}

  /// Nothing where it takes more steps than these.
  [[nodiscard]] std::optional<Transfers> planned(std::uint64_t most_steps) && {
    for (; !blocks_.is_complete(); add_round())
      if (plan_.steps == most_steps) return std::nullopt;
    leave_out_unused();
    return std::move(plan_);
  }

 private:
  static constexpr std::uint64_t unit = 1'024;  // weight of a new block

  /// Blocks that the receiver does not have and that are of use there.
  template <class Visit>
  void for_each_new(const WeightedArc& arc, const Visit& visit) const {
    for (std::uint32_t number = 0; number < blocks_.words(); ++number)
      for (std::uint64_t fresh =
               blocks_.word(arc.from, number) & ~blocks_.word(arc.to, number) & of_use(arc, number);
           fresh != 0; fresh &= fresh - 1)
        visit(64 * number + static_cast<std::uint32_t>(std::countr_zero(fresh)));
  }
  /// A switch has to pass a block on to someone.
  [[nodiscard]] std::uint64_t of_use(const WeightedArc& arc, std::uint32_t number) const {
    if (arc.to < blocks_.processors()) return ~std::uint64_t{0};
    std::uint64_t useful = 0;
    for (const WeightedArc& next : network_.from(arc.to))
      if (next.to != arc.from) useful |= ~blocks_.word(next.to, number);
    return useful;
  }

  /// New blocks count more the fewer nodes have them; chance decides between equal arcs.
  [[nodiscard]] std::uint64_t weight_of(const WeightedArc& arc) {
    std::uint64_t sum = 0;
    for_each_new(arc, [&](std::uint32_t block) {
      const std::uint64_t worth = unit + unit / (1 + blocks_.holders(block));
      sum = wanted_ == RoundsFor::single_gather ? std::max(sum, worth) : sum + worth;
    });
    return sum == 0 ? 0 : sum + random_() % chance_;
  }

  void add_round() {
    std::vector<Transfer> round =
        wanted_ == RoundsFor::all_port_gather ? over_all_ports() : over_one_port();
    expects(!round.empty(), "the network is connected");
    for (const Transfer& one : round) {
      blocks_.receive(one.to, one.source);
      plan_.move_part(one.step, one);
    }
  }

  /// At every node, as many new blocks as its ports can bring, the rarest first.
  [[nodiscard]] std::vector<Transfer> over_all_ports() {
    std::vector<Transfer> round;
    for (const std::vector<std::uint32_t>& arcs : network_.into) {
      std::vector<std::vector<std::uint32_t>> offers(blocks_.processors());  // arcs, by block
      for (std::uint32_t i = 0; i < arcs.size(); ++i)
        for_each_new(arcs_[arcs[i]], [&](std::uint32_t block) { offers[block].push_back(i); });
      std::vector<std::pair<std::uint64_t, std::uint32_t>> wanted;
      for (std::uint32_t block = 0; block < blocks_.processors(); ++block)
        if (!offers[block].empty())
          wanted.emplace_back(blocks_.holders(block) * unit + random_() % chance_, block);
      std::ranges::sort(wanted);
      GrownMatching matching(blocks_.processors(), arcs.size());
      for (const auto& [rank, block] : wanted)
        matching.add(block, [&](std::uint32_t wants, const auto& offer) {
          for (const std::uint32_t i : offers[wants])
            if (!offer(i, Port{})) return;
        });
      for (const std::uint32_t block : matching.clients()) {
        const WeightedArc& arc = arcs_[arcs[matching.provider_of(block)]];
        round.push_back(transfer(arc, block));
        round.back().port = network_.ports[arcs[matching.provider_of(block)]];
      }
    }
    return round;
  }

  [[nodiscard]] std::vector<Transfer> over_one_port() {
    for (WeightedArc& arc : arcs_) arc.weight = weight_of(arc);
    std::vector<Transfer> round;
    for (const std::uint32_t number : heaviest_assignment(network_.nodes(), arcs_)) {
      const WeightedArc& arc = arcs_[number];
      std::uint32_t rarest = everyone;
      for_each_new(arc, [&](std::uint32_t block) {
        if (wanted_ != RoundsFor::single_gather)
          round.push_back(transfer(arc, block));
        else if (rarest == everyone || blocks_.holders(block) < blocks_.holders(rarest))
          rarest = block;
      });
      if (rarest != everyone) round.push_back(transfer(arc, rarest));
    }
    return round;
  }
  [[nodiscard]] Transfer transfer(const WeightedArc& arc, std::uint32_t block) const {
    return {.step = static_cast<std::uint32_t>(plan_.steps),
            .source = block,
            .destination = everyone,
            .from = arc.from,
            .to = arc.to};
  }

  void leave_out_unused() {
    std::vector<std::uint8_t> passes_on(network_.nodes() * blocks_.processors());
    std::ranges::reverse(plan_.list);
    std::erase_if(plan_.list, [&](const Transfer& one) {
      const auto at = [&](std::uint64_t node) { return node * blocks_.processors() + one.source; };
      if (one.to >= blocks_.processors() && passes_on[at(one.to)] == 0) return true;
      passes_on[at(one.from)] = 1;
      return false;
    });
    std::ranges::reverse(plan_.list);
  }

  const RoundArcs& network_;
  RoundsFor wanted_;
  std::uint64_t chance_;  // of the weight of an arc
  std::mt19937_64 random_;
  BlockHolders blocks_;
  Transfers plan_;
  std::vector<WeightedArc> arcs_;  // with the weights of this round
};

/// Neither steps nor message times of an all-gather are fewer: every processor receives every other
/// block, one per port; under one port its holders at most double in a step.
[[nodiscard]] bool is_least(RoundsFor wanted, const ErasedTopology& network, const Cost& cost) {
  const std::uint64_t others = network.processor_count() - 1;
  switch (wanted) {
    case RoundsFor::exchange:
      return false;
    case RoundsFor::single_gather:
      return cost.startups <= others;
    case RoundsFor::all_port_gather:
      return cost.startups * network.max_degree() < others + network.max_degree();
    case RoundsFor::gather:
      break;
  }
  return cost.startups <= static_cast<std::uint64_t>(std::bit_width(others)) &&
         cost.message_times <= Fraction(others);
}

/// The best of several attempts: fewest steps, then fewest message times.
[[nodiscard]] Transfers searched_rounds(const ErasedTopology& network, RoundsFor wanted) {
  constexpr std::uint64_t most_work = std::uint64_t{1} << 23U;
  constexpr std::uint64_t most_tries = 2'048;
  const std::uint64_t most_arcs =
      std::max<std::uint64_t>(network.node_count() * network.max_degree(), 1);
  const std::uint64_t tries = std::clamp<std::uint64_t>(
      most_work / (network.node_count() * network.node_count() * most_arcs), 1, most_tries);
  const RoundArcs arcs(network);
  Transfers best;
  Cost least;
  std::uint64_t most_steps = std::numeric_limits<std::uint64_t>::max();
  for (std::uint64_t seed = 0; seed < tries; ++seed) {
    std::optional<Transfers> plan = MatchedRounds(network, arcs, wanted, seed).planned(most_steps);
    if (!plan) continue;
    if (wanted == RoundsFor::exchange)
      plan = personalised(*std::move(plan), network.processor_count());
    const Cost cost = planned_cost(*plan, network);
    if (seed != 0 && std::pair(least.startups, least.message_times) <=
                         std::pair(cost.startups, cost.message_times))
      continue;
    const bool has_switches = network.processor_count() != network.node_count();
    if (!has_switches) most_steps = plan->steps;  // else a step may be left out later
    best = *std::move(plan);
    least = cost;
    if (is_least(wanted, network, least)) break;
  }
  return best;
}

constexpr std::uint64_t most_matched_nodes = 128;  // a moment of planning

[[nodiscard]] Transfers best_rounds(const ErasedTopology& network, RoundsFor wanted) {
  static KnownSearches<RoundsFor, Transfers> known;
  return known.of(network, wanted, [&] { return searched_rounds(network, wanted); });
}

[[nodiscard]] PlannedAlgorithm matched(std::string_view name, RoundsFor wanted,
                                       std::string_view summary) {
  return searched_in_prime_form(
      {.info = {.name = name,
                .operation = wanted == RoundsFor::exchange ? Operation::total_exchange
                                                           : Operation::all_gather,
                .model = wanted == RoundsFor::all_port_gather ? port_models::all_port
                                                              : port_models::single_port,
                .source = "Lockstep",
                .costs = "counted in the plan",
                .summary = summary},
       .networks = shapes::any_network.up_to_nodes(most_matched_nodes),
       .plan = [wanted](const PlanRequest& asked) { return best_rounds(asked.network, wanted); }});
}

}  // namespace

const PlannedAlgorithm matched_gather =
    matched("matched-rounds", RoundsFor::gather,
            "in each step the arcs over which most new blocks pass, by a matching");
const PlannedAlgorithm matched_single_gather =
    matched("matched-single-blocks", RoundsFor::single_gather,
            "in each step as many arcs as possible, each with the rarest block");
const PlannedAlgorithm flooded_gather =
    matched("matched-ports", RoundsFor::all_port_gather,
            "every node takes a new block from each of its neighbours, the rarest ones");
const PlannedAlgorithm matched_exchange =
    matched("matched-rounds", RoundsFor::exchange,
            "on the ways that blocks take in the all-gather of the same name");

}  // namespace lockstep
