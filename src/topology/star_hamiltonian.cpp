// SPDX-License-Identifier: Apache-2.0
#include "topology/star_hamiltonian.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/topology/star_graph.hpp"

namespace lockstep {
namespace {

using Word = std::vector<std::uint8_t>;

/// The odd symbol out when the others are paired: symbol 2 (the papers' 3).
constexpr std::size_t left_over = 2;

/// Which symbols of 0..n-2 belong together, and whether their detour is still to come.
class Pairs {
 public:
  explicit Pairs(std::size_t n) {
    add(0, 1);
    for (std::size_t s = n % 2 == 1 ? 2 : left_over + 1; s + 1 < n; s += 2) add(s, s + 1);
  }

  /// True once per pair.
  [[nodiscard]] bool take(std::size_t a, std::size_t b) noexcept {
    if (partner_[a] != b) return false;
    partner_[a].reset();
    partner_[b].reset();
    return true;
  }

 private:
  void add(std::size_t a, std::size_t b) noexcept {
    partner_[a] = b;
    partner_[b] = a;
  }

  std::array<std::optional<std::size_t>, StarGraph::max_symbols> partner_{};
};

/// Appends n R(a) n R(b) n .. to the cycle of n symbols: through the substars of the symbols at the
/// ports a, b, .. R(a): the cycle of n - 1 symbols from behind the first use of port a round to
/// before it, a Hamiltonian path.
void append_detour(Word& outer, const Word& inner, std::uint8_t last_port,
                   std::initializer_list<std::uint8_t> turns) {
  outer.push_back(last_port);
  for (const std::uint8_t a : turns) {
    const auto first = std::ranges::find(inner, a);
    outer.insert(outer.end(), first + 1, inner.end());
    outer.insert(outer.end(), inner.begin(), first);
    outer.push_back(last_port);
  }
}

Word next_word(const Word& inner, std::size_t n) {
  Word outer;
  outer.reserve(factorial(n));
  Pairs pairs{n};
  const auto last_port = static_cast<std::uint8_t>(n - 2);
  Permutation x = Permutation::identity(n - 1);
  for (const std::uint8_t p : inner) {
    const std::size_t i = std::size_t{p} + 1;
    const bool first_pair = std::min(x[0], x[i]) == 0;
    if (!pairs.take(x[0], x[i])) {
      outer.push_back(p);
    } else if (n % 2 == 0 &&
               first_pair) {  // the substar of the symbol left over is covered as well
      const auto third = static_cast<std::uint8_t>(x.position_of(left_over) - 1);
      append_detour(outer, inner, last_port, {third, p, third});
    } else {
      append_detour(outer, inner, last_port, {p, p});
    }
    x = x.with_exchanged(0, i);
  }
  return outer;
}

}  // namespace

std::vector<std::uint8_t> star_hamiltonian_word(std::size_t n) {
  if (n < 3 || n > StarGraph::max_symbols)
    throw invalid("Hamiltonian cycle of star:{}: {}; allowed: 3..{}", n, counted(n, "symbol"),
                  StarGraph::max_symbols);
  Word word{0, 1, 0, 1, 0, 1};
  for (std::size_t size = 4; size <= n; ++size) word = next_word(word, size);
  return word;
}

}  // namespace lockstep
