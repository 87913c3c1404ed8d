// SPDX-License-Identifier: Apache-2.0
#include "algorithm/exchange_table/words.hpp"

#include <algorithm>
#include <numeric>

#include "algorithm/exchange_table/exchange_table.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/star_graph.hpp"

namespace lockstep {
namespace {

constexpr std::string_view letters = "123456789abcdefghijklmnopqrstuvwxyz";

/// The walk that is left behind a first letter: the symbols 0 and p + 1 exchange their places. (The
/// letter itself exchanges positions; it acts before the rest, hence on the other side.)
[[nodiscard]] Permutation behind(Permutation destination, Port first) {
  return destination.with_exchanged(destination.position_of(0),
                                    destination.position_of(std::size_t{index(first)} + 1));
}

/// The ports that begin a minimal word.
[[nodiscard]] Word first_letters(Permutation destination) {
  using star_detail::distance_from_identity;
  const std::size_t distance = distance_from_identity(destination);
  Word ports;
  for (std::size_t p = 0; p + 1 < destination.size(); ++p)
    if (distance_from_identity(behind(destination, port(p))) < distance) ports.push_back(port(p));
  return ports;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the word is long
void append_minimal_words(Permutation destination, std::size_t most, Word& begun,
                          std::vector<Word>& words) {
  if (words.size() == most) return;
  if (destination == Permutation::identity(destination.size())) {
    words.push_back(begun);
    return;
  }
  for (const Port first : first_letters(destination)) {
    begun.push_back(first);
    append_minimal_words(behind(destination, first), most, begun, words);
    begun.pop_back();
  }
}

/// Symbol or position x >= 1 after i rotations among n - 1.
[[nodiscard]] std::size_t rotated_symbol(std::size_t x, std::size_t i, std::size_t n) {
  return x == 0 ? 0 : (x - 1 + i) % (n - 1) + 1;
}

[[nodiscard]] bool commutes_with_rotation(Permutation r, std::size_t i) {
  const std::size_t n = r.size();
  for (std::size_t x = 0; x < n; ++x)
    if (r[rotated_symbol(x, i, n)] != rotated_symbol(r[x], i, n)) return false;
  return true;
}

/// All that commute with sigma^i: its cycles are c, c + i, c + 2i, ... for c = 1..i, each of
/// (n-1)/i symbols.
[[nodiscard]] std::vector<Permutation> centraliser(std::size_t n, std::size_t i) {
  const std::size_t length = (n - 1) / i;
  std::vector<std::size_t> image(i);  // which cycle takes the place of a cycle
  std::iota(image.begin(), image.end(), std::size_t{0});
  std::vector<std::size_t> turn(i);  // how far it is rotated
  const auto member = [&] {
    std::vector<std::uint8_t> symbols(n);
    for (std::size_t c = 0; c < i; ++c)
      for (std::size_t k = 0; k < length; ++k)
        symbols[1 + c + k * i] =
            static_cast<std::uint8_t>(1 + image[c] + (k + turn[c]) % length * i);
    return Permutation::from_symbols(symbols);
  };
  // As an odometer; false where all stand at 0 again.
  const auto next_turn = [&] {
    for (std::size_t& own : turn) {
      own = (own + 1) % length;
      if (own != 0) return true;
    }
    return false;
  };
  std::vector<Permutation> all;
  do {
    do all.push_back(member());
    while (next_turn());
  } while (std::next_permutation(image.begin(), image.end()));
  return all;
}

}  // namespace

Permutation destination(std::size_t symbols, std::span<const Port> word) {
  Permutation node = Permutation::identity(symbols);
  for (const Port p : word) node = node.with_exchanged(0, std::size_t{index(p)} + 1);
  return node;
}

std::string word_text(std::span<const Port> word) {
  std::string text;
  for (const Port p : word) text += index(p) < letters.size() ? letters[index(p)] : '?';
  return text;
}

Word word_from_text(std::string_view text) {
  Word word;
  for (const char letter : text) {
    const std::size_t at = letters.find(letter);
    if (at == std::string_view::npos)
      throw InvalidParameter(std::string("word '") + std::string(text) +
                             "' is not valid; expected letters 1 to 9 and a to z");
    word.push_back(port(at));
  }
  return word;
}

Word standard_word(Permutation destination) {
  const Permutation g = destination.inverse();  // the paper's permutation: symbol -> position
  std::uint32_t seen = 0;
  Word word;
  for (std::size_t first = 0; first < g.size(); ++first) {
    if (((seen >> first) & 1U) != 0 || g[first] == first) continue;
    if (first != 0) word.push_back(port(first - 1));
    for (std::size_t x = g[first]; x != first; x = g[x]) {
      word.push_back(port(x - 1));
      seen |= 1U << x;
    }
    if (first != 0) word.push_back(port(first - 1));
  }
  return word;
}

std::vector<Word> minimal_words(Permutation destination, std::size_t most) {
  std::vector<Word> words;
  Word begun;
  append_minimal_words(destination, most, begun, words);
  return words;
}

Word random_minimal_word(Permutation destination, std::mt19937_64& random) {
  Word word;
  while (destination != Permutation::identity(destination.size())) {
    const Word choices = first_letters(destination);
    word.push_back(choices[random() % choices.size()]);  // not std::uniform_int_distribution: the
    destination = behind(destination, word.back());      // same words with every library
  }
  return word;
}

Word rotated(std::span<const Port> word, std::size_t places, std::size_t symbols) {
  Word result;
  result.reserve(word.size());
  for (const Port p : word) result.push_back(port((index(p) + places) % (symbols - 1)));
  return result;
}

Permutation rotated(Permutation destination) {
  const std::size_t n = destination.size();
  std::uint64_t packed = 0;
  for (std::size_t i = 0; i < n; ++i)
    packed |= std::uint64_t{rotated_symbol(destination[i], 1, n)} << (4 * rotated_symbol(i, 1, n));
  return Permutation::from_packed(packed, n);
}

bool is_exceptional(Permutation destination) {
  const std::size_t n = destination.size();
  if (destination == Permutation::identity(n)) return false;
  std::size_t rest = n - 1;
  for (std::size_t q = 2; q <= rest; ++q) {
    if (rest % q != 0) continue;  // q is prime: its smaller factors were divided out
    while (rest % q == 0) rest /= q;
    if (commutes_with_rotation(destination, (n - 1) / q)) return true;
  }
  return false;
}

std::vector<Permutation> exceptional_nodes(std::size_t symbols) {
  if (symbols < min_table_symbols || symbols > max_table_symbols)
    throw InvalidParameter("exceptional nodes: " + std::to_string(symbols) +
                           " symbols; allowed: 3..12");
  std::vector<Permutation> nodes;
  for (std::size_t i = 1; i < symbols - 1; ++i) {
    if ((symbols - 1) % i != 0) continue;
    for (const Permutation r : centraliser(symbols, i))
      if (r != Permutation::identity(symbols)) nodes.push_back(r);
  }
  std::ranges::sort(nodes, {}, [](Permutation r) { return rank(r); });
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

}  // namespace lockstep
