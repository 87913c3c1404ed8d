// SPDX-License-Identifier: Apache-2.0
#include "algorithm/many_to_all/aggregation_load.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace lockstep {

std::vector<std::vector<GapService>> gap_levels(std::uint32_t gap, std::uint32_t ways) {
  std::vector<std::vector<GapService>> levels;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> gaps{{0, gap}};
  while (std::ranges::any_of(gaps, [](const auto& g) { return g.second - g.first > 1; })) {
    std::vector<GapService> level;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> smaller;
    for (const auto& [a, b] : gaps) {
      std::vector<std::uint32_t> by_low;   // nearest first
      std::vector<std::uint32_t> by_high;  // farthest first
      std::uint32_t last = a;
      for (std::uint32_t t = 1; t < ways; ++t) {
        const std::uint32_t point = a + t * (b - a) / ways;
        if (point == last) continue;
        (t <= (ways - 1) / 2 ? by_low : by_high).push_back(point);
        smaller.emplace_back(last, point);
        last = point;
      }
      smaller.emplace_back(last, b);
      std::ranges::reverse(by_high);
      for (std::size_t i = 0; i < by_low.size(); ++i) level.push_back({a, by_low[i], i != 0});
      for (std::size_t i = 0; i < by_high.size(); ++i) level.push_back({b, by_high[i], i != 0});
    }
    gaps = std::move(smaller);
    levels.push_back(std::move(level));
  }
  return levels;
}

std::vector<std::vector<GapService>> bisection_levels(std::uint32_t gap) {
  std::vector<std::vector<GapService>> levels;
  std::vector<std::uint32_t> informed{0, gap};
  while (informed.size() < std::size_t{gap} + 1) {
    std::vector<GapService> level;
    std::vector<std::uint32_t> after{0};
    for (std::size_t i = 1; i < informed.size(); ++i) {
      const std::uint32_t a = informed[i - 1];
      const std::uint32_t b = informed[i];
      if (const std::uint32_t middle = (a + b) / 2; middle != a) {
        level.push_back({a, middle, false});
        level.push_back({b, middle, false});
        after.push_back(middle);
      }
      after.push_back(b);
    }
    informed = std::move(after);
    levels.push_back(std::move(level));
  }
  return levels;
}

namespace {

using enum AggregationPhase;

class Count {
 public:
  Count(const AggregationSchedule& schedule, std::span<const NodeId> homes)
      : schedule_(schedule), shape_(schedule.shape()), held_(node_count()) {
    for (const NodeId home : homes) ++held_[index(home)];
    load_.pack = static_cast<std::uint32_t>((homes.size() + shape_.h - 1) / shape_.h);
    total_ = homes.size();
    used_ = held_;
    load_.regrouped.assign(node_count(), 0);
  }

  AggregationLoad load() {
    for (std::size_t t = 0; t < schedule_.begin_of(aggregate); ++t) scatter_shares(t);
    for (std::size_t t = schedule_.begin_of(aggregate); t < schedule_.begin_of(collect_counts); ++t)
      gather(t);
    load_.gathered = used_;
    scan();
    tune_all();
    for (std::size_t t = schedule_.begin_of(to_main_diagonal); t < schedule_.begin_of(around_roots);
         ++t)
      gather(t);
    share_around_roots();
    for (std::size_t t = schedule_.begin_of(all_to_all); t < schedule_.begin_of(ddn_broadcast); ++t)
      if (!schedule_.steps()[t].turns) widen(t);
    for (std::size_t t = schedule_.begin_of(ddn_broadcast); t < schedule_.steps().size(); ++t)
      note(largest_part(schedule_.steps()[t].phase));
    return std::move(load_);
  }

 private:
  /// Counts that meet at a node: by the way they came, and its own.
  struct Meeting {
    std::array<std::uint64_t, 4> counts{};
    std::uint64_t own = 0;
  };
  using Meetings = std::unordered_map<std::size_t, Meeting>;

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
  /// Classes apart that two nodes with a part in a phase are, at least.
  [[nodiscard]] std::uint32_t stride(AggregationPhase phase) const {
    switch (phase) {
      case aggregate:
      case scatter:
        return 1;
      case collect_counts:
      case return_counts:
      case to_main_diagonal:
      case tune:
      case ddn_broadcast:
        return shape_.h;
      default:
        return shape_.common();
    }
  }
  void for_each_node(AggregationPhase phase, const auto& each) const {
    const std::uint32_t apart = stride(phase);
    for (std::uint32_t i = 0; i < shape_.rows; ++i)
      for (std::uint32_t j = i % apart; j < shape_.columns; j += apart)
        each(std::size_t{i} * shape_.columns + j, i, j);
  }
  void for_each_move(std::size_t step, const auto& each) const {
    for_each_node(schedule_.steps()[step].phase,
                  [&](std::size_t u, std::uint32_t i, std::uint32_t j) {
                    const TravelMoves& moves = schedule_.moves(step, i, j);
                    for (std::size_t way = 0; way < moves.size(); ++way)
                      if (moves[way] != 0) each(u, static_cast<Travel>(way), moves[way]);
                  });
  }

  /// The largest part of a pack, in D2 and D3.
  [[nodiscard]] std::uint32_t largest_part(AggregationPhase phase) const {
    std::uint32_t parts = phase == half_broadcast || phase == half_rings ? 2 : 1;
    if (shape_.pieces && phase == half_broadcast) parts = 4;
    if (shape_.pieces && phase == ddn_broadcast) parts = 4;
    return (load_.pack + parts - 1) / parts;
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

  /// A move empties the place that it leaves, and an arrival takes a new place.
  void move(std::size_t step, const auto& amount) {
    std::uint32_t largest = 0;
    std::vector<std::uint32_t> after = held_;
    for_each_move(step, [&](std::size_t u, Travel way, std::uint32_t links) {
      const std::uint32_t moved = amount(u, way);
      const std::size_t to = from(u, way, links);
      largest = std::max(largest, moved);
      after[u] -= moved;
      after[to] += moved;
      used_[to] += moved;
    });
    held_ = std::move(after);
    note(largest);
  }
  void gather(std::size_t step) {
    move(step, [&](std::size_t u, Travel /*way*/) { return held_[u]; });
  }
  void scatter_shares(std::size_t step) {
    move(step,
         [&](std::size_t u, Travel way) { return AggregationSchedule::scattered(held_[u], way); });
  }

  /// A2, which gives every DDN node the number of its first block.
  void scan() {
    sums_.assign(held_.begin(), held_.end());
    prefixes_.assign(node_count(), 0);
    std::vector<std::size_t> forward;
    for (std::size_t t = schedule_.begin_of(collect_counts); t < schedule_.begin_of(tune); ++t) {
      const AggregationPhase phase = schedule_.steps()[t].phase;
      const bool back = phase == return_roots || phase == scan_backward || phase == return_counts;
      load_.cost = load_.cost + Cost{1, 0, back && shape_.near ? 2U : 1U};
      if (!schedule_.steps()[t].turns && !back) forward.push_back(t);
    }
    std::vector<Meetings> met;
    for (const std::size_t t : forward) met.push_back(collected(t));
    for (std::size_t k = forward.size(); k-- > 0;) hand_back(forward[k], met[k]);
  }

  /// The way that a count arrives, and where.
  [[nodiscard]] std::pair<Travel, std::size_t> arrival(std::size_t step, std::size_t u, Travel way,
                                                       std::uint32_t links) const {
    const bool turning = schedule_.steps()[step].phase == scan_forward;  // on the way or after it
    const std::size_t half = from(u, way, links);
    return turning ? std::pair(turned(way), from(half, turned(way), links)) : std::pair(way, half);
  }

  [[nodiscard]] Meetings collected(std::size_t step) {
    Meetings met;
    for_each_move(step, [&](std::size_t u, Travel way, std::uint32_t links) {
      const auto [came, to] = arrival(step, u, way, links);
      met[to].counts[index(came)] = sums_[u];
    });
    for (auto& [to, meeting] : met) {
      meeting.own = sums_[to];
      sums_[to] = std::accumulate(meeting.counts.begin(), meeting.counts.end(), meeting.own);
    }
    return met;
  }

  void hand_back(std::size_t step, const Meetings& met) {
    const std::array<Travel, 4> order = order_of_counts(schedule_.steps()[step].phase);
    for_each_move(step, [&](std::size_t u, Travel way, std::uint32_t links) {
      const auto [came, to] = arrival(step, u, way, links);
      const auto& [counts, own] = met.at(to);
      const auto place = std::ranges::find(order, came) - order.begin();
      std::uint64_t prefix = prefixes_[to] + (place >= 2 ? own : 0);
      for (std::ptrdiff_t k = 0; k < place; ++k)
        prefix += counts[index(order[static_cast<std::size_t>(k)])];
      prefixes_[u] = prefix;
    });
    for (const auto& [to, meeting] : met)
      prefixes_[to] += meeting.counts[index(order[0])] + meeting.counts[index(order[1])];
  }

  struct Tuned {
    std::size_t node;
    std::int32_t offset;  ///< that the block has to go in all
  };

  void tune_all() {
    std::vector<Tuned> blocks;
    blocks.reserve(total_);
    for_each_node(tune, [&](std::size_t u, std::uint32_t i, std::uint32_t /*j*/) {
      for (std::uint32_t c = 0; c < held_[u]; ++c)
        blocks.push_back({u, schedule_.tuning_offset(prefixes_[u] + c, total_, i % shape_.h)});
    });
    for (std::uint32_t stage = 0; stage < schedule_.stages(); ++stage) tune_stage(stage, blocks);
    std::ranges::fill(held_, 0);
    for (const Tuned& block : blocks) ++held_[block.node];
  }

  void tune_stage(std::uint32_t stage, std::vector<Tuned>& blocks) {
    const bool diagonal = schedule_.steps()[schedule_.begin_of(tune)].diagonal;
    std::uint32_t largest = 0;
    std::unordered_map<std::size_t, TravelMoves> sizes;  // of the messages that a node sends
    std::unordered_map<std::size_t, std::uint32_t> room;
    std::unordered_map<std::size_t, std::uint32_t> passed;
    for (auto& [node, offset] : blocks) {
      if (const std::int32_t move = schedule_.tuning_move(offset, stage); move != 0) {
        const Travel way = schedule_.tuning_way(move, stage);
        const auto links = static_cast<std::uint32_t>(std::abs(move));
        const std::size_t half = from(node, way, links);
        ++room[node];  // what arrives lies behind what was moved
        if (!diagonal) ++passed[half];
        largest = std::max(largest, ++sizes[node][index(way)]);
        node = from(half, turned(way), links);
      }
      ++room[node];
    }
    for (const auto& [u, blocks_there] : room) {
      std::uint32_t& region = stage % 2 == 0 ? load_.regrouped[u] : load_.gathered[u];
      region = std::max(region, blocks_there);
    }
    for (const auto& [u, blocks_there] : passed)
      load_.regrouped[u] = std::max(load_.regrouped[u], blocks_there);
    note_turning(schedule_.begin_of(tune), largest);
  }

  /// D1r: afterwards a node of M holds what all of its place hold.
  void share_around_roots() {
    if (shape_.rows == shape_.columns) return;
    for (const bool row : {true, false}) {
      const std::uint32_t count = (row ? shape_.columns : shape_.rows) / shape_.common();
      std::uint32_t largest = 0;
      std::vector<std::uint32_t> all = held_;
      for_each_node(around_roots, [&](std::size_t u, std::uint32_t /*i*/, std::uint32_t /*j*/) {
        largest = std::max(largest, held_[u]);
        all[u] = 0;
        for (std::uint32_t a = 0; a < count; ++a)
          all[u] += held_[from(u, row ? Travel::right : Travel::down, a * shape_.common())];
      });
      held_ = std::move(all);
      for (std::uint32_t step = 1; step <= count / 2; ++step) note(largest);
    }
  }

  /// One level of D1b.
  void widen(std::size_t step) {
    const WindowGrowth& window = schedule_.growth(schedule_.steps()[step].level);
    std::uint32_t largest = 0;
    std::unordered_map<std::size_t, std::uint32_t> passed;
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
    for (const auto& [u, blocks_there] : passed)
      load_.regrouped[u] = std::max(load_.regrouped[u], blocks_there);
    note_turning(step, largest);
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
  std::vector<std::uint32_t> used_;  // places in memory, before A3
  std::uint64_t total_ = 0;
  std::vector<std::uint64_t> sums_;
  std::vector<std::uint64_t> prefixes_;
  AggregationLoad load_;
};

}  // namespace

AggregationLoad load_of(const AggregationSchedule& schedule, std::span<const NodeId> homes) {
  return Count(schedule, homes).load();
}

}  // namespace lockstep
