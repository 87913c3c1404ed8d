// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Who sends how far, and when, in the many-to-all broadcast by aggregation (aggregation.hpp): the
/// moves of every step, a function of a node's place alone. Nobody knows what there is to send.
///
///     const AggregationSchedule schedule({.rows = 25, .columns = 25, .h = 5});
///     schedule.steps().size() == 23;
///     schedule.moves(0, 3, 2)[index(Travel::right)] == 1;     // P(3,2), class 4, in step 0
///
/// Names of the paper: DDN k, the nodes P(a h + k, b h + k); DCN, a block of h x h nodes; class of
/// P(i,j), j - i: the DDNs are the nodes of class 0 modulo h, M those of class 0 modulo G.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "lockstep/program/phases.hpp"

namespace lockstep {

/// Which way a message goes through a link; as the ports of a torus that it leaves through.
enum class Travel : std::uint8_t { down, up, right, left };

[[nodiscard]] constexpr Travel opposite(Travel way) noexcept {
  return static_cast<Travel>(index(way) ^ 1U);
}
/// A turn that keeps the sign: down and right, up and left.
[[nodiscard]] constexpr Travel turned(Travel way) noexcept {
  return static_cast<Travel>(index(way) ^ 2U);
}

/// Links that a node's message goes through each way; 0: none is sent.
using TravelMoves = std::array<std::uint32_t, 4>;

enum class AggregationPhase : std::uint8_t {
  aggregate,         ///< A1: to the DDNs
  collect_counts,    ///< A2a: of the DDNs onto M
  scan_forward,      ///< A2b: to the roots of M
  collect_roots,     ///< A2r: to the first root; in rectangles
  return_roots,      ///< the same back
  scan_backward,     ///< A2b, back
  return_counts,     ///< A2c: from M to the DDNs
  tune,              ///< A3: as many to every DDN
  to_main_diagonal,  ///< D1a
  around_roots,      ///< D1r: equal places of M; in rectangles
  all_to_all,        ///< D1b: on M
  ddn_broadcast,     ///< D2
  row_broadcast,     ///< D3a
  column_ring,       ///< D3b
  half_broadcast,    ///< D3a of `halves`: rows and columns at the same time
  half_rings,        ///< D3b of `halves`
  scatter            ///< before A1
};

/// As reports say it: "A1 aggregate".
[[nodiscard]] std::string_view name_of(AggregationPhase phase) noexcept;

/// The patterns of an aggregation. `halves`: sums, A3 and D1b take one step a level, by messages
/// that turn on their way; in D3 one half of every pack goes along rows, then columns, the other
/// along columns, then rows.
enum class AggregationVariant : std::uint8_t { repaired, halves };

struct AggregationShape {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::uint32_t h = 0;
  bool confined = false;  ///< D3a inside the blocks; not of `halves`
  AggregationVariant variant = AggregationVariant::repaired;
  // Further options of `halves`.
  bool scatter = false;  ///< first a node's own blocks over its four links, three far, then one
  bool near = false;     ///< A3 to DDNs in the order of the blocks' ranks; a square, h its side
  bool pieces = false;   ///< D2 and D3a bring a piece over every link that leads to a node

  [[nodiscard]] std::uint32_t common() const noexcept;                               ///< G
  [[nodiscard]] std::uint32_t on_diagonal() const noexcept { return common() / h; }  ///< N
};

/// Positions that a level of D1b adds to a window, near and far, above and below.
struct WindowGrowth {
  std::uint32_t above = 0;  ///< positions of the window above its node, before
  std::uint32_t below = 0;
  std::uint32_t near_above = 0, near_below = 0, far_above = 0, far_below = 0;
};

struct AggregationStep {
  AggregationPhase phase{};
  bool turns = false;     ///< the second half of a move: what arrived goes on, turned
  bool diagonal = false;  ///< messages down go on as far to the right, those up to the left
  std::uint32_t level =
      0;  ///< of its phase; of A3 the stage, of D1r and rings steps around this ring
  std::size_t table = 0;  ///< of its moves
};

class AggregationSchedule {
 public:
  using Table = std::vector<TravelMoves>;

  /// Throws InvalidParameter unless both sides are 3 or more and h >= 1 divides both.
  explicit AggregationSchedule(const AggregationShape& shape);

  [[nodiscard]] const AggregationShape& shape() const noexcept { return shape_; }
  [[nodiscard]] const std::vector<AggregationStep>& steps() const noexcept { return steps_; }
  [[nodiscard]] const std::vector<Phase>& phases() const noexcept { return phases_; }
  /// The first step of a phase, or of the one behind it where it has none; of a phase of the other
  /// variant a step that never comes.
  [[nodiscard]] std::size_t begin_of(AggregationPhase phase) const noexcept {
    return begin_[index(phase)];
  }
  [[nodiscard]] const WindowGrowth& growth(std::uint32_t level) const { return growths_[level]; }
  /// The class of P(i,j): j - i modulo G.
  [[nodiscard]] std::uint32_t class_of(std::uint32_t i, std::uint32_t j) const noexcept {
    return (j % common_ + common_ - i % common_) % common_;
  }
  /// The moves of P(i,j) in that step, whether or not it has something to send. None where the step
  /// turns.
  [[nodiscard]] const TravelMoves& moves(std::size_t step, std::uint32_t i, std::uint32_t j) const;

  /// All moves that there are, of whichever node.
  [[nodiscard]] const std::vector<Table>& tables() const noexcept { return tables_; }

  // A3.
  [[nodiscard]] std::uint32_t stages() const noexcept { return stages_; }
  /// How far down the diagonal a message for DDN (i mod h) + offset goes in that stage;
  /// -floor((h-1)/2) <= offset <= floor(h/2).
  [[nodiscard]] std::int32_t tuning_move(std::int32_t offset, std::uint32_t stage) const noexcept;
  /// The way that a message sets out on: the shorter moves down a column, the longer along a row.
  [[nodiscard]] Travel tuning_way(std::int32_t move, std::uint32_t stage) const noexcept;
  /// The offset of message number `rank`, of `total`, in DDN k.
  [[nodiscard]] std::int32_t tuning_offset(std::uint64_t rank, std::uint64_t total,
                                           std::uint32_t k) const noexcept;

  /// The number of blocks that a node scatters that way, of so many that it holds.
  [[nodiscard]] static constexpr std::uint32_t scattered(std::uint32_t blocks,
                                                         Travel way) noexcept {
    return (blocks + 3 - static_cast<std::uint32_t>(index(way))) / 5;
  }

 private:
  void begin(AggregationPhase phase);
  void add(AggregationPhase phase, std::uint32_t level, Table table);
  void add_turning(AggregationPhase phase, std::uint32_t level, Table table);
  void add_diagonal(AggregationPhase phase, std::uint32_t classes, std::uint32_t unit, bool gather);
  void add_scan();
  void add_roots();
  void add_tuning();
  void add_distribution();
  void add_root_rings();
  void add_all_to_all();
  void add_row_broadcast();
  void add_confined_broadcast();
  void add_column_ring();
  void add_half_broadcast();
  void add_half_rings();
  void add_scatter();
  void add_bisection();
  [[nodiscard]] bool halves() const noexcept {
    return shape_.variant == AggregationVariant::halves;
  }
  /// Ways that scans, A3 and D1b split by: those of `halves` have no far ones.
  [[nodiscard]] std::uint32_t ways() const noexcept { return halves() ? 3 : 5; }
  [[nodiscard]] std::int32_t nearest(std::uint32_t stage) const noexcept;
  [[nodiscard]] const TravelMoves* place_of(const AggregationStep& step, std::uint32_t i,
                                            std::uint32_t j) const;

  AggregationShape shape_;
  std::uint32_t common_;
  std::uint32_t stages_ = 0;
  std::uint32_t first_ranked_ = 0;  ///< the place on M, of a square, whose blocks come first
  std::vector<AggregationStep> steps_;
  std::vector<Phase> phases_;
  std::array<std::size_t, 17> begin_{};
  std::vector<Table> tables_;
  std::vector<WindowGrowth> growths_;
};

/// Links of a move by so many places, the way that its sign says.
inline void set(TravelMoves& moves, std::int64_t down, std::int64_t right) {
  if (down != 0)
    moves[index(down > 0 ? Travel::down : Travel::up)] = static_cast<std::uint32_t>(std::abs(down));
  if (right != 0)
    moves[index(right > 0 ? Travel::right : Travel::left)] =
        static_cast<std::uint32_t>(std::abs(right));
}

[[nodiscard]] inline std::int64_t apart(std::uint32_t to, std::uint32_t from) {
  return std::int64_t{to} - from;
}

}  // namespace lockstep
