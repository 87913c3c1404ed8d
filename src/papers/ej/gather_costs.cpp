// SPDX-License-Identifier: Apache-2.0

/// All-gathers: the messages that cross a link in a step are those of the sources whose broadcast
/// tree has this link at that depth; all sources alike, so the depths of one tree's links count
/// them.

#include <algorithm>

#include "papers/ej/costs.hpp"
#include "papers/exact_counts.hpp"

namespace lockstep::ej_costs {
namespace {

using exact::power;
using exact::operator+;
using exact::operator*;

constexpr std::size_t ports = 6;

/// What a phase broadcasts, in one dimension.
struct Phase {
  std::array<Counts, ports> last_hops{};  ///< by weight, per port: residues that it reaches so
  Counts reached{1};                      ///< by weight, the source too
  Counts held{1};                         ///< messages of every dimension that are launched again
};

/// Phase p of three has the sectors 2p - 2 (6 where p is 1) and 2p - 1; without phases: all.
[[nodiscard]] std::vector<Phase> phases_of(const OneDimension& one, AllGather algorithm) {
  const bool complete = algorithm == AllGather::three_phase_complete;
  const bool in_three = complete || algorithm == AllGather::three_phase;
  std::vector<Phase> phases(in_three ? 3 : 1);
  for (std::size_t j = 1; j <= ports; ++j) {
    const OneDimension::Sector& sector = one.sectors[j - 1];
    Phase& phase = phases[in_three ? j % ports / 2 : 0];
    for (const auto& [p, counts] :
         {std::pair{j - 1, sector.minor}, std::pair{j % ports, sector.major}}) {
      phase.last_hops[p] = phase.last_hops[p] + counts;
      phase.reached = phase.reached + counts;
    }
  }
  for (std::size_t p = 1; complete && p < phases.size(); ++p)
    phases[p].held[0] = phases[p - 1].held[0] + exact::sum(phases[p - 1].reached) - 1;
  return phases;
}

/// The last hop of a message is in dimension d: below it has moved in earlier phases at most, above
/// it in this one too. Rotated parts: every dimension is in every place of some order.
[[nodiscard]] PhaseLoads loads_of(const Phase& phase, std::size_t n, AllGather algorithm) {
  std::size_t depth = phase.reached.size() - 1;
  while (depth != 0 && phase.reached[depth] == 0) --depth;
  Counts above = phase.reached;
  above[0] = phase.held[0];
  PhaseLoads loads;
  for (std::size_t d = 0; d < n; ++d)
    for (const Counts& last_hops : phase.last_hops)
      loads.push_back(last_hops * power(phase.held, d) * power(above, n - 1 - d));
  if (algorithm == AllGather::rotated_parts)
    for (std::size_t p = 0; p < ports; ++p) {
      for (std::size_t d = 1; d < n; ++d) loads[p] = loads[p] + loads[ports * d + p];
      for (std::size_t d = 1; d < n; ++d) loads[ports * d + p] = loads[p];
    }
  for (Counts& of_link : loads) {
    of_link.resize(n * depth + 1);
    of_link.erase(of_link.begin());
  }
  return loads;
}

/// Of the ports from `first`, so many, modulo 6.
[[nodiscard]] Counts largest_of(const PhaseLoads& loads, std::size_t first, std::size_t count) {
  Counts largest(loads.front().size());
  for (std::size_t link = 0; link < loads.size(); ++link)
    for (std::size_t step = 0; step < largest.size(); ++step)
      if ((link + ports - first) % ports < count)
        largest[step] = std::max(largest[step], loads[link][step]);
  return largest;
}

}  // namespace

std::vector<PhaseLoads> link_loads(const OneDimension& one, std::size_t n, AllGather algorithm) {
  (void)one.node_count(n);  // no load is larger
  std::vector<PhaseLoads> loads;
  for (const Phase& phase : phases_of(one, algorithm))
    loads.push_back(loads_of(phase, n, algorithm));
  return loads;
}

Counts largest_loads(const OneDimension& one, std::size_t n, AllGather algorithm) {
  Counts largest;
  for (const PhaseLoads& phase : link_loads(one, n, algorithm))
    for (const std::uint64_t load : largest_of(phase, 0, ports)) largest.push_back(load);
  return largest;
}

Promise all_gather(const OneDimension& one, std::size_t n, AllGather algorithm) {
  Counts loads = largest_loads(one, n, algorithm);
  if (algorithm == AllGather::two_substep) {
    const PhaseLoads both = link_loads(one, n, algorithm).front();
    loads = largest_of(both, 5, 3);
    for (const std::uint64_t load : largest_of(both, 2, 3)) loads.push_back(load);
  }
  return {loads.size() - static_cast<std::uint64_t>(std::count(loads.begin(), loads.end(), 0U)),
          exact::sum(loads)};
}

std::uint64_t messages_received(const OneDimension& one, std::size_t n, AllGather algorithm) {
  const std::uint64_t others = one.node_count(n) - 1;
  if (algorithm != AllGather::three_phase) return others;
  std::uint64_t received = 0;
  for (const Phase& phase : phases_of(one, algorithm))
    received += power(exact::sum(phase.reached), n) - 1;
  return received;
}

}  // namespace lockstep::ej_costs
