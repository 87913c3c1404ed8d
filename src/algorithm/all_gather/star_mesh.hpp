// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gathers in the star graph S_n, n >= 3, single-port and full-duplex.
///
/// mesh, of n rows of (n-1)! nodes
///   Idea:    a row is the substar of one last symbol, laid along a Hamiltonian cycle; a column has
///            a node of each row. First every block visits its column, up and down, in n-1
///            propagations of three traversals; then packets of n blocks, a column's, go round the
///            rows.
///   Source:  Tseng, Chang, Sheu, section IV, Nonpersonalized_Broadcast.
///   Differs: the end row does not send: a mesh has no wrap-around (the paper leaves it open, and
///            has all nodes send in the first traversal). For n = 3 a ring is a link there and
///            back.
/// hamiltonian-ring, the same with one row: what the mesh is compared with
///   Idea:    every node sends its own block to the next node of the cycle, then n!-2 times the
///            block it has just received.
///   Source:  the same.
///   Differs: the paper does not say which cycle; ours is topology/star_hamiltonian.hpp. n = 2 is
///            left out, as a cycle takes three nodes.
///
/// Program: not a schedule, since rows and columns are no translations of each other and every node
///          delivers other blocks in every step: the list would be several times as large as the
///          N^2 blocks.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lockstep/core/permutation.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/phases.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/star_graph.hpp"

namespace lockstep {

/// The rule of both: one type, so that one machine is compiled.
class StarRows {
 public:
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count | Traits::phases;

  /// `rows`: n for the mesh, 1 for the Hamiltonian ring.
  StarRows(const StarGraph& star, std::size_t rows);

  /// Two packets of a block per row, ordered by row of origin; two blocks in transit between two
  /// nodes of a column. What is sent in a step is not what is written in the next.
  [[nodiscard]] std::vector<std::uint32_t> regions() const;
  [[nodiscard]] std::uint64_t step_count() const noexcept { return moves_.size() + columns_ - 1; }
  [[nodiscard]] std::vector<Phase> phases() const {
    if (moves_.empty()) return {};
    return {{"columns", 0}, {"rows", moves_.size()}};
  }

  template <class StepView>
  [[gnu::always_inline]] void operator()(StepView& here) const {
    const Place& me = places_[index(here.node())];
    const std::uint64_t column_steps = moves_.size();
    if (column_steps == 0) return go_round<1>(here, me, here.step());
    if (here.step() <= column_steps) exchange_in_column(here, me);
    if (here.step() >= column_steps) go_round<any_rows>(here, me, here.step() - column_steps);
  }

  /// Throws InvalidParameter for n = 2: `trouble` says why.
  static void check(const StarGraph& star, std::string_view algorithm, std::string_view trouble);
  [[nodiscard]] static Footprint footprint(const StarGraph& star, std::size_t rows);

 private:
  static constexpr int any_rows = 0;

  /// The position of a node that its address gives. Symbols and rows count from 0: row q is last
  /// symbol q.
  struct Place {
    std::uint32_t column = 0;
    std::uint8_t row = 0;
    std::uint8_t first = 0;                                 // first symbol
    std::uint8_t port_of_greater = 0, port_of_smaller = 0;  // of the symbols first +- 1
    std::uint8_t to_next = 0, from_previous = 0;            // on the ring
  };

  /// One step in the columns. A hop between neighbouring rows takes up to three traversals:
  /// through dimension n; through that of the row it is for; through n again.
  struct Move {
    int traversal = 0;            // 1, 2, 3
    int direction = 0;            // +1: to the row of the next greater symbol
    int propagation = 0;          // 1..n-1: rows a block has come by when it ends
    int lowest = 0, highest = 0;  // the active rows, which send

    [[nodiscard]] bool active(int row) const noexcept { return lowest <= row && row <= highest; }
    /// The first traversal brings me a block that is not for my row.
    [[nodiscard]] bool first_transit(const Place& me) const noexcept {
      return active(me.first) && me.row != me.first + direction;
    }
    /// The second brings me one, as its row is my first symbol.
    [[nodiscard]] bool second_transit(const Place& me) const noexcept {
      return active(me.first - direction) && me.row != me.first - direction;
    }
    /// The third brings me the block for my row, unless the first did.
    [[nodiscard]] bool third_arrival(const Place& me) const noexcept {
      return active(me.row - direction) && me.first != me.row - direction;
    }
  };

  /// The paper's steps (1) and (2): in either direction n-1 propagations of three traversals.
  [[nodiscard]] static std::vector<Move> column_exchange(int rows);
  [[nodiscard]] static Place place_of(Permutation x) noexcept;
  /// Bytes of this plan, shared by all processors.
  [[nodiscard]] static std::uint64_t bytes(const StarGraph& star, std::size_t rows) noexcept;

  /// Not inlined: these steps are few.
  template <class StepView>
  [[gnu::noinline]] void exchange_in_column(StepView& here, const Place& me) const {
    const std::uint64_t step = here.step();
    if (step == 0)
      here.load(Region{0}, me.row, here.node());
    else
      take_block(here, me, moves_[step - 1]);
    if (step < moves_.size()) send_block(here, me, moves_[step]);
  }

  template <class StepView>
  void send_block(StepView& here, const Place& me, const Move& move) const {
    switch (move.traversal) {
      case 1:
        if (move.active(me.row))
          here.send(last_port_, carried(me.row - move.direction * (move.propagation - 1)));
        return;
      case 2:
        if (move.first_transit(me)) here.send(port_of_next(me, move.direction), transit(1));
        return;
      default:
        if (move.second_transit(me)) here.send(last_port_, transit(2));
    }
  }

  template <class StepView>
  void take_block(StepView& here, const Place& me, const Move& move) const {
    switch (move.traversal) {
      case 1:
        if (move.first_transit(me)) return here.store(here.take(last_port_), transit(1));
        if (move.active(me.first)) arrive(here, me, move);
        return;
      case 2:
        if (move.second_transit(me))
          here.store(here.take(port_of_next(me, -move.direction)), transit(2));
        return;
      default:
        if (move.third_arrival(me)) arrive(here, me, move);
    }
  }

  /// Every block has its slot; it waits there until the next propagation sends it on.
  template <class StepView>
  void arrive(StepView& here, const Place& me, const Move& move) const {
    const Blocks block = carried(me.row - move.direction * move.propagation);
    here.store(here.take(last_port_), block);
    here.deliver(block.region, block.first, node(static_cast<int>(block.first), me.column));
  }

  /// After `round` steps round the row, a packet is that many columns away from home. `known`:
  /// the number of rows, so that single blocks cost no loop.
  template <int known, class StepView>
  [[gnu::always_inline]] void go_round(StepView& here, const Place& me, std::uint64_t round) const {
    const int rows = known == any_rows ? rows_ : known;
    const Blocks packet{Region{static_cast<std::uint8_t>(round % 2)}, 0,
                        static_cast<std::uint32_t>(rows)};
    if (round != 0) {
      here.store(here.take(port(me.from_previous)), packet);
      const std::uint64_t column =
          me.column >= round ? me.column - round : me.column + columns_ - round;
      const std::uint64_t in_last_row = ring_[column];
      for (int row = 0; row < rows; ++row)
        here.deliver(packet.region, static_cast<std::uint32_t>(row),
                     NodeId{static_cast<std::uint64_t>(rows - 1 - row) * columns_ + in_last_row});
    } else if (known == 1) {
      here.load(packet.region, 0, here.node());
    }
    if (!here.last_call()) here.send(port(me.to_next), packet);
  }

  [[nodiscard]] static Blocks carried(int origin_row) noexcept {
    return {Region{0}, static_cast<std::uint32_t>(origin_row), 1};
  }
  [[nodiscard]] static Blocks transit(std::uint8_t traversals) noexcept {
    return {Region{static_cast<std::uint8_t>(traversals + 1)}, 0, 1};
  }
  [[nodiscard]] static Port port_of_next(const Place& me, int direction) noexcept {
    return port(direction > 0 ? me.port_of_greater : me.port_of_smaller);
  }

  /// Nodes are numbered row by row, downwards, and in all rows alike.
  [[nodiscard]] NodeId node(int row, std::uint64_t column) const noexcept {
    return NodeId{static_cast<std::uint64_t>(rows_ - 1 - row) * columns_ + ring_[column]};
  }

  int rows_;  // signed: rows are subtracted
  std::uint64_t columns_;
  Port last_port_;                   // the paper's dimension n, between rows
  std::vector<std::uint32_t> ring_;  // number within a row, by column
  std::vector<Place> places_;        // by node
  std::vector<Move> moves_;          // by step, before the packets set out
};

enum class StarGather : std::uint8_t { mesh, ring };

template <StarGather form>
class StarRowGather final : public Algorithm {
  static constexpr bool mesh = form == StarGather::mesh;

 public:
  using TopologyType = StarGraph;
  using Program = StarRows;
  static constexpr AlgorithmInfo info{
      .name = mesh ? "mesh" : "hamiltonian-ring",
      .operation = Operation::all_gather,
      .model = port_models::single_port,
      .source = mesh ? "star paper (Tseng, Chang, Sheu), section IV, Nonpersonalized_Broadcast"
                     : "star paper (Tseng, Chang, Sheu), section IV, the baseline",
      .startups = mesh ? "factorial(n - 1) + 6*n - 7" : "factorial(n) - 1",
      .message_times = mesh ? "factorial(n) + 5*n - 6" : "factorial(n) - 1",
      .summary =
          mesh ? "columns of n nodes exchange blocks; then packets of n blocks go around the rows"
               : "sends every block once around a Hamiltonian cycle, one block per message"};

  explicit StarRowGather(const StarGraph& star, const Settings& = {}) : star_(star) {
    StarRows::check(star, info.name,
                    mesh ? "the rows would have one node" : "two nodes have no cycle");
  }

  [[nodiscard]] Footprint footprint() const override { return StarRows::footprint(star_, rows()); }
  [[nodiscard]] Program program() const { return {star_, rows()}; }

 private:
  [[nodiscard]] std::size_t rows() const { return mesh ? star_.symbols() : 1; }

  StarGraph star_;
};

using StarMesh = StarRowGather<StarGather::mesh>;
using StarHamiltonianRing = StarRowGather<StarGather::ring>;

}  // namespace lockstep
