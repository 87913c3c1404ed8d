// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/many_to_all/aggregation_load.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <utility>

namespace lockstep {
namespace {

using enum AggregationPhase;

class Count {
 public:
  Count(const AggregationSchedule& schedule, std::span<const NodeId> homes)
      : schedule_(schedule), shape_(schedule.shape()), held_(node_count()) {
    for (const NodeId home : homes) ++held_[index(home)];
    load_.pack = static_cast<std::uint32_t>((homes.size() + shape_.h - 1) / shape_.h);
    held_most_ = held_;
    load_.regrouped.assign(node_count(), 0);
  }

  AggregationLoad load() {
    for (std::size_t t = 0; t < schedule_.begin_of(collect_counts); ++t) gather(t);
    load_.gathered = held_most_;
    scan();
    tune_all();
    for (std::size_t t = schedule_.begin_of(to_main_diagonal); t < schedule_.begin_of(around_roots);
         ++t)
      gather(t);
    share_around_roots();
    for (std::size_t t = schedule_.begin_of(all_to_all); t < schedule_.begin_of(ddn_broadcast); ++t)
      if (!schedule_.steps()[t].turns) widen(t);
    for (std::size_t t = schedule_.begin_of(ddn_broadcast); t < schedule_.steps().size(); ++t)
      note(in_halves(schedule_.steps()[t].phase) ? (load_.pack + 1) / 2 : load_.pack);
    return std::move(load_);
  }

 private:
  [[nodiscard]] std::size_t node_count() const { return std::size_t{shape_.rows} * shape_.columns; }
  /// The node so many places down, or the other way, from u.
  [[nodiscard]] std::size_t from(std::size_t u, Travel way, std::uint32_t links) const {
    std::size_t i = u / shape_.columns;
    std::size_t j = u % shape_.columns;
    if (way == Travel::down) i = (i + links) % shape_.rows;
    if (way == Travel::up) i = (i + shape_.rows - links) % shape_.rows;
    if (way == Travel::right) j = (j + links) % shape_.columns;
    if (way == Travel::left) j = (j + shape_.columns - links) % shape_.columns;
    return i * shape_.columns + j;
  }
  template <class Each>
  void for_each_move(std::size_t step, const Each& each) const {
    for (std::size_t u = 0; u < node_count(); ++u) {
      const TravelMoves& moves =
          schedule_.moves(step, static_cast<std::uint32_t>(u / shape_.columns),
                          static_cast<std::uint32_t>(u % shape_.columns));
      for (std::size_t way = 0; way < moves.size(); ++way)
        if (moves[way] != 0) each(u, static_cast<Travel>(way), moves[way]);
    }
  }

  [[nodiscard]] static bool in_halves(AggregationPhase phase) {
    return phase == half_broadcast || phase == half_rings;
  }
  /// Both steps of a move over a turn, or the one of a diagonal move.
  void note_turning(std::size_t step, std::uint64_t largest) {
    note(largest);
    if (!schedule_.steps()[step].diagonal) note(largest);
  }
  /// One step of blocks, whose largest message is this.
  void note(std::uint64_t largest) {
    load_.cost = load_.cost + Cost{largest == 0 ? 0U : 1U, largest};
  }

  void gather(std::size_t step) {
    std::uint32_t largest = 0;
    std::vector<std::uint32_t> after = held_;
    for_each_move(step, [&](std::size_t u, Travel way, std::uint32_t links) {
      largest = std::max(largest, held_[u]);
      after[from(u, way, links)] += held_[u];
      after[u] -= held_[u];
    });
    held_ = std::move(after);
    for (std::size_t u = 0; u < node_count(); ++u)
      held_most_[u] = std::max(held_most_[u], held_[u]);
    note(largest);
  }

  /// A2, which gives every DDN node the number of its first block.
  void scan() {
    sums_.assign(held_.begin(), held_.end());
    prefixes_.assign(node_count(), 0);
    std::vector<std::size_t> forward;
    for (std::size_t t = schedule_.begin_of(collect_counts); t < schedule_.begin_of(tune); ++t) {
      load_.cost = load_.cost + Cost{1, 0, 1};
      const AggregationPhase phase = schedule_.steps()[t].phase;
      const bool back = phase == return_roots || phase == scan_backward || phase == return_counts;
      if (!schedule_.steps()[t].turns && !back) forward.push_back(t);
    }
    std::vector<std::vector<std::array<std::uint64_t, 4>>> counts;
    for (const std::size_t t : forward) counts.push_back(collected(t));
    for (std::size_t k = forward.size(); k-- > 0;) hand_back(forward[k], counts[k]);
  }

  /// The way that a count arrives, and where.
  [[nodiscard]] std::pair<Travel, std::size_t> arrival(std::size_t step, std::size_t u, Travel way,
                                                       std::uint32_t links) const {
    const bool turning = schedule_.steps()[step].phase == scan_forward;  // on the way or after it
    const std::size_t half = from(u, way, links);
    return turning ? std::pair(turned(way), from(half, turned(way), links)) : std::pair(way, half);
  }

  [[nodiscard]] std::vector<std::array<std::uint64_t, 4>> collected(std::size_t step) {
    std::vector<std::array<std::uint64_t, 4>> counts(node_count());
    for_each_move(step, [&](std::size_t u, Travel way, std::uint32_t links) {
      const auto [came, to] = arrival(step, u, way, links);
      counts[to][index(came)] = sums_[u];
    });
    own_.push_back(sums_);
    for (std::size_t u = 0; u < node_count(); ++u)
      for (const std::uint64_t count : counts[u]) sums_[u] += count;
    return counts;
  }

  void hand_back(std::size_t step, const std::vector<std::array<std::uint64_t, 4>>& counts) {
    const std::array<Travel, 4> order = order_of_counts(schedule_.steps()[step].phase);
    const std::vector<std::uint64_t> own = std::move(own_.back());
    own_.pop_back();
    std::vector<std::uint64_t> before = prefixes_;
    for_each_move(step, [&](std::size_t u, Travel way, std::uint32_t links) {
      const auto [came, to] = arrival(step, u, way, links);
      const auto place = std::find(order.begin(), order.end(), came) - order.begin();
      std::uint64_t prefix = prefixes_[to] + (place >= 2 ? own[to] : 0);
      for (std::ptrdiff_t k = 0; k < place; ++k)
        prefix += counts[to][index(order[static_cast<std::size_t>(k)])];
      before[u] = prefix;
    });
    for (std::size_t u = 0; u < node_count(); ++u)  // none of those that were handed a prefix
      before[u] += counts[u][index(order[0])] + counts[u][index(order[1])];
    prefixes_ = std::move(before);
  }

  /// A3: the offsets that the blocks of a node have still to go.
  void tune_all() {
    std::vector<std::vector<std::int32_t>> offsets(node_count());
    for (std::size_t u = 0; u < node_count(); ++u) {
      const auto k = static_cast<std::uint32_t>(u / shape_.columns % shape_.h);
      for (std::uint32_t c = 0; c < held_[u]; ++c)
        offsets[u].push_back(schedule_.tuning_offset(prefixes_[u] + c, k));
    }
    for (std::uint32_t stage = 0; stage < schedule_.stages(); ++stage) tune_stage(stage, offsets);
    for (std::size_t u = 0; u < node_count(); ++u)
      held_[u] = static_cast<std::uint32_t>(offsets[u].size());
  }

  void tune_stage(std::uint32_t stage, std::vector<std::vector<std::int32_t>>& offsets) {
    const bool diagonal = schedule_.steps()[schedule_.begin_of(tune)].diagonal;
    std::uint32_t largest = 0;
    std::vector<std::vector<std::int32_t>> after(node_count());
    std::vector<std::uint32_t> passed(node_count());
    std::vector<std::uint32_t> moved(node_count());
    for (std::size_t u = 0; u < node_count(); ++u) {
      TravelMoves sizes{};
      for (const std::int32_t offset : offsets[u]) {
        const std::int32_t move = schedule_.tuning_move(offset, stage);
        if (move == 0) {
          after[u].push_back(offset);
          continue;
        }
        const Travel way = schedule_.tuning_way(move, stage);
        const auto links = static_cast<std::uint32_t>(std::abs(move));
        const std::size_t half = from(u, way, links);
        ++moved[u];
        if (!diagonal) ++passed[half];
        largest = std::max(largest, ++sizes[index(way)]);
        after[from(half, turned(way), links)].push_back(offset);
      }
    }
    for (std::size_t u = 0; u < node_count(); ++u) {  // what arrives lies behind what was moved
      const auto room = moved[u] + static_cast<std::uint32_t>(after[u].size());
      std::uint32_t& region = stage % 2 == 0 ? load_.regrouped[u] : load_.gathered[u];
      region = std::max(region, room);
      load_.regrouped[u] = std::max(load_.regrouped[u], passed[u]);
    }
    offsets = std::move(after);
    note_turning(schedule_.begin_of(tune), largest);
  }

  /// D1r: afterwards a node of M holds what all of its place hold.
  void share_around_roots() {
    if (shape_.rows == shape_.columns) return;
    for (const bool row : {true, false}) {
      const std::uint32_t count = (row ? shape_.columns : shape_.rows) / shape_.common();
      std::uint32_t largest = 0;
      std::vector<std::uint32_t> all = held_;
      for (std::size_t u = 0; u < node_count(); ++u) {
        if (!is_main(u)) continue;
        largest = std::max(largest, held_[u]);
        all[u] = 0;
        for (std::uint32_t a = 0; a < count; ++a)
          all[u] += held_[from(u, row ? Travel::right : Travel::down, a * shape_.common())];
      }
      held_ = std::move(all);
      for (std::uint32_t step = 1; step <= count / 2; ++step) note(largest);
    }
  }

  /// One level of D1b.
  void widen(std::size_t step) {
    const WindowGrowth& window = schedule_.growth(schedule_.steps()[step].level);
    std::uint32_t largest = 0;
    std::vector<std::uint32_t> passed(node_count());
    const std::array<std::uint32_t, 4> places{window.near_below, window.near_above,
                                              window.far_below, window.far_above};
    for_each_move(step, [&](std::size_t u, Travel way, std::uint32_t links) {
      const bool above = way == Travel::up || way == Travel::left;  // the last of the window
      std::uint32_t size = 0;
      for (std::uint32_t p = 0; p < places[index(way)]; ++p)
        size += held_at(u, above ? window.above - p : p - window.below);
      largest = std::max(largest, size);
      if (!schedule_.steps()[step].diagonal) passed[from(u, way, links)] += size;
    });
    for (std::size_t u = 0; u < node_count(); ++u)
      load_.regrouped[u] = std::max(load_.regrouped[u], passed[u]);
    note_turning(step, largest);
  }

  [[nodiscard]] bool is_main(std::size_t u) const {
    return shape_.class_of(static_cast<std::uint32_t>(u / shape_.columns),
                           static_cast<std::uint32_t>(u % shape_.columns)) == 0;
  }
  /// By the node of M so many positions further down the diagonal; below 0 modulo 2^32.
  [[nodiscard]] std::uint32_t held_at(std::size_t u, std::uint32_t positions) const {
    const auto signed_positions = static_cast<std::int32_t>(positions);
    const auto links = static_cast<std::uint32_t>(std::abs(signed_positions)) * shape_.h;
    const bool down = signed_positions > 0;
    return held_[from(from(u, down ? Travel::down : Travel::up, links),
                      down ? Travel::right : Travel::left, links)];
  }

  const AggregationSchedule& schedule_;
  const AggregationShape& shape_;
  std::vector<std::uint32_t> held_;
  std::vector<std::uint32_t> held_most_;
  std::vector<std::uint64_t> sums_;
  std::vector<std::uint64_t> prefixes_;
  std::vector<std::vector<std::uint64_t>> own_;
  AggregationLoad load_;
};

}  // namespace

AggregationLoad load_of(const AggregationSchedule& schedule, std::span<const NodeId> homes) {
  return Count(schedule, homes).load();
}

}  // namespace lockstep
