// SPDX-License-Identifier: Apache-2.0
#include "algorithm/pipeline.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "core/edge_colouring.hpp"

namespace lockstep {

Pipeline::Timing Pipeline::over_all_ports() const {
  Timing timing{.first = std::vector<std::uint64_t>(arcs_.size())};
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> crossings;
  std::vector<std::uint64_t> turns(arcs_.size());
  for (std::size_t i = 0; i < arcs_.size(); ++i) {
    turns[i] = crossings[{arcs_[i].from, arcs_[i].to}]++;
    timing.period = std::max(timing.period, turns[i] + 1);
  }
  take_turns(timing, turns);
  return timing;
}

Pipeline::Timing Pipeline::coloured() const {
  const std::vector<BipartiteEdge> edges = edges_of(arcs_);
  Timing timing{.first = std::vector<std::uint64_t>(arcs_.size()), .period = colours_needed(edges)};
  const std::vector<std::uint32_t> colours = edge_colouring(edges);
  take_turns(timing, {colours.begin(), colours.end()});
  return timing;
}

/// Each arc as early as its turn comes in a period.
void Pipeline::take_turns(Timing& timing, const std::vector<std::uint64_t>& turns) const {
  for (std::size_t i = 0; i < arcs_.size(); ++i) {
    std::uint64_t& first = timing.first[i];
    for (const std::size_t before : arcs_[i].after)
      first = std::max(first, timing.first[before] + 1);
    first += (turns[i] + timing.period - first % timing.period) % timing.period;
  }
}

std::optional<Pipeline::Timing> Pipeline::listed(std::uint64_t period) const {
  std::vector<std::uint64_t> to_go(arcs_.size(), 1);  // arcs of the longest way from this one on
  std::vector<std::size_t> missing(arcs_.size());
  std::vector<std::vector<std::size_t>> next(arcs_.size());
  for (std::size_t i = arcs_.size(); i-- > 0;)
    for (const std::size_t before : arcs_[i].after) {
      to_go[before] = std::max(to_go[before], to_go[i] + 1);
      next[before].push_back(i);
      ++missing[i];
    }
  std::set<std::tuple<std::uint64_t, std::uint64_t, std::size_t>> open;  // by earliest step
  Timing timing{.first = std::vector<std::uint64_t>(arcs_.size()), .period = period};
  const auto rank = [&](std::size_t i) {
    return std::tuple(timing.first[i], arcs_.size() - to_go[i], i);
  };
  for (std::size_t i = 0; i < arcs_.size(); ++i)
    if (missing[i] == 0) open.insert(rank(i));
  std::unordered_set<std::uint64_t> sends;  // node and turn
  std::unordered_set<std::uint64_t> receives;
  std::vector<std::uint64_t> tries(arcs_.size());
  while (!open.empty()) {
    const std::size_t i = std::get<2>(*open.begin());
    open.erase(open.begin());
    const std::uint64_t turn = timing.first[i] % period;
    const std::uint64_t sent = arcs_[i].from * period + turn;
    const std::uint64_t received = arcs_[i].to * period + turn;
    if (sends.contains(sent) || receives.contains(received)) {
      if (++tries[i] == period) return std::nullopt;
      ++timing.first[i];
      open.insert(rank(i));
      continue;
    }
    sends.insert(sent);
    receives.insert(received);
    for (const std::size_t after : next[i]) {
      timing.first[after] = std::max(timing.first[after], timing.first[i] + 1);
      if (--missing[after] == 0) open.insert(rank(after));
    }
  }
  return timing;
}

std::uint64_t Pipeline::Timing::steps(std::uint64_t parts) const {
  return first.empty() ? 0 : *std::ranges::max_element(first) + 1 + (parts - 1) * period;
}

Pipeline::Timing Pipeline::timing(std::uint64_t parts, Ports ports) const {
  if (arcs_.empty()) return {};
  if (ports == Ports::all) return over_all_ports();
  Timing best = coloured();
  constexpr std::uint64_t most_arcs = std::uint64_t{1} << 14U;
  if (arcs_.size() > most_arcs) return best;
  constexpr std::uint64_t longer = 3;
  const std::uint64_t shortest = parts == 1 ? best.steps(1) : best.period;
  for (std::uint64_t period = shortest; period <= shortest + (parts == 1 ? 0 : longer); ++period)
    if (auto timing = listed(period); timing && timing->steps(parts) < best.steps(parts))
      best = *std::move(timing);
  return best;
}

Transfers Pipeline::plan(std::uint32_t source, std::uint32_t destination, std::uint32_t parts,
                         Ports ports) const {
  const auto [first, period] = timing(parts, ports);
  Transfers plan = every_node_a_class(nodes_);
  plan.parts = parts;
  plan.list.reserve(arcs_.size() * parts);
  for (std::uint32_t part = 0; part < parts; ++part)
    for (std::size_t i = 0; i < arcs_.size(); ++i)
      plan.move_part(first[i] + part * period, {.source = source,
                                                .destination = destination,
                                                .from = arcs_[i].from,
                                                .to = arcs_[i].to,
                                                .part = static_cast<std::uint16_t>(part),
                                                .combine = arcs_[i].combine});
  plan.sort_by_step();
  return plan;
}

}  // namespace lockstep
