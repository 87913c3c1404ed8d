// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Shortest routes in the star graph, from a node to a node or to the nearest node of a substar.
/// A substar of size k is written *^k y_{k+1}..y_n: all nodes that agree in the positions from k on
/// (counted from 0); it is a star graph of k symbols on the ports 0..k-2.
///
///     star_route(permutation_from_label("3241"), {.member = permutation_from_label("1243")}).ports
///     for (std::uint64_t t = 0; t < substar_count(4, 2); ++t)
///       visit(star_route(Permutation::identity(4), substar(4, 2, t)));
///
/// Rules, with Q the symbols y_{k+1}..y_n, all of them fixed in the substar:
///   R4: the first symbol is in Q: exchange it with the position it has in the substar.
///   R3: otherwise exchange with the smallest position that holds a symbol of Q which does not
///       belong there; a symbol of Q in the positions below k never belongs there. None: arrived.
/// For k = 1 these are the rules R1, R2 from node to node. "Smallest" is part of correctness: with
/// "any" the route from 1234 to **23 can take 4 steps instead of 3.
///
/// Source: Y.-C. Tseng, W.-L. Chang, J.-P. Sheu, all-to-all broadcast in star graphs, section II.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/core/permutation.hpp"

namespace lockstep {

/// All permutations that agree with `member` in the positions from `size` on. Size 1: one node.
struct Substar {
  std::size_t size = 1;
  Permutation member{};
};

/// The ports to take, in order, and the node where they end.
struct StarRoute {
  std::vector<Port> ports;
  Permutation end;
};

/// Precondition: equal numbers of symbols, 1 <= to.size <= number of symbols.
[[nodiscard]] StarRoute star_route(Permutation from, Substar to);

/// Number of substars of b symbols in the star graph of a symbols: a! / b!.
/// Throws InvalidParameter unless 1 <= b <= a <= 16.
[[nodiscard]] std::uint64_t substar_count(std::size_t a, std::size_t b);

/// The substar number t in lexicographic order of (y_{b+1}, ..., y_a); its member has the other
/// symbols in ascending order. Throws as substar_count, and unless t < substar_count(a, b).
[[nodiscard]] Substar substar(std::size_t a, std::size_t b, std::uint64_t t);

/// The routes from the identity of a symbols to every substar of b symbols, in that order; the
/// substar of the identity itself is among them, with no ports. Memory: a!/b! routes.
/// Throws as substar_count.
[[nodiscard]] std::vector<StarRoute> star_routes(std::size_t a, std::size_t b);

}  // namespace lockstep
