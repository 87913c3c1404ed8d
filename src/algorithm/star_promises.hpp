// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Costs of packing in the star graph in closed form, for any n: sums over the chain of packing
/// factors, which no formula of a text has. Tests compare them with the machine's counts.
///
///     star_promises::packing(std::array<std::size_t, 3>{5, 3, 1})  // {229 start-ups, 474 times}
///
/// All exact, O(n). Outside the stated range, InvalidParameter.

#include <cstddef>
#include <cstdint>
#include <span>

#include "lockstep/program/cost.hpp"

namespace lockstep::star_promises {

/// One level of packing in S_n: inside every substar of a symbols, packets of b! blocks go to all
/// substars of b symbols: (n!/b!) l(a,b) start-ups, n! l(a,b) message times. 1 <= b <= a <= n
/// <= 19.
[[nodiscard]] Cost packing_level(std::size_t n, std::size_t a, std::size_t b);

/// Total exchange by packing along a chain n = m_0 > m_1 > ... > m_r = 1: the sum of its levels.
/// {n, k, 1} is T(n, k) of the paper, {n, 1} the algorithm without packing. {1}: nothing to do.
[[nodiscard]] Cost packing(std::span<const std::size_t> chain);

/// Packing (n, k, 1) that redistributes `batch` packets at a time: the start-ups of the inner level
/// shrink to ceil(n!/k!/batch) k! l(k,1). 1 <= k <= n <= 19, 1 <= batch.
[[nodiscard]] Cost packing_in_batches(std::size_t n, std::size_t k, std::uint64_t batch);

}  // namespace lockstep::star_promises
