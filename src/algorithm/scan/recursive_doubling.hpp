// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Scan in the d-cube by recursive doubling.
/// Model:   single-port, full-duplex.
/// Idea:    as the all-reduce of this name: after step t a processor has the sum of its subcube of
///          2^(t+1) processors. What comes from the lower half of it goes into its own result, too.
/// Cost:    d start-ups, d message times: the fewest start-ups there are.
/// Source:  textbook; W. D. Hillis, G. L. Steele, "Data parallel algorithms", CACM 29 (1986), for
///          the doubling.
/// Differs: none. Keeps the order of the processors.
/// Program: not a schedule, since every node acts in every step on a few blocks: d turns would take
///          more than these.

#include <cstdint>
#include <optional>
#include <vector>

#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/hypercube.hpp"

namespace lockstep {

class CubeScan final : public Algorithm {
 public:
  using TopologyType = Hypercube;
  static constexpr AlgorithmInfo info{
      .name = "recursive-doubling",
      .operation = Operation::scan,
      .model = port_models::single_port,
      .source = "textbook",
      .costs = "d start-ups and message times: the lower bound",
      .summary = "sums over subcubes in one dimension after the other"};

  class Program {
   public:
    using Memory = NoMemory;
    static constexpr Activity activity = Activity::dense;

    explicit Program(std::uint64_t dimensions) : dimensions_(dimensions) {}

    /// The sums of even steps, of odd ones, and the own result.
    [[nodiscard]] std::vector<std::uint32_t> regions() const { return {2, 1}; }
    [[nodiscard]] std::uint64_t step_count() const noexcept { return dimensions_; }

    template <class StepView>
    void operator()(StepView& here) const {
      const std::uint64_t step = here.step();
      if (step == 0) {
        here.load(Region{0}, 0, here.node());
        here.load(result.region, 0, here.node());
      } else {
        const auto arrival = here.take(port(step - 1));
        const bool upper = ((index(here.node()) >> (step - 1)) & 1U) != 0;
        const Operands order = upper ? Operands::arrived_first : Operands::own_first;
        here.combine(arrival, sum_of(step - 1), sum_of(step), order);
        if (upper) here.combine(arrival, result, order);
      }
      if (here.last_call())
        here.deliver(result.region, 0, here.node());
      else
        here.send(port(step), sum_of(step));
    }

   private:
    static constexpr Blocks result{Region{1}, 0, 1};

    [[nodiscard]] static Blocks sum_of(std::uint64_t step) {
      return {Region{0}, static_cast<std::uint32_t>(step % 2), 1};
    }

    std::uint64_t dimensions_;
  };

  explicit CubeScan(const Hypercube& cube, const Settings& = {}) : dimensions_(cube.dimensions()) {}

  [[nodiscard]] std::optional<Cost> promise() const override {
    return Cost{dimensions_, dimensions_};
  }
  [[nodiscard]] Footprint footprint() const override {
    return {.steps = dimensions_, .hops = dimensions_ << dimensions_, .blocks_per_processor = 3};
  }
  [[nodiscard]] Program program() const { return Program(dimensions_); }

 private:
  std::uint64_t dimensions_;
};

static_assert(AlgorithmClass<CubeScan>);

}  // namespace lockstep
