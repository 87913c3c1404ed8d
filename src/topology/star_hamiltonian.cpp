// SPDX-License-Identifier: Apache-2.0
#include "topology/star_hamiltonian.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
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

/// Appends detours to the cycle of n symbols, out of the unmodified cycle of n - 1.
class Detours {
 public:
  Detours(const Word& inner, Word& outer, std::size_t n)
      : inner_(inner), outer_(outer), last_port_(static_cast<std::uint8_t>(n - 2)) {}

  /// n R(a) n R(b) n ..: through the substars of the symbols at these ports.
  void append(std::initializer_list<std::uint8_t> turns) {
    outer_.push_back(last_port_);
    for (const std::uint8_t turn : turns) {
      append_turned(turn);
      outer_.push_back(last_port_);
    }
  }

 private:
  /// R(a): the cycle from behind the first use of port a round to before it, a Hamiltonian path.
  void append_turned(std::uint8_t a) {
    const auto first = std::ranges::find(inner_, a);
    outer_.insert(outer_.end(), first + 1, inner_.end());
    outer_.insert(outer_.end(), inner_.begin(), first);
  }

  const Word& inner_;
  Word& outer_;
  std::uint8_t last_port_;
};

Word next_word(const Word& inner, std::size_t n) {
  Word outer;
  outer.reserve(factorial(n));
  Pairs pairs{n};
  Detours detours{inner, outer, n};
  Permutation x = Permutation::identity(n - 1);
  for (const std::uint8_t p : inner) {
    const std::size_t i = std::size_t{p} + 1;
    const bool first_pair = std::min(x[0], x[i]) == 0;
    if (!pairs.take(x[0], x[i])) {
      outer.push_back(p);
    } else if (n % 2 == 0 &&
               first_pair) {  // the substar of the symbol left over is covered as well
      const auto third = static_cast<std::uint8_t>(x.position_of(left_over) - 1);
      detours.append({third, p, third});
    } else {
      detours.append({p, p});
    }
    x = x.with_exchanged(0, i);
  }
  return outer;
}

}  // namespace

std::vector<std::uint8_t> star_hamiltonian_word(std::size_t n) {
  if (n < 3 || n > StarGraph::max_symbols)
    throw InvalidParameter(fmt::format("Hamiltonian cycle of star:{}: {}; allowed: 3..{}", n,
                                       counted(n, "symbol"), StarGraph::max_symbols));
  Word word{0, 1, 0, 1, 0, 1};
  for (std::size_t size = 4; size <= n; ++size) word = next_word(word, size);
  return word;
}

}  // namespace lockstep
