// SPDX-License-Identifier: Apache-2.0

/// All-gathers: the messages that cross a link in a step are those of the sources whose broadcast
/// tree has this link at that depth; all sources alike, so the depths of one tree's links count
/// them. Derived apart from what the algorithms promise (algorithm/all_gather/ej_gather_loads.hpp):
/// a test holds the two together (tests/papers/ej_costs_test.cpp).

#include <algorithm>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/ids.hpp"
#include "papers/ej_costs.hpp"
#include "papers/exact_counts.hpp"

namespace lockstep::ej_costs {
namespace {

using exact::coefficient;
using exact::power;
using exact::product;
using exact::operator+;
using exact::operator*;

constexpr std::size_t ports = 6;

/// What a phase broadcasts, in one dimension.
struct Phase {
  std::array<Counts, ports> last_hops;  ///< by weight, per port: residues that it reaches so
  Counts reached;                       ///< by weight, the source too
  Counts held{1};                       ///< messages of every dimension that are launched again
};

[[nodiscard]] bool in_three_phases(AllGather algorithm) {
  return algorithm == AllGather::three_phase || algorithm == AllGather::three_phase_complete;
}

void add_sector(Phase& phase, const OneDimension& one, std::size_t j) {
  const OneDimension::Sector& sector = one.sectors.at(j - 1);
  Counts& minor = phase.last_hops.at(j - 1);
  Counts& major = phase.last_hops.at(j % ports);
  minor = minor + sector.minor;
  major = major + sector.major;
  phase.reached = phase.reached + sector.minor + sector.major;
}

/// Phase p has the sectors 2p - 2 (6 where p is 1) and 2p - 1; without phases: all.
[[nodiscard]] Phase phase_of(const OneDimension& one, AllGather algorithm, std::size_t number) {
  Phase phase;
  phase.reached = {1};
  if (!in_three_phases(algorithm)) {
    for (std::size_t j = 1; j <= ports; ++j) add_sector(phase, one, j);
    return phase;
  }
  add_sector(phase, one, number == 1 ? ports : 2 * number - 2);
  add_sector(phase, one, 2 * number - 1);
  if (algorithm == AllGather::three_phase_complete)
    for (std::size_t earlier = 1; earlier < number; ++earlier)
      phase.held[0] += exact::sum(phase_of(one, AllGather::three_phase, earlier).reached) - 1;
  return phase;
}

/// How far from its source the farthest residue is that the phase reaches.
[[nodiscard]] std::size_t depth_of(const Phase& phase) {
  std::size_t depth = 0;
  for (std::size_t w = 0; w < phase.reached.size(); ++w)
    if (phase.reached[w] != 0) depth = w;
  return depth;
}

/// The last hop of a message is in `dimension`: below it has moved in earlier phases at most, above
/// it in this one too.
[[nodiscard]] Counts depths_of_links(const Phase& phase, std::size_t n, std::size_t dimension,
                                     std::size_t port) {
  Counts above = phase.reached;
  above[0] = phase.held[0];
  return phase.last_hops.at(port) * power(phase.held, dimension - 1) * power(above, n - dimension);
}

[[nodiscard]] Counts loads_of(const Phase& phase, std::size_t n, AllGather algorithm,
                              std::size_t dimension, std::size_t port) {
  Counts depths;
  if (algorithm == AllGather::rotated_parts)  // every dimension is in every place of some order
    for (std::size_t d = 1; d <= n; ++d) depths = depths + depths_of_links(phase, n, d, port);
  else
    depths = depths_of_links(phase, n, dimension, port);
  Counts loads;
  for (std::size_t step = 1; step <= n * depth_of(phase); ++step)
    loads.push_back(coefficient(depths, step));
  return loads;
}

/// Of the ports from `first`, so many, modulo 6.
[[nodiscard]] Counts largest_of(const OneDimension& one, std::size_t n, AllGather algorithm,
                                std::size_t phase, std::size_t first, std::size_t count) {
  const Phase all = phase_of(one, algorithm, phase);
  Counts largest(n * depth_of(all));
  for (std::size_t d = 1; d <= n; ++d)
    for (std::size_t i = 0; i < count; ++i) {
      const Counts loads = loads_of(all, n, algorithm, d, (first + i) % ports);
      for (std::size_t step = 0; step < largest.size(); ++step)
        largest[step] = std::max(largest[step], loads[step]);
    }
  return largest;
}

void check(const OneDimension& one, std::size_t n) {
  if (n == 0) throw InvalidParameter("Eisenstein-Jacobi costs: 0 dimensions, allowed 1 or more");
  (void)power(one.node_count(), n);  // no load is larger
}

}  // namespace

std::size_t phase_count(AllGather algorithm) { return in_three_phases(algorithm) ? 3 : 1; }

std::size_t phase_steps(const OneDimension& one, std::size_t n, AllGather algorithm,
                        std::size_t phase) {
  check(one, n);
  return n * depth_of(phase_of(one, algorithm, phase));
}

Counts link_loads(const OneDimension& one, std::size_t n, AllGather algorithm, std::size_t phase,
                  std::size_t dimension, Port port) {
  check(one, n);
  return loads_of(phase_of(one, algorithm, phase), n, algorithm, dimension, index(port));
}

Counts largest_loads(const OneDimension& one, std::size_t n, AllGather algorithm) {
  check(one, n);
  Counts largest;
  for (std::size_t phase = 1; phase <= phase_count(algorithm); ++phase) {
    const Counts part = largest_of(one, n, algorithm, phase, 0, ports);
    largest.insert(largest.end(), part.begin(), part.end());
  }
  return largest;
}

Promise all_gather(const OneDimension& one, std::size_t n, AllGather algorithm) {
  check(one, n);
  Counts loads = largest_loads(one, n, algorithm);
  if (algorithm == AllGather::two_substep) {
    loads = largest_of(one, n, algorithm, 1, 5, 3);
    const Counts second = largest_of(one, n, algorithm, 1, 2, 3);
    loads.insert(loads.end(), second.begin(), second.end());
  }
  return {loads.size() - static_cast<std::uint64_t>(std::count(loads.begin(), loads.end(), 0U)),
          exact::sum(loads)};
}

std::uint64_t messages_received(const OneDimension& one, std::size_t n, AllGather algorithm) {
  check(one, n);
  const std::uint64_t others = power(one.node_count(), n) - 1;
  if (algorithm != AllGather::three_phase) return others;
  std::uint64_t received = 0;
  for (std::size_t phase = 1; phase <= phase_count(algorithm); ++phase)
    received += power(exact::sum(phase_of(one, algorithm, phase).reached), n) - 1;
  return received;
}

}  // namespace lockstep::ej_costs
