// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchange in cartesian products, composed of exchanges of the factors.
/// Model:   A2: single-port, full-duplex. A3 and rounds: all-port, full-duplex.
/// Idea:    a schedule of a factor is a set of slots (step, from, to) in which any payload may
///          travel. A block that is a_i away in dimension i rides once in the slots of the offset
///          a_i there, in one of the N / n_i rounds of T_i steps; a rule says in which. No two
///          blocks of a node with the same a_i share a round of dimension i, and the rounds of one
///          block do not overlap.
/// Source:  Dimakopoulos 1996, Fig. 5.3 (A2), Fig. 5.5 (A3). Rounds, which section 7.1 asks for,
///          are this library's: closed forms for H^2 and H^3, an edge colouring (Koenig) for H^d,
///          bipartite matchings for factors of different sizes.
/// Differs: A3: line 11 of Fig. 5.5 counts to n, not n - 1, and (5.4) names the sender j - l; the
///          reading "printed" leaves n^2 (n - 1) blocks undelivered. The factors of A3 need equal
///          sizes, not equal links (tests/papers/thesis_product_exchange_test.cpp).

#include <cstdint>
#include <vector>

#include "lockstep/program/plan/transfers.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

enum class ProductRule : std::uint8_t {
  in_turn,
  bundled,
  simultaneous,
  simultaneous_as_printed,
  rounds
};

/// Throws InvalidParameter where the network is no product that the rule is for, or too large.
[[nodiscard]] Transfers product_exchange(const ErasedTopology& network, ProductRule rule);

/// Factors, and of factors that are products theirs; the network itself where it is no product.
[[nodiscard]] std::vector<ErasedTopology> prime_factors(const ErasedTopology& network);

/// The factors, or the prime factors, if they are 2, 4, 8, .. of equal size; else none.
[[nodiscard]] std::vector<ErasedTopology> equal_factors(const ErasedTopology& network);

}  // namespace lockstep
