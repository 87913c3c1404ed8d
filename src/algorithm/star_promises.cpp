// SPDX-License-Identifier: Apache-2.0
#include "algorithm/star_promises.hpp"

#include <string>
#include <string_view>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/permutation.hpp"
#include "topology/star_distances.hpp"

namespace lockstep::star_promises {
namespace {

void check_symbols(std::string_view who, std::size_t n, std::size_t least, std::size_t most) {
  if (n < least || n > most)
    throw InvalidParameter(std::string{who} + ": " + std::to_string(n) + " symbols; allowed: " +
                           std::to_string(least) + ".." + std::to_string(most));
}

}  // namespace

Cost packing_level(std::size_t n, std::size_t a, std::size_t b) {
  check_symbols("packing", n, 1, max_star_distance_symbols);
  if (a > n)
    throw InvalidParameter("packing: substars of " + std::to_string(a) + " symbols; allowed: 1.." +
                           std::to_string(n));
  const std::uint64_t startups = factorial(n) / factorial(a) * star_distance_sum(a, b);
  return {startups, startups * factorial(b)};
}

Cost packing(std::span<const std::size_t> chain) {
  if (chain.empty() || chain.back() != 1)
    throw InvalidParameter("packing: the chain does not end in 1");
  Cost total;
  for (std::size_t t = 0; t + 1 < chain.size(); ++t) {
    if (chain[t + 1] >= chain[t])
      throw InvalidParameter("packing: " + std::to_string(chain[t + 1]) + " after " +
                             std::to_string(chain[t]) + " in a chain; expected a smaller factor");
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
