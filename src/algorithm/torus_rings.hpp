// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The rings of a torus through a node, a dimension each: what algorithms go by that work ring by
/// ring.
///
///     for (const TorusRing& ring : rings_of(torus)) ring.place(u);    // u's coordinates

#include <cstdint>
#include <vector>

#include "algorithm/checks.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/grouped_schedule_program.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/network_shapes.hpp"
#include "lockstep/topology/ring.hpp"

namespace lockstep {

/// The shape of networks that are a Torus, or a Ring, which is one of one dimension.
inline constexpr NetworkShape torus_or_ring{.text = "torus, ring",
                                            .plural = "tori and rings",
                                            .is =
                                                [](const ErasedTopology& network) {
                                                  return network.as<Torus>() != nullptr ||
                                                         network.as<Ring>() != nullptr;
                                                },
                                            .wider = &shapes::cayley_graph,
                                            .family = "torus, ring"};

struct TorusRing {
  std::uint64_t side;
  std::uint64_t stride;  ///< between the numbers of neighbours
  Port up;
  Port down;  ///< the same port where there are two nodes

  /// The place of u in its ring.
  [[nodiscard]] std::uint64_t place(NodeId u) const noexcept { return index(u) / stride % side; }
};

/// In the order of the dimensions; of the last one the stride is 1.
[[nodiscard]] inline std::vector<TorusRing> rings_of(const Torus& torus) {
  std::vector<TorusRing> rings;
  std::uint64_t nodes = torus.node_count();  // of the dimensions that are left
  for (std::size_t p = 0; p < torus.max_degree();) {
    const Port up = port(p);
    const Port down = torus.reverse_port(torus.identity(), up);
    const std::uint64_t stride = index(torus.neighbor(torus.identity(), up));
    rings.push_back({nodes / stride, stride, up, down});
    nodes = stride;
    p += up == down ? 1 : 2;
  }
  return rings;
}

/// All-reduce in a torus, one dimension after the other, there and back.
/// Model:   single-port, full-duplex.
/// Idea:    blocks travel in N equal parts. Round the rings of a dimension a reduce-scatter leaves
///          every processor with one n-th of what it had; then all-gathers, the last dimension
///          first.
/// Source:  P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
///          workstations", JPDC 69 (2009), for a ring; of more dimensions: M. Barnett et al.,
///          "Global combine algorithms for 2-D meshes with wormhole routing", JPDC 24 (1995).
/// Differs: none. Contributions go round a ring, so that the operation has to be commutative.
/// Program: not a schedule, since every node acts in every step, on one part at a time: the list
///          would be larger than the parts.
class TorusRingReduce final : public Algorithm {
 public:
  using TopologyType = Torus;
  static constexpr AlgorithmInfo info{
      .name = "ring-by-ring",
      .operation = Operation::all_reduce,
      .model = port_models::single_port,
      .source = "Patarasuk, Yuan 2009",
      .startups = "2*sides('k - 1')",
      .message_times = "2*(N - 1)/N",
      .claims = {.message_times = Among::all},
      .summary = "reduce-scatter, then all-gather, around the rings of each dimension",
      .commutative = true,
      .whole_parts = true};

  class Program {
   public:
    using Memory = NoMemory;
    static constexpr Activity activity = Activity::dense;
    static constexpr Traits traits = Traits::step_count;

    explicit Program(const Torus& torus) : parts_(torus.node_count()) {
      for (const TorusRing& ring : rings_of(torus))
        for (std::uint64_t i = 0; i + 1 < ring.side; ++i) moves_.push_back({ring, i});
    }

    /// Part i ends, combined, at processor i.
    [[nodiscard]] std::vector<std::uint32_t> regions() const {
      return {static_cast<std::uint32_t>(parts_)};
    }
    [[nodiscard]] std::uint64_t step_count() const noexcept { return 2 * moves_.size(); }

    template <class StepView>
    void operator()(StepView& here) const {
      const std::uint64_t step = here.step();
      if (step == 0) here.load(Region{0}, 0, here.node());
      if (step > 0) take(here, step - 1);
      if (here.last_call()) return here.deliver(Region{0}, 0, here.node());
      const Move& move = move_of(step);
      here.send(move.ring.up, share(here.node(), move.ring, behind(move, step)));
    }

   private:
    /// Number i of those that go round a ring: there, and the same backwards.
    struct Move {
      TorusRing ring;
      std::uint64_t i;
    };

    [[nodiscard]] bool is_there(std::uint64_t step) const noexcept { return step < moves_.size(); }
    [[nodiscard]] const Move& move_of(std::uint64_t step) const noexcept {
      return moves_[is_there(step) ? step : 2 * moves_.size() - 1 - step];
    }
    /// Whose share is sent: of the processor so many places behind in the ring. There, what is for
    /// the one behind starts, and goes round until it comes to it; back, each starts with its own.
    [[nodiscard]] std::uint64_t behind(const Move& move, std::uint64_t step) const noexcept {
      return is_there(step) ? move.i + 1 : move.ring.side - 2 - move.i;
    }
    /// The parts that are for the processor `behind` places behind u, and for those that agree with
    /// it up to this dimension.
    [[nodiscard]] static Blocks share(NodeId u, const TorusRing& ring, std::uint64_t behind) {
      const std::uint64_t place = (ring.place(u) + ring.side - behind % ring.side) % ring.side;
      const std::uint64_t whole = ring.side * ring.stride;
      const std::uint64_t first = index(u) / whole * whole + place * ring.stride;
      return {Region{0}, static_cast<std::uint32_t>(first),
              static_cast<std::uint32_t>(ring.stride)};
    }
    /// The neighbour's share is one place further behind.
    template <class StepView>
    void take(StepView& here, std::uint64_t step) const {
      const Move& move = move_of(step);
      const Blocks blocks = share(here.node(), move.ring, behind(move, step) + 1);
      const auto arrival = here.take(move.ring.down);
      if (is_there(step))
        here.combine(arrival, blocks);
      else
        here.store(arrival, blocks);
    }

    std::uint64_t parts_;
    std::vector<Move> moves_;
  };

  /// Throws InvalidParameter where a block's parts do not fit a region.
  explicit TorusRingReduce(const Torus& torus, const Settings& = {}) : torus_(torus) {
    check_count(info.name, torus.name(), torus.node_count(), "nodes");
  }

  [[nodiscard]] Footprint footprint() const override {
    const std::uint64_t steps = program().step_count();
    return {.steps = steps,
            .hops = steps * torus_.node_count(),
            .blocks_per_processor = torus_.node_count(),
            .plan_bytes = steps * (sizeof(TorusRing) + sizeof(std::uint64_t)) / 2,
            .parts_per_block = torus_.node_count()};
  }
  [[nodiscard]] Program program() const { return Program(torus_); }

 private:
  Torus torus_;
};

}  // namespace lockstep
