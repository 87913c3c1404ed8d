// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the tables, the text and the runs of the Eisenstein-Jacobi paper share. The paper's
/// previous algorithm is `iterative` here, its proposed one `improved`.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "papers/ej/costs.hpp"
#include "papers/paper.hpp"

namespace lockstep::papers::ej {

struct Network {
  std::uint64_t a;
  std::uint64_t b;
  std::size_t n;

  /// "ej:3+4^3", "ej:3+4" for n = 1.
  [[nodiscard]] std::string name() const;
  [[nodiscard]] ej_costs::OneDimension one() const;
  [[nodiscard]] std::vector<ej_costs::BroadcastStep> steps(ej_costs::Broadcast algorithm) const;
  /// Of all steps.
  [[nodiscard]] std::uint64_t senders(ej_costs::Broadcast algorithm) const;
};

/// EJ_(3+4rho)^(n), the network of most tables.
[[nodiscard]] constexpr Network of_the_paper(std::size_t n) { return {3, 4, n}; }

struct Algorithm {
  ej_costs::Broadcast kind;
  const char* name;
};
inline constexpr std::array<Algorithm, 2> algorithms{
    {{ej_costs::Broadcast::iterative, "iterative"}, {ej_costs::Broadcast::improved, "improved"}}};

/// What an all-gather of EJ_(3+4rho)^(n) promises.
struct Gather {
  const char* algorithm;
  Cost cost;
  std::uint64_t received;  ///< messages, by a node
};
/// Those over half-duplex links: three-phase (the paper's), three-phase-complete, two-substep,
/// rotated.
[[nodiscard]] std::vector<Gather> gathers(std::size_t n);

/// Both broadcasts, step by step, on up to 69 million processors, as a long run on 2.6 billion;
/// all-gathers and total exchanges of EJ_(3+4rho)^(n), n = 1, 2.
[[nodiscard]] std::vector<PaperRun> runs();

/// A network of one dimension: every node where its representative lies in the hexagonal lattice,
/// the six sectors in colours, the links, and the broadcast tree of node 0 with the number of the
/// step on every arc. A link that wraps around leads to a dashed circle, which names the node it
/// stands for. Throws InvalidParameter for more dimensions, or more than 500 nodes: a blur.
[[nodiscard]] std::string svg_of(const EisensteinJacobiNetwork& network);

}  // namespace lockstep::papers::ej
