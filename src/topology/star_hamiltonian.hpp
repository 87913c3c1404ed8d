// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A Hamiltonian cycle of the star graph of n >= 3 symbols, as the word of its ports: starting
/// anywhere, taking the ports in order visits every node once and returns to the start.
///
///     NodeId u = star.identity();
///     for (const std::uint8_t p : star_hamiltonian_word(5)) u = star.neighbor(u, port(p));
///
/// Idea: walk the cycle W of n-1 symbols inside the substar of last symbol n. Pair up the other
/// symbols; the first step that exchanges a pair {p, q} is replaced by a detour through the
/// substars of last symbols p and q, each covered by a turned copy of W. With an odd number of
/// other symbols, the detour of one pair also covers the one left over.
///
/// Source: none in the papers, which only say that the cycle exists. (Ehrlich's order of exchanges
/// is a Hamiltonian path for every n, but closes for few.)

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep {

/// n! port numbers (a paper's dimension is the port number + 2). Linear time; n! + (n-1)! bytes.
/// Throws InvalidParameter unless 3 <= n <= 12.
[[nodiscard]] std::vector<std::uint8_t> star_hamiltonian_word(std::size_t n);

}  // namespace lockstep
