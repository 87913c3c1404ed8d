// SPDX-License-Identifier: Apache-2.0
#include "study/factor_choices.hpp"

#include <algorithm>
#include <utility>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"

namespace lockstep::study {

std::vector<Factors> single_factors(const RunRequest& request) {
  RunRequest plain{
      .topology = request.topology, .operation = request.operation, .algorithm = request.algorithm};
  constexpr std::size_t most = 64;
  std::vector<Factors> found;
  try {
    for (std::size_t k = 1; k <= most; ++k) {
      plain.parameters.k = {k};
      (void)prepare(plain, false);
      found.push_back({k});
    }
  } catch (const InvalidParameter&) {
    return found;
  }
  return found;
}

std::vector<Factors> chains_up_to(std::size_t largest) {
  constexpr std::size_t most = 20;
  expects(largest <= most, "chains are listed up to 20 factors");
  std::vector<Factors> chains;
  const std::size_t subsets = std::size_t{1} << (largest < 2 ? 0 : largest - 1);
  for (std::size_t subset = subsets; subset-- > 0;) {
    Factors chain;  // bit k - 2: k is in it
    for (std::size_t k = largest; k >= 2; --k)
      if (((subset >> (k - 2)) & 1U) != 0) chain.push_back(k);
    if (chain.size() >= 2) chains.push_back(std::move(chain));
  }
  return chains;
}

}  // namespace lockstep::study
