// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The load of every link in the Eisenstein-Jacobi all-gathers, derived apart from what the
/// algorithms promise (algorithm/all_gather/ej_gather_loads.hpp): as products of polynomials in the
/// weight, from the sectors of one dimension. Exact while the loads fit 64 bits.
///
///     derived_loads(tree, 2, DerivedGather::three_phase)     // [phase][6 d + p][step]
///
/// The messages that cross a link in a step are those of the sources whose broadcast tree has this
/// link at that depth; all sources alike, so the depths of one tree's links count them.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lockstep/topology/eisenstein_jacobi.hpp"

namespace lockstep::test {

enum class DerivedGather { full_duplex, rotated_parts, three_phase, three_phase_complete };

using WeightCounts = std::vector<std::uint64_t>;  // entry w: of weight w

inline WeightCounts plus(WeightCounts p, const WeightCounts& q) {
  p.resize(std::max(p.size(), q.size()));
  for (std::size_t w = 0; w < q.size(); ++w) p[w] += q[w];
  return p;
}
inline WeightCounts times(const WeightCounts& p, const WeightCounts& q, std::size_t power = 1) {
  if (power == 0) return p;
  WeightCounts product(p.size() + q.size() - 1);
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = 0; j < q.size(); ++j) product[i + j] += p[i] * q[j];
  return times(product, q, power - 1);
}

/// The broadcasts of a phase, in one dimension.
struct DerivedPhase {
  std::array<WeightCounts, 6> last_hops{};  // by port: residues that it reaches so
  WeightCounts reached{1};                  // the source too
  WeightCounts held{1};                     // messages of every dimension that are launched again
};

/// Phase p of three has the sectors 2p - 2 (6 where p is 1) and 2p - 1; without phases: all.
inline std::vector<DerivedPhase> derived_phases(const EisensteinJacobiTree& tree,
                                                DerivedGather gather) {
  const bool complete = gather == DerivedGather::three_phase_complete;
  const bool in_three = complete || gather == DerivedGather::three_phase;
  std::vector<DerivedPhase> phases(in_three ? 3 : 1);
  for (std::uint64_t u = 1; u < tree.node_count(); ++u) {
    const auto sector = static_cast<std::size_t>(tree.sector(NodeId{u}));
    DerivedPhase& phase = phases[in_three ? sector % 6 / 2 : 0];
    WeightCounts here(tree.weight(NodeId{u}) + 1);
    here.back() = 1;
    WeightCounts& last_hops = phase.last_hops[index(tree.parent_port(NodeId{u}))];
    last_hops = plus(last_hops, here);
    phase.reached = plus(phase.reached, here);
  }
  for (std::size_t p = 1; complete && p < phases.size(); ++p) {
    phases[p].held[0] = phases[p - 1].held[0] - 1;
    for (const std::uint64_t count : phases[p - 1].reached) phases[p].held[0] += count;
  }
  return phases;
}

/// The last hop of a message is in dimension d: below it has moved in earlier phases at most, above
/// it in this one too. Rotated parts: every dimension is in every place of some order.
inline std::vector<WeightCounts> derived_loads_of(const DerivedPhase& phase, std::size_t n,
                                                  DerivedGather gather) {
  WeightCounts above = phase.reached;
  above[0] = phase.held[0];
  std::vector<WeightCounts> loads;
  for (std::size_t d = 0; d < n; ++d)
    for (const WeightCounts& last_hops : phase.last_hops)
      loads.push_back(last_hops.empty() ? WeightCounts{}
                                        : times(times(last_hops, phase.held, d), above, n - 1 - d));
  for (std::size_t p = 0; p < 6 && gather == DerivedGather::rotated_parts; ++p) {
    for (std::size_t d = 1; d < n; ++d) loads[p] = plus(loads[p], loads[6 * d + p]);
    for (std::size_t d = 1; d < n; ++d) loads[6 * d + p] = loads[p];
  }
  for (WeightCounts& of_link : loads) {
    of_link.resize(n * (phase.reached.size() - 1) + 1);
    of_link.erase(of_link.begin());
  }
  return loads;
}

inline std::vector<std::vector<WeightCounts>> derived_loads(const EisensteinJacobiTree& tree,
                                                            std::size_t n, DerivedGather gather) {
  std::vector<std::vector<WeightCounts>> loads;
  for (const DerivedPhase& phase : derived_phases(tree, gather))
    loads.push_back(derived_loads_of(phase, n, gather));
  return loads;
}

}  // namespace lockstep::test
