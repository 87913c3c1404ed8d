// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-reduce in the d-cube by recursive doubling.
/// Model:   single-port, full-duplex.
/// Idea:    in step t a processor exchanges what it has with its neighbour across dimension t, and
///          combines the two: 2^(t+1) consecutive contributions.
/// Cost:    d start-ups, d message times: the fewest start-ups there are.
/// Source:  textbook; R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective
///          communication operations in MPICH", IJHPCA 19 (2005).
/// Differs: none. Keeps the order of the processors: the lower half stands left.
/// Program: not a schedule, since every node acts in every step on two blocks: d turns would take
///          more than these.

#include <cstdint>
#include <optional>
#include <vector>

#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/hypercube.hpp"

namespace lockstep {

class CubeRecursiveDoubling final : public Algorithm {
 public:
  using TopologyType = Hypercube;
  static constexpr AlgorithmInfo info{
      .name = "recursive-doubling",
      .operation = Operation::all_reduce,
      .model = port_models::single_port,
      .source = "textbook",
      .costs = "d: the lower bound; d",
      .summary = "exchanges undivided blocks in one dimension after the other; fewest start-ups"};

  class Program {
   public:
    using Memory = NoMemory;
    static constexpr Activity activity = Activity::dense;

    explicit Program(std::uint64_t dimensions) : dimensions_(dimensions) {}

    /// What is sent stays as it is for a step: the sums of even steps, and of odd ones.
    [[nodiscard]] std::vector<std::uint32_t> regions() const { return {2}; }
    [[nodiscard]] std::uint64_t step_count() const noexcept { return dimensions_; }

    template <class StepView>
    void operator()(StepView& here) const {
      const std::uint64_t step = here.step();
      if (step == 0) {
        here.load(Region{0}, 0, here.node());
      } else {
        const bool upper = ((index(here.node()) >> (step - 1)) & 1U) != 0;
        here.combine(here.take(port(step - 1)), sum_of(step - 1), sum_of(step),
                     upper ? Operands::arrived_first : Operands::own_first);
      }
      if (here.last_call())
        here.deliver(Region{0}, sum_of(step).first, here.node());
      else
        here.send(port(step), sum_of(step));
    }

   private:
    [[nodiscard]] static Blocks sum_of(std::uint64_t step) {
      return {Region{0}, static_cast<std::uint32_t>(step % 2), 1};
    }

    std::uint64_t dimensions_;
  };

  explicit CubeRecursiveDoubling(const Hypercube& cube, const Settings& = {})
      : dimensions_(cube.dimensions()) {}

  [[nodiscard]] std::optional<Cost> promise() const override {
    return Cost{dimensions_, dimensions_};
  }
  [[nodiscard]] Footprint footprint() const override {
    return {.steps = dimensions_, .hops = dimensions_ << dimensions_, .blocks_per_processor = 2};
  }
  [[nodiscard]] Program program() const { return Program(dimensions_); }

 private:
  std::uint64_t dimensions_;
};

static_assert(AlgorithmClass<CubeRecursiveDoubling>);

}  // namespace lockstep
