// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Reductions in the d-cube: in every step all processors exchange messages with their neighbours
/// across one dimension, the lowest first, so that what is combined is consecutive and the order of
/// the processors is kept.
///
/// recursive-doubling (all-reduce, scan)
///   Idea:    neighbours exchange all they have and combine it: after step t a processor has the
///            sum of its subcube of 2^(t+1) processors. A scan adds to its own result only what
///            comes from the lower half of the subcube.
/// recursive-halving (reduce-scatter)
///   Idea:    a processor gives its neighbour the half of its blocks that are for processors on
///            that side, and combines the other half with what it receives.
/// halving-doubling (all-reduce)
///   Idea:    blocks travel in 2^d equal parts: a reduce-scatter of the parts by recursive halving,
///            then an all-gather of them the same way back.
///
/// Model:   single-port, full-duplex.
/// Source:  textbook; R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective
///          communication operations in MPICH", IJHPCA 19 (2005); the scan: W. D. Hillis,
///          G. L. Steele, "Data parallel algorithms", CACM 29 (1986); halving-doubling:
///          R. Rabenseifner, "Optimization of collective reduction operations", ICCS 2004.
/// Differs: none but the order of the dimensions in halving.
/// Program: not a schedule: every node acts in every step, so its d turns would take more memory
///          than its two blocks (doubling) or be as long as its list of loads (halving).

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "algorithm/checks.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/hypercube.hpp"

namespace lockstep {

/// Which blocks a processor of the d-cube is left with when, dimension by dimension, it gives one
/// half of them to its neighbour: those whose number agrees with its own in the dimensions done.
/// Slots are numbered by the block's number read backwards, so that halves are consecutive.
///
///     const CubeHalves halves(3);
///     halves.kept(NodeId{0b001}, 1);      // the upper half: slots 4..7, blocks of odd numbers
///     halves.slot_of(0b001) == 4;
class CubeHalves {
 public:
  /// More do not fit a region.
  static constexpr std::uint64_t max_dimensions = 19;

  explicit CubeHalves(std::uint64_t dimensions) : dimensions_(dimensions) {}

  [[nodiscard]] std::uint64_t dimensions() const noexcept { return dimensions_; }
  [[nodiscard]] std::uint32_t blocks() const noexcept { return std::uint32_t{1} << dimensions_; }

  /// The number read backwards, and back again.
  [[nodiscard]] std::uint32_t slot_of(std::uint64_t number) const noexcept {
    std::uint32_t slot = 0;
    for (std::uint64_t i = 0; i < dimensions_; ++i)
      slot |= static_cast<std::uint32_t>((number >> i) & 1U) << (dimensions_ - 1 - i);
    return slot;
  }

  /// The blocks that u has left when so many dimensions are done, the lowest first. In dimension t
  /// it gives away the blocks that its neighbour has left then: kept(neighbour, t + 1).
  [[nodiscard]] Blocks kept(NodeId u, std::uint64_t done) const noexcept {
    const std::uint64_t low_bits = index(u) & ((std::uint64_t{1} << done) - 1);
    return {Region{0}, slot_of(low_bits), std::uint32_t{1} << (dimensions_ - done)};
  }
  [[nodiscard]] Blocks given(NodeId u, std::uint64_t dimension) const noexcept {
    return kept(neighbor(u, dimension), dimension + 1);
  }

  [[nodiscard]] static NodeId neighbor(NodeId u, std::uint64_t dimension) noexcept {
    return NodeId{index(u) ^ (std::uint64_t{1} << dimension)};
  }

 private:
  std::uint64_t dimensions_;
};

/// The rule of all four: one type, so that one machine is compiled.
class CubeExchange {
 public:
  enum class Rule : std::uint8_t { doubling, prefix_doubling, halving, halving_doubling };
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count;
  /// In large cubes slots of all ports would take more memory than the blocks.
  static constexpr CompiledChannels compiled_channels = CompiledChannels::mailbox;

  CubeExchange(Rule rule, std::uint64_t dimensions) : rule_(rule), halves_(dimensions) {}

  /// Doubling leaves what it sends unaltered for a step: the sums of even steps, and of odd ones;
  /// a scan has its result beside them.
  [[nodiscard]] std::vector<std::uint32_t> regions() const {
    if (rule_ == Rule::doubling) return {2};
    if (rule_ == Rule::prefix_doubling) return {2, 1};
    return {halves_.blocks()};
  }
  [[nodiscard]] std::uint64_t step_count() const noexcept {
    return rule_ == Rule::halving_doubling ? 2 * halves_.dimensions() : halves_.dimensions();
  }

  template <class StepView>
  [[gnu::always_inline]] void operator()(StepView& here) const {
    if (rule_ == Rule::doubling) [[likely]]
      exchange_all<false>(here);
    else if (rule_ == Rule::prefix_doubling)
      exchange_all<true>(here);
    else
      exchange_halves(here);
  }

 private:
  static constexpr Blocks result{Region{1}, 0, 1};

  [[nodiscard]] static Blocks sum_of(std::uint64_t step) {
    return {Region{0}, static_cast<std::uint32_t>(step % 2), 1};
  }
  /// The lower side of a dimension is the left operand.
  [[nodiscard]] static Operands order(NodeId u, std::uint64_t dimension) noexcept {
    return ((index(u) >> dimension) & 1U) != 0 ? Operands::arrived_first : Operands::own_first;
  }

  template <bool prefix, class StepView>
  [[gnu::always_inline]] void exchange_all(StepView& here) const {
    const std::uint64_t step = here.step();
    if (step == 0) {
      here.load(Region{0}, 0, here.node());
      if (prefix) here.load(result.region, 0, here.node());
    } else {
      const auto arrival = here.take(port(step - 1));
      const Operands operands = order(here.node(), step - 1);
      here.combine(arrival, sum_of(step - 1), sum_of(step), operands);
      if (prefix && operands == Operands::arrived_first) here.combine(arrival, result, operands);
    }
    if (!here.last_call())
      here.send(port(step), sum_of(step));
    else if (prefix)
      here.deliver(result.region, 0, here.node());
    else
      here.deliver(Region{0}, sum_of(step).first, here.node());
  }

  /// Not inlined: beside 2^d blocks a call is nothing, and it would slow down doubling.
  template <class StepView>
  [[gnu::noinline]] void exchange_halves(StepView& here) const {
    const std::uint64_t step = here.step();
    const std::uint64_t dimensions = halves_.dimensions();
    const NodeId u = here.node();
    if (step == 0)
      load(here);
    else if (step <= dimensions)
      here.combine(here.take(port(step - 1)), halves_.kept(u, step), order(u, step - 1));
    else  // what was given away comes back
      here.store(here.take(port(step_count() - step)), halves_.given(u, step_count() - step));
    if (here.last_call())
      here.deliver(Region{0}, rule_ == Rule::halving ? halves_.slot_of(index(u)) : 0, u);
    else if (step < dimensions)
      here.send(port(step), halves_.given(u, step));
    else
      here.send(port(step_count() - 1 - step), halves_.kept(u, step_count() - step));
  }

  template <class StepView>
  void load(StepView& here) const {
    if (rule_ == Rule::halving_doubling) return here.load(Region{0}, 0, here.node());
    for (std::uint32_t slot = 0; slot < halves_.blocks(); ++slot)
      here.load(Region{0}, slot, NodeId{halves_.slot_of(slot)});
  }

  Rule rule_;
  CubeHalves halves_;
};

/// In the order of CubeExchange::Rule.
inline constexpr std::array cube_reductions{
    AlgorithmInfo{.name = "recursive-doubling",
                  .operation = Operation::all_reduce,
                  .model = port_models::single_port,
                  .source = "textbook",
                  .startups = "d",
                  .message_times = "d",
                  .claims = {.startups = Among::all, .message_times = Among::undivided},
                  .summary = "exchanges undivided blocks in one dimension after the other"},
    AlgorithmInfo{.name = "recursive-doubling",
                  .operation = Operation::scan,
                  .model = port_models::single_port,
                  .source = "textbook",
                  .startups = "d",
                  .message_times = "d",
                  .claims = {.startups = Among::all, .message_times = Among::undivided},
                  .summary = "sums over subcubes in one dimension after the other"},
    AlgorithmInfo{
        .name = "recursive-halving",
        .operation = Operation::reduce_scatter,
        .model = port_models::single_port,
        .source = "textbook",
        .startups = "d",
        .message_times = "N - 1",
        .claims = {.startups = Among::all, .message_times = Among::all},
        .summary = "exchanges half of the remaining data in one dimension after the other"},
    AlgorithmInfo{
        .name = "halving-doubling",
        .operation = Operation::all_reduce,
        .model = port_models::single_port,
        .source = "Rabenseifner 2004",
        .startups = "2*d",
        .message_times = "2*(N - 1)/N",
        .claims = {.message_times = Among::all},
        .summary = "reduce-scatter by halving, then all-gather by doubling; for long blocks",
        .whole_parts = true}};

template <CubeExchange::Rule rule>
class CubeReduction final : public Algorithm {
 public:
  using TopologyType = Hypercube;
  using Program = CubeExchange;
  static constexpr AlgorithmInfo info = cube_reductions[static_cast<std::size_t>(rule)];

  /// Throws InvalidParameter where a processor's blocks, or the parts of one, do not fit a region.
  explicit CubeReduction(const Hypercube& cube, const Settings& = {})
      : dimensions_(cube.dimensions()) {
    if (rule >= CubeExchange::Rule::halving)
      check_count(info.name, cube.name(), dimensions_, "dimensions", CubeHalves::max_dimensions);
  }

  [[nodiscard]] Footprint footprint() const override {
    constexpr bool whole = rule <= CubeExchange::Rule::prefix_doubling;
    const std::uint64_t steps = program().step_count();
    return {.steps = steps,
            .hops = steps * processors(),
            .blocks_per_processor =
                whole ? (rule == CubeExchange::Rule::doubling ? 2 : 3) : processors(),
            .parts_per_block = rule == CubeExchange::Rule::halving_doubling ? processors() : 1};
  }
  [[nodiscard]] Program program() const { return {rule, dimensions_}; }

 private:
  [[nodiscard]] std::uint64_t processors() const noexcept {
    return std::uint64_t{1} << dimensions_;
  }

  std::uint64_t dimensions_;
};

using CubeRecursiveDoubling = CubeReduction<CubeExchange::Rule::doubling>;
using CubeScan = CubeReduction<CubeExchange::Rule::prefix_doubling>;
using CubeRecursiveHalving = CubeReduction<CubeExchange::Rule::halving>;
using CubeHalvingDoubling = CubeReduction<CubeExchange::Rule::halving_doubling>;
static_assert(CubeScan::info.operation == Operation::scan &&
              CubeRecursiveHalving::info.operation == Operation::reduce_scatter);

}  // namespace lockstep
