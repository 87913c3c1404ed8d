// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gather in the star graph S_n, substar by substar.
/// Model:   single-port, full-duplex.
/// Idea:    for m = 2..n every node knows the blocks of its substar of m-1 symbols. It exchanges
///          them all through dimension m; then, through each j = 2..m-1, it sends what it received
///          through m, and so gets the blocks of the substar of m symbols.
/// Cost:    n(n-1)/2 start-ups, n! - 1 message times; the latter is the least there can be.
/// Source:  none of the papers: it takes messages of any length, where Tseng, Chang and Sheu,
///          "Efficient all-to-all broadcast in star graph interconnection networks", send n blocks.
/// Differs: nothing to differ from; tests/unit/algorithm/all_gather/star_levelwise_test.cpp. What
///          need not be sent on is delivered where it arrives: 2 (n-1)! blocks of memory, not n!.

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
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

class StarLevelwiseGather final : public Algorithm {
 public:
  using TopologyType = StarGraph;
  static constexpr AlgorithmInfo info{
      .name = "levelwise",
      .operation = Operation::all_gather,
      .model = port_models::single_port,
      .source = "Lockstep; machine model of Tseng, Chang, Sheu",
      .costs = "n(n - 1)/2 start-ups, n! - 1 message times",
      .summary = "gathers in substars of 2, 3, ..., n symbols; few start-ups"};

  /// Throws InvalidParameter where 2 (n-1)! blocks do not fit a region.
  explicit StarLevelwiseGather(const StarGraph& star, const Settings& = {}) : star_(star) {
    if (kept_blocks() > max_region_blocks)
      throw InvalidParameter(fmt::format(
          "levelwise on {}: a processor would store {} blocks; allowed: up to {} (n <= 10)",
          star.name(), grouped(kept_blocks()), grouped(max_region_blocks)));
  }

  [[nodiscard]] std::optional<Cost> promise() const override {
    return star_promises::levelwise_all_gather(star_.symbols());
  }

  [[nodiscard]] Footprint footprint() const override {
    const std::uint64_t sources = star_.node_count();
    const std::uint64_t steps = promise()->startups;
    return {.steps = steps,
            .hops = steps * star_.node_count(),
            .blocks_per_processor = kept_blocks(),
            .plan_bytes = (1 + 3 * steps) * sizeof(Action) + (steps + 1) * sizeof(std::uint64_t) +
                          sources * sizeof(NodeId) +
                          Translations<StarGraph>::bytes(star_, sources)};
  }

  [[nodiscard]] NodeInvariantProgram program() const {
    return {star_, Plan(star_, static_cast<std::uint32_t>(kept_blocks())).schedule()};
  }

 private:
  /// A substar of n-1 symbols, and the one that must be sent on.
  [[nodiscard]] std::uint64_t kept_blocks() const noexcept {
    return 2 * factorial(star_.symbols() - 1);
  }

  class Plan {
   public:
    Plan(const StarGraph& star, std::uint32_t kept_blocks)
        : star_(star), schedule_(star), memory_(schedule_.add_region(kept_blocks)) {}

    [[nodiscard]] NodeInvariantSchedule schedule() {
      const Elements me = schedule_.add_elements(known_);
      schedule_.load({memory_, 0, 1}, me, me);
      for (std::size_t m = 2; m <= star_.symbols(); ++m) {
        schedule_.begin_phase(fmt::format("substars of {} symbols", m));
        const Substar own{{memory_, 0, known()}, known_};
        const Substar received = send_and_keep(m, own);
        for (std::size_t j = 2; j < m; ++j) {
          if (m < star_.symbols()) {
            (void)send_and_keep(j, received);
          } else {
            send_and_deliver(j, received);
          }
        }
      }
      return std::move(schedule_);
    }

   private:
    /// Blocks in memory, and whose they are: block i of u sources[i].
    struct Substar {
      Blocks blocks;
      std::vector<NodeId> sources;
    };

    [[nodiscard]] std::uint32_t known() const { return static_cast<std::uint32_t>(known_.size()); }

    /// What u receives through the paper's dimension d is its neighbour's; seen from u, each source
    /// is one move further away.
    [[nodiscard]] std::vector<NodeId> moved(std::size_t d, std::span<const NodeId> sources) const {
      const NodeId neighbor = star_.neighbor(star_.identity(), star_.from_paper_dimension(d));
      std::vector<NodeId> result;
      result.reserve(sources.size());
      for (const NodeId source : sources) result.push_back(star_.product(neighbor, source));
      return result;
    }

    Substar send_and_keep(std::size_t d, const Substar& sent) {
      Substar received{{memory_, known(), sent.blocks.count}, moved(d, sent.sources)};
      schedule_.move(star_.from_paper_dimension(d), sent.blocks, received.blocks);
      schedule_.deliver(received.blocks, schedule_.add_elements(received.sources));
      known_.insert(known_.end(), received.sources.begin(), received.sources.end());
      return received;
    }

    void send_and_deliver(std::size_t d, const Substar& sent) {
      schedule_.move_and_deliver(star_.from_paper_dimension(d), sent.blocks,
                                 schedule_.add_elements(moved(d, sent.sources)));
    }

    const StarGraph& star_;
    NodeInvariantSchedule schedule_;
    Region memory_;
    std::vector<NodeId> known_{star_.identity()};  // whose blocks are in memory, in that order
  };

  StarGraph star_;
};

/// All-reduce in the star graph S_n, substar by substar.
/// Model:   single-port, full-duplex.
/// Idea:    as the all-gather of this name: for m = 2..n every node knows the sum of its substar of
///          m-1 symbols. It exchanges it through dimension m; then, through each j = 2..m-1, it
///          sends what it received through m, and so gets the sums of the other substars, which it
///          adds up.
/// Cost:    n(n-1)/2 start-ups and message times.
/// Source:  none of the papers; after the all-gather of this library.
/// Differs: nothing to differ from. Sums come in another order at every node, so that the operation
///          has to be commutative.
class StarLevelwiseReduce final : public Algorithm {
 public:
  using TopologyType = StarGraph;
  static constexpr AlgorithmInfo info{
      .name = "levelwise",
      .operation = Operation::all_reduce,
      .model = port_models::single_port,
      .source = "Lockstep; machine model of Tseng, Chang, Sheu",
      .costs = "n(n - 1)/2 start-ups and message times",
      .summary = "sums over substars of 2, 3, ..., n symbols; undivided blocks",
      .commutative = true};

  explicit StarLevelwiseReduce(const StarGraph& star, const Settings& = {}) : star_(star) {}

  [[nodiscard]] std::optional<Cost> promise() const override { return Cost{steps(), steps()}; }
  [[nodiscard]] Footprint footprint() const override {
    return {.steps = steps(),
            .hops = steps() * star_.node_count(),
            .blocks_per_processor = 3,
            .plan_bytes = (2 + 3 * steps()) * sizeof(Action) +
                          (steps() + 1) * sizeof(std::uint64_t) +
                          Translations<StarGraph>::bytes(star_, 1)};
  }

  [[nodiscard]] NodeInvariantProgram program() const {
    NodeInvariantSchedule schedule(star_);
    const Region memory = schedule.add_region(3);
    const Elements me = schedule.add_elements(std::vector<NodeId>{star_.identity()});
    const Blocks received{memory, 2, 1};
    Blocks sum{memory, 0, 1};   // of the substar of m-1 symbols: sent, so it stays as it is
    Blocks next{memory, 1, 1};  // of that of m symbols
    schedule.load(sum, me, me);
    for (std::size_t m = 2; m <= star_.symbols(); ++m) {
      schedule.move(star_.from_paper_dimension(m), sum, received);
      schedule.combine(next, sum.first, received.first);
      for (std::size_t j = 2; j < m; ++j) {
        schedule.send(star_.from_paper_dimension(j), received);
        schedule.next_step();
        schedule.take_combine(star_.from_paper_dimension(j), next);
      }
      std::swap(sum, next);
    }
    schedule.deliver(sum, me);
    return {star_, std::move(schedule)};
  }

 private:
  [[nodiscard]] std::uint64_t steps() const noexcept {
    return star_.symbols() * (star_.symbols() - 1) / 2;
  }

  StarGraph star_;
};

}  // namespace lockstep
