// SPDX-License-Identifier: Apache-2.0
#include "algorithm/total_exchange/route_balance.hpp"

#include <algorithm>

namespace lockstep {
namespace {

/// A tenth of a second, or two.
constexpr std::int64_t most_looks = 20'000'000;
constexpr int most_beginnings = 100;

/// The sum of the squares of all loads is least where they are even.
struct Squares {
  [[nodiscard]] std::int64_t operator()(std::int64_t load, std::int64_t more) const noexcept {
    return more * (2 * load + more);
  }
};

/// What is above the target counts, in squares; what is below does not.
struct Excess {
  std::int64_t target;

  [[nodiscard]] std::int64_t operator()(std::int64_t load, std::int64_t more) const noexcept {
    const std::int64_t before = std::max<std::int64_t>(0, load - target);
    const std::int64_t after = std::max<std::int64_t>(0, load + more - target);
    return after * after - before * before;
  }
};

}  // namespace

RouteBalance::RouteBalance(const RouteAlternatives& alternatives,
                           const std::vector<std::uint32_t>& machines)
    : alternatives_(alternatives),
      machines_(machines),
      choice_(alternatives.node_count()),
      loads_(machines.size()) {
  for (std::uint64_t g = 0; g < alternatives.node_count(); ++g) {
    if (alternatives.count(NodeId{g}) > 1) open_.push_back(NodeId{g});
    add(alternatives.route(NodeId{g}, 0), +1);
  }
}

std::uint64_t RouteBalance::largest_load() const {
  if (loads_.empty()) return 0;
  return static_cast<std::uint64_t>(*std::max_element(loads_.begin(), loads_.end()));
}

void RouteBalance::add(Route route, std::int64_t sign) {
  for (const Hops& hops : route)
    loads_[machines_[index(hops.through)]] += sign * std::int64_t{hops.count};
}

void RouteBalance::take(NodeId g, std::uint32_t alternative) {
  add(alternatives_.route(g, choice_[index(g)]), -1);
  choice_[index(g)] = alternative;
  add(alternatives_.route(g, alternative), +1);
}

void RouteBalance::choose(const std::vector<std::uint32_t>& choice) {
  for (const NodeId g : open_) take(g, choice[index(g)]);
}

/// The machines of one route differ, so that their costs add up.
template <class Cost>
bool RouteBalance::improve(NodeId g, Cost cost) {
  const std::uint32_t before = choice_[index(g)];
  add(alternatives_.route(g, before), -1);
  const auto cost_of = [&](std::uint32_t alternative) {
    std::int64_t sum = 0;
    for (const Hops& hops : alternatives_.route(g, alternative)) {
      sum += cost(loads_[machines_[index(hops.through)]], std::int64_t{hops.count});
      ++looks_;
    }
    return sum;
  };
  std::uint32_t best = before;
  std::int64_t least = cost_of(before);
  for (std::uint32_t i = 0; i < alternatives_.count(g); ++i)
    if (const std::int64_t own = cost_of(i); own < least) {
      least = own;
      best = i;
    }
  choice_[index(g)] = best;
  add(alternatives_.route(g, best), +1);
  return best != before;
}

template <class Cost>
void RouteBalance::descend(Cost cost) {
  for (bool improved = true; improved && looks_ < most_looks;) {
    improved = false;
    for (const NodeId g : open_) improved = improve(g, cost) || improved;
  }
}

void RouteBalance::level() { descend(Squares{}); }

bool RouteBalance::reach(std::uint64_t target) {
  descend(Excess{static_cast<std::int64_t>(target)});
  return largest_load() <= target;
}

void RouteBalance::begin_anew() {
  for (const NodeId g : open_)
    take(g, static_cast<std::uint32_t>(random_() % alternatives_.shortest(g)));
}

void RouteBalance::search(std::uint64_t enough) {
  std::vector<std::uint32_t> best = choice_;
  std::uint64_t least = largest_load();
  for (int beginning = 0; beginning < most_beginnings && looks_ < most_looks; ++beginning) {
    if (beginning > 0) begin_anew();
    while (least > enough && reach(least - 1)) {
      least = largest_load();
      best = choice_;
    }
    if (least <= enough) break;
  }
  choose(best);
}

}  // namespace lockstep
