// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-reduce in the star graph S_n, substar by substar.
/// Model:   single-port, full-duplex.
/// Idea:    as the all-gather of this name: for m = 2..n every node knows the sum of its substar of
///          m-1 symbols. It exchanges it through dimension m; then, through each j = 2..m-1, it
///          sends what it received through m, and so gets the sums of the other substars, which it
///          adds up.
/// Source:  none of the papers; after the all-gather of this library.
/// Differs: nothing to differ from. Sums come in another order at every node, so that the operation
///          has to be commutative.
/// Program: a schedule, but not a plan: what a node received is sent on apart from
///          its sum, and a plan of one class has no sums but those for a processor.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/grouped_schedule_program.hpp"
#include "lockstep/topology/detail/permutation_translations.hpp"
#include "lockstep/topology/star_graph.hpp"

namespace lockstep {

class StarLevelwiseReduce final : public Algorithm {
 public:
  using TopologyType = StarGraph;
  static constexpr AlgorithmInfo info{
      .name = "levelwise",
      .operation = Operation::all_reduce,
      .model = port_models::single_port,
      .source = "Lockstep; machine model of Tseng, Chang, Sheu",
      .startups = "n*(n - 1)/2",
      .message_times = "n*(n - 1)/2",
      .summary = "sums over substars of 2, 3, ..., n symbols; undivided blocks",
      .commutative = true};

  explicit StarLevelwiseReduce(const StarGraph& star, const Settings& = {}) : star_(star) {}

  [[nodiscard]] Footprint footprint() const override {
    return {.steps = steps(),
            .hops = steps() * star_.node_count(),
            .blocks_per_processor = 3,
            .plan_bytes = (2 + 3 * steps()) * sizeof(Action) +
                          (steps() + 1) * (sizeof(Schedule::Turn) + sizeof(std::uint32_t)) +
                          Translations<StarGraph>::bytes(star_, 1)};
  }

  [[nodiscard]] GroupedScheduleProgram program() const {
    Schedule schedule(star_);
    const Region memory = schedule.add_region(3);
    const Elements me = schedule.add_elements(std::vector<NodeId>{star_.identity()});
    const Blocks received{memory, 2, 1};
    Blocks sum{memory, 0, 1};   // of the substar of m-1 symbols: sent, so it stays as it is
    Blocks next{memory, 1, 1};  // of that of m symbols
    schedule.load(sum, me, me);
    for (std::size_t m = 2; m <= star_.symbols(); ++m) {
      schedule.move(star_.from_paper_dimension(m), sum, received);
      schedule.combine(sum, received, next);
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
  [[nodiscard]] std::uint64_t steps() const noexcept override {
    return star_.symbols() * (star_.symbols() - 1) / 2;
  }

  StarGraph star_;
};

}  // namespace lockstep
