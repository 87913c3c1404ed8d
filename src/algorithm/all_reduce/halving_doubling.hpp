// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-reduce in the d-cube by recursive halving and doubling.
/// Model:   single-port, full-duplex.
/// Idea:    blocks travel in 2^d equal parts: a reduce-scatter of the parts by recursive halving,
///          then an all-gather of them the same way back.
/// Cost:    2 d start-ups, 2 (2^d - 1) / 2^d message times: the fewest of the latter.
/// Source:  R. Rabenseifner, "Optimization of collective reduction operations", ICCS 2004.
/// Differs: the lowest dimension first, as reduce_scatter/recursive_halving.hpp, so that it keeps
///          the order of the processors.

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

class CubeHalvingDoubling final : public Algorithm {
 public:
  using TopologyType = Hypercube;
  static constexpr AlgorithmInfo info{
      .name = "halving-doubling",
      .operation = Operation::all_reduce,
      .model = port_models::single_port,
      .source = "Rabenseifner 2004",
      .costs = "2d; 2(N - 1)/N: the lower bound",
      .summary = "reduce-scatter by halving, then all-gather by doubling; for long blocks",
      .whole_parts = true};

  class Program {
   public:
    using Memory = NoMemory;
    static constexpr Activity activity = Activity::dense;

    explicit Program(const CubeHalves& halves) : halves_(halves) {}

    [[nodiscard]] std::vector<std::uint32_t> regions() const { return {halves_.blocks()}; }
    [[nodiscard]] std::uint64_t step_count() const noexcept { return 2 * halves_.dimensions(); }

    template <class StepView>
    void operator()(StepView& here) const {
      if (here.step() == 0)
        here.load(Region{0}, 0, here.node());
      else if (here.step() <= halves_.dimensions())
        take_half(here, here.step() - 1);
      else
        take_double(here, step_count() - here.step());
      if (here.last_call())
        here.deliver(Region{0}, 0, here.node());
      else if (here.step() < halves_.dimensions())
        here.send(port(here.step()), given(here.node(), here.step()));
      else
        send_double(here, step_count() - 1 - here.step());
    }

   private:
    [[nodiscard]] Blocks given(NodeId u, std::uint64_t dimension) const {
      return halves_.kept(CubeHalves::neighbor(u, dimension), dimension + 1);
    }
    template <class StepView>
    void take_half(StepView& here, std::uint64_t dimension) const {
      here.combine(here.take(port(dimension)), halves_.kept(here.node(), dimension + 1),
                   CubeHalves::order(here.node(), dimension));
    }
    template <class StepView>
    void send_double(StepView& here, std::uint64_t dimension) const {
      here.send(port(dimension), halves_.kept(here.node(), dimension + 1));
    }
    /// Back comes what was given away.
    template <class StepView>
    void take_double(StepView& here, std::uint64_t dimension) const {
      here.store(here.take(port(dimension)), given(here.node(), dimension));
    }

    CubeHalves halves_;
  };

  /// Throws InvalidParameter where a block's parts do not fit a region.
  explicit CubeHalvingDoubling(const Hypercube& cube, const Settings& = {})
      : dimensions_(cube.dimensions()) {
    if (dimensions_ > CubeHalves::max_dimensions)
      throw InvalidParameter(fmt::format("{} on {}: {} dimensions; allowed: up to {}", info.name,
                                         cube.name(), dimensions_, CubeHalves::max_dimensions));
  }

  [[nodiscard]] std::optional<Cost> promise() const override {
    return Cost{2 * dimensions_, Fraction(2 * (parts() - 1), parts())};
  }
  [[nodiscard]] Footprint footprint() const override {
    return {.steps = 2 * dimensions_,
            .hops = 2 * dimensions_ * parts(),
            .blocks_per_processor = parts(),
            .parts_per_block = parts()};
  }
  [[nodiscard]] Program program() const { return Program(CubeHalves(dimensions_)); }

 private:
  [[nodiscard]] std::uint64_t parts() const noexcept { return std::uint64_t{1} << dimensions_; }

  std::uint64_t dimensions_;
};

static_assert(AlgorithmClass<CubeHalvingDoubling>);

}  // namespace lockstep
