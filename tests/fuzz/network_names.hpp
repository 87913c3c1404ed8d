// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Names of small networks of every family of the catalogue, and of some that are refused.
///
///     network_name(random);  // "torus:3x5"

#include <cstdint>
#include <string>
#include <string_view>

#include "reference/random.hpp"

namespace lockstep::test {

/// The values of `draw`, called `count` times.
template <class Draw>
[[nodiscard]] std::string joined(std::uint64_t count, std::string_view between, Draw draw) {
  std::string all = draw();
  for (; count > 1; --count) all += std::string(between) + draw();
  return all;
}

[[nodiscard]] std::string network_name(reference::Random& random);

}  // namespace lockstep::test
