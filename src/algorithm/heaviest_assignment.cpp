// SPDX-License-Identifier: Apache-2.0
#include "algorithm/heaviest_assignment.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace lockstep {
namespace {

class Assignment {
 public:
  Assignment(std::uint64_t nodes, std::span<const WeightedArc> arcs)
      : arcs_(arcs), sent_(nodes, none), received_(nodes, none), gain_(nodes), via_(nodes) {
    for (std::uint32_t i = 0; i < arcs.size(); ++i) {
      if (arcs[i].weight == 0) continue;
      if (runs_.empty() || runs_.back().from != arcs[i].from)
        runs_.push_back({arcs[i].from, static_cast<std::uint32_t>(used_.size()), 0, unreached});
      used_.push_back(i);
      runs_.back().end = static_cast<std::uint32_t>(used_.size());
    }
  }

  /// One path after the other, each that which adds most.
  [[nodiscard]] std::vector<std::uint32_t> heaviest() {
    while (augmented()) {
    }
    std::vector<std::uint32_t> chosen;
    for (const std::uint32_t number : sent_)
      if (number != none) chosen.push_back(number);
    std::ranges::sort(chosen);
    return chosen;
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::int64_t unreached = std::numeric_limits<std::int64_t>::min();

  [[nodiscard]] std::int64_t weight(std::uint32_t number) const {
    return static_cast<std::int64_t>(arcs_[number].weight);
  }

  /// Bellman and Ford: the most that a path from a free sender to each receiver gains, where arcs
  /// are taken up forwards and given up backwards.
  [[nodiscard]] bool augmented() {
    std::ranges::fill(gain_, unreached);
    for (Run& run : runs_) run.before = unreached;
    for (bool changed = true; changed;) {
      changed = false;
      for (Run& run : runs_) {
        const std::int64_t before = gain_at_sender(run.from);
        // Arcs that gain no more than in the round before reach no receiver that they did not.
        if (std::exchange(run.before, before) != before && takes_up(run)) changed = true;
      }
    }
    std::uint32_t best = none;
    std::int64_t most = 0;
    for (std::uint32_t v = 0; v < gain_.size(); ++v)
      if (received_[v] == none && gain_[v] > most) {
        best = v;
        most = gain_[v];
      }
    if (best == none) return false;
    for (std::uint32_t to = best; to != none;) {
      const std::uint32_t number = via_[to];
      const std::uint32_t from = arcs_[number].from;
      const std::uint32_t given_up = sent_[from];
      sent_[from] = received_[to] = number;
      to = given_up == none ? none : arcs_[given_up].to;
    }
    return true;
  }
  /// Arcs of one sender that follow each other.
  struct Run {
    std::uint32_t from;
    std::uint32_t begin;  // in used_
    std::uint32_t end;
    std::int64_t before;  // gain at the sender when its arcs were last taken up
  };

  /// Whether a receiver gains more through one of these arcs.
  [[nodiscard]] bool takes_up(const Run& run) {
    bool changed = false;
    std::int64_t before = run.before;
    for (std::uint32_t at = run.begin; at < run.end; ++at) {
      const std::uint32_t i = used_[at];
      const std::uint32_t to = arcs_[i].to;
      const std::int64_t gain = before + weight(i);
      if (gain <= gain_[to] || sent_[run.from] == i) continue;
      gain_[to] = gain;
      via_[to] = i;
      changed = true;
      before = gain_at_sender(run.from);
    }
    return changed;
  }
  /// Gain of the path that ends at this sender.
  [[nodiscard]] std::int64_t gain_at_sender(std::uint32_t node) const {
    if (sent_[node] == none) return 0;
    const std::int64_t gain = gain_[arcs_[sent_[node]].to];
    return gain == unreached ? unreached : gain - weight(sent_[node]);
  }

  std::span<const WeightedArc> arcs_;
  std::vector<std::uint32_t> used_;  // arcs of some weight
  std::vector<Run> runs_;
  std::vector<std::uint32_t> sent_;      // by sender: the number of its arc
  std::vector<std::uint32_t> received_;  // by receiver
  std::vector<std::int64_t> gain_;       // by receiver
  std::vector<std::uint32_t> via_;       // by receiver: the last arc of the path
};

}  // namespace

std::vector<std::uint32_t> heaviest_assignment(std::uint64_t nodes,
                                               std::span<const WeightedArc> arcs) {
  return Assignment(nodes, arcs).heaviest();
}

}  // namespace lockstep
