// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/eisenstein_jacobi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "core/invalid.hpp"
#include "lockstep/core/fraction.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep {

namespace {

__extension__ using Wide = __int128;

[[nodiscard]] Wide wide(std::uint64_t number) noexcept { return static_cast<Wide>(number); }

/// Rounded down, also below 0. Precondition: divisor > 0.
[[nodiscard]] Wide floor_of(Wide number, Wide divisor) noexcept {
  const Wide quotient = number / divisor;
  return quotient * divisor > number ? quotient - 1 : quotient;
}

[[nodiscard]] std::uint64_t modulo(Wide number, std::uint64_t divisor) noexcept {
  return static_cast<std::uint64_t>(number - floor_of(number, wide(divisor)) * wide(divisor));
}

/// u and v with u * one + v * other == divisor, the greatest common one.
struct Bezout {
  std::uint64_t divisor;
  Wide u;
  Wide v;
};

[[nodiscard]] Bezout bezout(std::uint64_t one, std::uint64_t other) noexcept {
  Bezout upper{one, 1, 0};
  Bezout lower{other, 0, 1};
  while (lower.divisor != 0) {
    const std::uint64_t quotient = upper.divisor / lower.divisor;
    const Bezout next{upper.divisor - quotient * lower.divisor, upper.u - wide(quotient) * lower.u,
                      upper.v - wide(quotient) * lower.v};
    upper = lower;
    lower = next;
  }
  return upper;
}

[[nodiscard]] std::string name_of(std::uint64_t a, std::uint64_t b) {
  return fmt::format("ej:{}+{}", a, b);
}

/// Throws InvalidParameter where no network has this alpha.
[[nodiscard]] std::uint64_t checked_norm(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t a_few = 3;  // 3 and any b above: more than 7 nodes
  if (a > b && (a >= a_few || a * a + a * b + b * b >= EisensteinJacobi::min_nodes)) {
    const std::string swapped = name_of(b, a);
    throw invalid("{}: {} > {}; expected a <= b; write {}, its mirror image", name_of(a, b), a, b,
                  swapped);
  }
  // a <= b: the norm exceeds 2^64 as soon as b does 2^32, and three times 2^64 fit.
  const WideCount norm = b > ~std::uint32_t{0}
                             ? WideCount{1} << 64
                             : WideCount{a} * a + WideCount{a} * b + WideCount{b} * b;
  if (norm > EisensteinJacobi::max_nodes)
    throw invalid("{}: more than 2^63 nodes, the allowed maximum", name_of(a, b));
  if (norm < EisensteinJacobi::min_nodes)
    throw invalid(
        "{}: norm {}; expected a*a + a*b + b*b >= {}, because smaller networks have parallel links",
        name_of(a, b), static_cast<std::uint64_t>(norm), EisensteinJacobi::min_nodes);
  return static_cast<std::uint64_t>(norm);
}

/// (2 number + divisor) / (2 divisor), rounded down: the nearest whole number.
[[nodiscard]] Wide nearest(Wide number, Wide divisor) noexcept {
  return floor_of(2 * number + divisor, 2 * divisor);
}

}  // namespace

EisensteinJacobi::EisensteinJacobi(std::uint64_t a, std::uint64_t b)
    : a_(a), b_(b), node_count_(checked_norm(a, b)) {
  const Bezout common = bezout(b, a + b);
  rows_ = common.divisor;
  columns_ = node_count_ / rows_;
  skew_ = modulo(common.u * wide(a) - common.v * wide(b), columns_);
  by_columns_ = Divisor(columns_);
  std::transform(eisenstein_units.begin(), eisenstein_units.end(), units_.begin(),
                 [this](Eisenstein unit) { return id_of(unit); });
}

std::string EisensteinJacobi::name() const { return name_of(a_, b_); }

NodeId EisensteinJacobi::id_of(Eisenstein z) const noexcept {
  const Wide rows = floor_of(z.y, wide(rows_));
  const auto y = static_cast<std::uint64_t>(z.y - rows * wide(rows_));
  return NodeId{y * columns_ + modulo(z.x - rows * wide(skew_), columns_)};
}

/// One row past the last is row 0, and `skew` columns less.
NodeId EisensteinJacobi::sum_in_rows(NodeId u, NodeId v) const noexcept {
  const std::uint64_t u_row = by_columns_.quotient(index(u));
  const std::uint64_t v_row = by_columns_.quotient(index(v));
  std::uint64_t row = u_row + v_row;
  std::uint64_t column = index(u) - u_row * columns_ + (index(v) - v_row * columns_);
  if (row >= rows_) {
    row -= rows_;
    column += columns_ - skew_;
  }
  if (column >= columns_) column -= columns_;
  if (column >= columns_) column -= columns_;
  return NodeId{row * columns_ + column};
}

NodeId EisensteinJacobi::inverse(NodeId u) const noexcept {
  const std::uint64_t row = by_columns_.quotient(index(u));
  const std::uint64_t column = index(u) - row * columns_;
  if (row == 0) return NodeId{column == 0 ? 0 : columns_ - column};
  const std::uint64_t back = skew_ >= column ? skew_ - column : skew_ + (columns_ - column);
  return NodeId{(rows_ - row) * columns_ + back};
}

/// The class of z contains z - alpha w for every integer w; the shortest ones have w next to
/// z / alpha, which is z conj(alpha) / norm.
EisensteinJacobi::Candidates EisensteinJacobi::candidates(NodeId u) const noexcept {
  const Wide a = wide(a_);
  const Wide b = wide(b_);
  const Wide y = wide(by_columns_.quotient(index(u)));
  const Wide x = wide(index(u)) - y * wide(columns_);
  const Wide w_x = nearest(x * (a + b) + y * b, wide(node_count_));
  const Wide w_y = nearest(y * a - x * b, wide(node_count_));
  const auto minus_alpha_times = [&](Wide p, Wide q) {
    return Eisenstein{static_cast<std::int64_t>(x - (p * a - q * b)),
                      static_cast<std::int64_t>(y - (p * b + q * (a + b)))};
  };
  Candidates all{minus_alpha_times(w_x, w_y)};
  for (std::size_t k = 0; k < eisenstein_units.size(); ++k)
    all[k + 1] = minus_alpha_times(w_x + eisenstein_units[k].x, w_y + eisenstein_units[k].y);
  return all;
}

Eisenstein EisensteinJacobi::representative(NodeId u) const noexcept {
  const Candidates all = candidates(u);
  return *std::min_element(all.begin(), all.end(), [](Eisenstein one, Eisenstein other) {
    const std::int64_t shorter = length(one) - length(other);
    return shorter != 0 ? shorter < 0 : sector_of(one).sector < sector_of(other).sector;
  });
}

std::vector<Eisenstein> EisensteinJacobi::representatives(NodeId u) const {
  const Candidates all = candidates(u);
  const std::int64_t shortest = length(representative(u));
  std::vector<Eisenstein> found;
  for (const Eisenstein candidate : all)
    if (length(candidate) == shortest) found.push_back(candidate);
  std::ranges::sort(found, {}, [](Eisenstein z) { return sector_of(z).sector; });
  return found;
}

std::optional<std::uint64_t> EisensteinJacobi::link_count() const noexcept {
  if (node_count_ > std::numeric_limits<std::uint64_t>::max() / 3) return std::nullopt;
  return 3 * node_count_;
}

/// 6 s nodes at distance s up to T = (a + b) / 2, then 18 (M - s) up to M = (a + 2b) / 3; T and M
/// themselves, where they are whole numbers, are exceptions, T before M.
std::vector<std::uint64_t> EisensteinJacobi::level_sizes() const {
  if (diameter() > max_levels) return {};
  std::vector<std::uint64_t> levels{1};
  for (std::uint64_t s = 1; s <= diameter(); ++s) {
    if (2 * s < a_ + b_)
      levels.push_back(6 * s);
    else if (2 * s == a_ + b_)
      levels.push_back(a_ < b_ ? 3 * b_ - 3 : 3 * b_ - 1);
    else
      levels.push_back(3 * s == a_ + 2 * b_ ? 2 : 6 * (a_ + 2 * b_ - 3 * s));
  }
  return levels;
}

std::optional<NodeId> EisensteinJacobi::find(const std::string& label) const {
  std::string_view text = label;
  if (text.size() > 2 && text.front() == '(' && text.back() == ')')
    text = text.substr(1, text.size() - 2);
  const std::optional<Eisenstein> z = eisenstein_from_text(text);
  if (!z) return std::nullopt;
  return id_of(*z);
}

std::string EisensteinJacobi::port_label(NodeId, Port p) const {
  const std::string unit = to_paper(eisenstein_units[index(p)]);
  return unit.front() == '-' ? unit : "+" + unit;
}

}  // namespace lockstep
