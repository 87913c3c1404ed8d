// SPDX-License-Identifier: Apache-2.0
#include "cli/factor_choices.hpp"

#include <algorithm>
#include <utility>

#include "cli/options.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"

namespace lockstep::cli {

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

std::vector<Factors> parse_factor_choices(const std::string& text, const RunRequest& request) {
  if (text == "all") return single_factors(request);
  std::vector<Factors> lists;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    lists.push_back(parse_factors(text.substr(at, end - at)));
    at = end + 1;
  }
  return lists;
}

}  // namespace lockstep::cli
