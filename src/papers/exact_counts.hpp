// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Counts that know when they do not fit 64 bits (InvalidParameter), and generating functions of
/// them: entry w of a polynomial is the coefficient of z^w.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/fraction.hpp"

namespace lockstep::exact {

using Polynomial = std::vector<std::uint64_t>;

[[nodiscard]] inline std::uint64_t narrow(WideCount value) {
  if (value > std::numeric_limits<std::uint64_t>::max())
    throw InvalidParameter("a count of more than 64 bits, allowed up to 2^64 - 1");
  return static_cast<std::uint64_t>(value);
}

[[nodiscard]] inline std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return narrow(WideCount{a} * b);
}

[[nodiscard]] inline std::uint64_t sum(const Polynomial& counts) {
  WideCount total = 0;
  for (const std::uint64_t count : counts) total += count;
  return narrow(total);
}

[[nodiscard]] inline Polynomial operator+(Polynomial p, const Polynomial& q) {
  p.resize(std::max(p.size(), q.size()));
  for (std::size_t w = 0; w < q.size(); ++w) p[w] = narrow(WideCount{p[w]} + q[w]);
  return p;
}

[[nodiscard]] inline Polynomial operator*(const Polynomial& p, const Polynomial& q) {
  if (p.empty() || q.empty()) return {};
  Polynomial result(p.size() + q.size() - 1);
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = 0; j < q.size(); ++j)
      result[i + j] = narrow(WideCount{result[i + j]} + product(p[i], q[j]));
  return result;
}

[[nodiscard]] inline Polynomial power(const Polynomial& p, std::size_t exponent) {
  Polynomial result{1};
  for (std::size_t i = 0; i < exponent; ++i) result = result * p;
  return result;
}

[[nodiscard]] inline std::uint64_t power(std::uint64_t base, std::size_t exponent) {
  return power(Polynomial{base}, exponent)[0];
}

}  // namespace lockstep::exact
