// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Minimal words of the nodes of a star graph, and what the rotation of the ports does to them.
///
///     const Permutation r = destination(5, word_from_text("12343"));
///     minimal_words(r).size() == 6;              // 12343 12434 13432 14342 34312 43412
///     word_text(standard_word(r)) == "12343";
///
/// The rotation sigma: 1 -> 2 -> ... -> n-1 -> 1 fixes the symbol and the position 0. It maps the
/// node of a word to the node of the word with every letter rotated: an orbit are the nodes of
/// 12343, 23414, 34121, 41232. An orbit of n - 1 nodes is full; the nodes of smaller orbits, the
/// identity left out, are exceptional.
///
/// Source: Coolsaet, Fack (exchange_table.hpp), section 2, lemmas 1 and 2.
/// Differs: the paper puts the pieces of a word one behind the other; they may also stand inside
/// each other, which gives more minimal words (erratum 6). Lemma 1 must leave out the identity and
/// the trivial power of sigma, lemma 2 needs cycles of length 2 or more (errata 10 and 11).

#include <cstddef>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/core/permutation.hpp"

namespace lockstep {

using Word = std::vector<Port>;

/// The relative destination: where the word leads to from the identity.
/// Precondition: every port is below symbols - 1.
[[nodiscard]] Permutation destination(std::size_t symbols, std::span<const Port> word);

/// As the paper prints it: port 0 is 1, port 9 is a; ? for what no star graph here has, above z.
[[nodiscard]] std::string word_text(std::span<const Port> word);
/// Throws InvalidParameter for other characters than 1 to 9 and a to z.
[[nodiscard]] Word word_from_text(std::string_view text);

/// The cycle of 0 first, from behind 0; then the other cycles in the order of their smallest
/// member, begun and ended there.
[[nodiscard]] Word standard_word(Permutation destination);

/// The words of the length of the distance, in lexicographic order; the first `most` of them. There
/// may be very many: 56 for n = 6, 384 for n = 7, over ten million for n = 12.
[[nodiscard]] std::vector<Word> minimal_words(
    Permutation destination, std::size_t most = std::numeric_limits<std::size_t>::max());

/// One of them; every first letter that leads nearer is as likely as the others.
[[nodiscard]] Word random_minimal_word(Permutation destination, std::mt19937_64& random);

/// sigma^places of a word, a node: conjugation by sigma, which is the destination of the rotated
/// word. Precondition: at least 2 symbols.
[[nodiscard]] Word rotated(std::span<const Port> word, std::size_t places, std::size_t symbols);
[[nodiscard]] Permutation rotated(Permutation destination);

/// Not the identity, and its orbit is not full. O(n) for each prime divisor of n - 1: it commutes
/// with sigma^((n-1)/q) for one of them (lemma 1).
[[nodiscard]] bool is_exceptional(Permutation destination);

/// All exceptional nodes, by rank: what commutes with sigma^i, i a divisor of n - 1, permutes its i
/// cycles and rotates each (lemma 2). 9 of 720 nodes would be a loop over all; of 12! it is not.
/// Throws InvalidParameter unless 3 <= n <= 12.
[[nodiscard]] std::vector<Permutation> exceptional_nodes(std::size_t symbols);

}  // namespace lockstep
