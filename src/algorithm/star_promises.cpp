// SPDX-License-Identifier: Apache-2.0
#include "algorithm/star_promises.hpp"

#include "core/invalid.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/permutation.hpp"
#include "topology/star_distances.hpp"

namespace lockstep::star_promises {

Cost packing_level(std::size_t n, std::size_t a, std::size_t b) {
  if (n < 1 || n > max_star_distance_symbols)
    throw invalid("packing: {} symbols; allowed: 1..{}", n, max_star_distance_symbols);
  if (a > n) throw invalid("packing: substars of {} symbols; allowed: 1..{}", a, n);
  const std::uint64_t startups = factorial(n) / factorial(a) * star_distance_sum(a, b);
  return {startups, startups * factorial(b)};
}

Cost packing(std::span<const std::size_t> chain) {
  if (chain.empty() || chain.back() != 1)
    throw InvalidParameter("packing: the chain does not end in 1");
  Cost total;
  for (std::size_t t = 0; t + 1 < chain.size(); ++t) {
    if (chain[t + 1] >= chain[t])
      throw invalid("packing: {} after {} in a chain; expected a smaller factor", chain[t + 1],
                    chain[t]);
    total = total + packing_level(chain.front(), chain[t], chain[t + 1]);
  }
  return total;
}

Cost packing_in_batches(std::size_t n, std::size_t k, std::uint64_t batch) {
  if (batch < 1) throw InvalidParameter("batch: 0 is not valid; expected at least 1");
  const Cost outer = packing_level(n, n, k);
  const Cost inner = packing_level(n, k, 1);
  const std::uint64_t packets = factorial(n) / factorial(k);
  const std::uint64_t batches = packets / batch + (packets % batch == 0 ? 0 : 1);
  return {outer.startups + batches * star_distance_sum(k, 1),
          outer.message_times + inner.message_times};
}

}  // namespace lockstep::star_promises
