// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchange in the star graph S_n, one position of the destinations after the other.
/// Model:   single-port, full-duplex.
/// Idea:    for m = n..2: through each dimension j = 2..m-1 send all blocks whose destination has
///          my symbol j at position m, so that the receiver has it in front; then through m all
///          blocks whose destination differs from me at position m.
/// Cost:    n(n-1)/2 start-ups; n!(2n + 1 - 3 H_n) message times, H_n = 1 + 1/2 + ... + 1/n.
/// Source:  none of the papers: it takes messages of any length, where Tseng, Chang and Sheu,
///          "Efficient all-to-all broadcast in star graph interconnection networks", pack k!
///          blocks.
/// Differs: nothing to differ from; tests/unit/algorithm/total_exchange/star_levelwise_test.cpp.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "algorithm/star_promises.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/permutation.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/topology/detail/permutation_translations.hpp"
#include "lockstep/topology/star_graph.hpp"

namespace lockstep {

class StarLevelwiseExchange final : public Algorithm {
 public:
  using TopologyType = StarGraph;
  static constexpr AlgorithmInfo info{
      .name = "levelwise",
      .operation = Operation::total_exchange,
      .model = port_models::single_port,
      .source = "Lockstep; machine model of Tseng, Chang, Sheu",
      .costs = "n(n - 1)/2 start-ups, n! (2n + 1 - 3H_n) message times",
      .summary = "corrects one position of the destination after the other; few start-ups"};

  /// Throws InvalidParameter where two copies of n! blocks do not fit a region.
  explicit StarLevelwiseExchange(const StarGraph& star, const Settings& = {}) : star_(star) {
    if (2 * star.node_count() > max_region_blocks)
      throw InvalidParameter(fmt::format(
          "levelwise on {}: a processor would store {} blocks; allowed: up to {} (n <= 9)",
          star.name(), grouped(2 * star.node_count()), grouped(max_region_blocks)));
  }

  [[nodiscard]] std::optional<Cost> promise() const override {
    return star_promises::levelwise_exchange(star_.symbols());
  }

  [[nodiscard]] Footprint footprint() const override {
    const std::uint64_t blocks = star_.node_count();
    const Cost cost = *promise();
    const std::uint64_t steps = cost.startups;
    return {.steps = steps,
            .hops = steps * blocks,
            .blocks_per_processor = 2 * blocks,
            .plan_bytes = (2 * steps + 3) * sizeof(Action) + (steps + 1) * sizeof(std::uint64_t) +
                          (2 * blocks - 1) * sizeof(NodeId) +
                          2 * cost.message_times.rounded_up() * sizeof(std::uint32_t) +
                          Translations<StarGraph>::bytes(star_, 2 * blocks - 1)};
  }

  [[nodiscard]] NodeInvariantProgram program() const { return {star_, Plan(star_).schedule()}; }

 private:
  /// The blocks on their way, as every processor sees them: relative addresses.
  class Plan {
   public:
    explicit Plan(const StarGraph& star)
        : star_(star), schedule_(star), memory_(schedule_.add_region(blocks() * 2)) {
      number_the_slots();
    }

    [[nodiscard]] NodeInvariantSchedule schedule() {
      const Elements here = add_elements({star_.identity()});
      schedule_.load({memory_, 1, blocks() - 1}, here, add_elements(without_own(targets_)));
      for (std::size_t m = star_.symbols(); m >= 2; --m) {
        schedule_.begin_phase(fmt::format("position {}", m));
        for (std::size_t j = 2; j < m; ++j)
          exchange(j, [&](Permutation a) { return a[m - 1] == j - 1; });
        exchange(m, [&](Permutation a) { return a[m - 1] != m - 1; });
      }
      deliver();
      return std::move(schedule_);
    }

   private:
    [[nodiscard]] std::uint32_t blocks() const {
      return static_cast<std::uint32_t>(star_.node_count());
    }
    [[nodiscard]] Elements add_elements(const std::vector<NodeId>& elements) {
      return schedule_.add_elements(elements);
    }
    [[nodiscard]] static std::vector<NodeId> without_own(const std::vector<NodeId>& slots) {
      return {slots.begin() + 1, slots.end()};
    }

    /// Slot i starts with the block for u targets_[i]. The graph is bipartite and a block changes
    /// its copy with every hop: even targets, which come first, end in copy 0, odd ones in copy 1.
    void number_the_slots() {
      for (std::uint64_t u = 0; u < star_.node_count(); ++u) targets_.push_back(NodeId{u});
      std::stable_partition(targets_.begin(), targets_.end(), [this](NodeId u) {
        return star_.distance(star_.identity(), u) % 2 == 0;
      });
      for (const NodeId target : targets_) slots_.push_back({star_.permutation(target), 0});
    }

    /// One step through the paper's dimension d: all send the blocks for addresses that `leave`,
    /// and receive as many, which take the places of those sent - in the other copy, because the
    /// receiver still reads this one.
    void exchange(std::size_t d, auto leave) {
      const Port through = star_.from_paper_dimension(d);
      std::vector<std::uint32_t> from;
      std::vector<std::uint32_t> into;
      for (std::uint32_t i = 0; i < slots_.size(); ++i) {
        Slot& slot = slots_[i];
        if (!leave(slot.address)) continue;
        from.push_back(slot.copy * blocks() + i);
        slot.copy = 1 - slot.copy;
        into.push_back(slot.copy * blocks() + i);
        slot.address = compose(generator(d), slot.address);
      }
      schedule_.send(through, memory_, schedule_.add_list(from));
      schedule_.next_step();
      schedule_.take_scatter(through, memory_, schedule_.add_list(into));
    }

    [[nodiscard]] Permutation generator(std::size_t d) const {
      return Permutation::identity(star_.symbols()).with_exchanged(0, d - 1);
    }

    /// All blocks are where they belong: slot i holds the one of the processor that I am a_i from.
    void deliver() {
      std::vector<NodeId> sources;
      for (const NodeId target : targets_) sources.push_back(star_.inverse(target));
      const Elements all = add_elements(without_own(sources));
      const std::uint32_t even = blocks() / 2;
      if (even > 1) schedule_.deliver({memory_, 1, even - 1}, {all.first, even - 1});
      schedule_.deliver({memory_, blocks() + even, even}, {all.first + even - 1, even});
    }

    struct Slot {
      Permutation address;  // of its block's destination, from where the block is
      std::uint32_t copy;   // which of the two holds it
    };

    const StarGraph& star_;
    NodeInvariantSchedule schedule_;
    Region memory_;  // two copies of n! slots
    std::vector<NodeId> targets_;
    std::vector<Slot> slots_;
  };

  StarGraph star_;
};

}  // namespace lockstep
