// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Reduce-scatter in the d-cube by recursive halving.
/// Model:   single-port, full-duplex.
/// Idea:    in step t a processor gives to its neighbour across dimension t the half of its blocks
///          that are for processors on that side, and combines the other half with what it gets.
/// Cost:    d start-ups, 2^d - 1 message times: the fewest of both.
/// Source:  textbook; R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective
///          communication operations in MPICH", IJHPCA 19 (2005).
/// Differs: the lowest dimension first, so that what is combined is consecutive: it keeps the order
///          of the processors.

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithm/cube_halves.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/hypercube.hpp"

namespace lockstep {

class CubeRecursiveHalving final : public Algorithm {
 public:
  using TopologyType = Hypercube;
  static constexpr AlgorithmInfo info{
      .name = "recursive-halving",
      .operation = Operation::reduce_scatter,
      .model = port_models::single_port,
      .source = "textbook",
      .costs = "d; N - 1: the lower bounds",
      .summary = "exchanges half of the remaining data in one dimension after the other; optimal"};

  class Program {
   public:
    using Memory = NoMemory;
    static constexpr Activity activity = Activity::dense;

    explicit Program(const CubeHalves& halves) : halves_(halves) {}

    [[nodiscard]] std::vector<std::uint32_t> regions() const { return {halves_.blocks()}; }
    [[nodiscard]] std::uint64_t step_count() const noexcept { return halves_.dimensions(); }

    template <class StepView>
    void operator()(StepView& here) const {
      const std::uint64_t step = here.step();
      const NodeId u = here.node();
      if (step == 0)
        for (std::uint32_t slot = 0; slot < halves_.blocks(); ++slot)
          here.load(Region{0}, slot, NodeId{halves_.slot_of(slot)});
      else
        here.combine(here.take(port(step - 1)), halves_.kept(u, step),
                     CubeHalves::order(u, step - 1));
      if (here.last_call())
        here.deliver(Region{0}, halves_.slot_of(index(u)), u);
      else
        here.send(port(step), halves_.kept(CubeHalves::neighbor(u, step), step + 1));
    }

   private:
    CubeHalves halves_;
  };

  /// Throws InvalidParameter where a processor's blocks do not fit a region.
  explicit CubeRecursiveHalving(const Hypercube& cube, const Settings& = {})
      : dimensions_(cube.dimensions()) {
    if (dimensions_ > CubeHalves::max_dimensions)
      throw InvalidParameter(fmt::format("{} on {}: {} dimensions; allowed: up to {}", info.name,
                                         cube.name(), dimensions_, CubeHalves::max_dimensions));
  }

  [[nodiscard]] std::optional<Cost> promise() const override {
    return Cost{dimensions_, (std::uint64_t{1} << dimensions_) - 1};
  }
  [[nodiscard]] Footprint footprint() const override {
    return {.steps = dimensions_,
            .hops = dimensions_ << dimensions_,
            .blocks_per_processor = std::uint64_t{1} << dimensions_};
  }
  [[nodiscard]] Program program() const { return Program(CubeHalves(dimensions_)); }

 private:
  std::uint64_t dimensions_;
};

static_assert(AlgorithmClass<CubeRecursiveHalving>);

}  // namespace lockstep
