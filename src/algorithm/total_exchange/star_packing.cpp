// SPDX-License-Identifier: Apache-2.0
#include "algorithm/total_exchange/star_packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/joined.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

using Factors = std::vector<std::uint64_t>;

[[nodiscard]] std::vector<std::size_t> chain_of(std::size_t n, Factors factors) {
  if (factors.empty()) factors.push_back(std::min<std::size_t>(3, n - 1));
  std::vector<std::size_t> chain{n};
  for (const std::uint64_t k : factors) {
    const bool alone = factors.size() == 1;
    if (const bool small = k < (alone ? 1U : 2U); small || k >= chain.back())
      throw InvalidParameter(fmt::format(
          "k: {}; allowed for star:{}: 1{}{}",
          small               ? fmt::format("{} is too small{}", k, alone ? "" : " for a chain")
          : chain.size() == 1 ? fmt::format("{} is too large", k)
                              : fmt::format("chain '{}' is not decreasing", joined(factors, ",")),
          n, n > 2 ? fmt::format(" to {}", n - 1) : "",
          n > 3 ? fmt::format(", or a decreasing chain of factors between {} and 2", n - 1) : ""));
    if (k > 1) chain.push_back(k);
  }
  chain.push_back(1);
  return chain;
}

/// All between the ends of a chain, or 1 where there is none.
[[nodiscard]] Factors factors_in(const std::vector<std::size_t>& chain) {
  if (chain.size() <= 2) return {1};
  return {chain.begin() + 1, chain.end() - 1};
}

/// Every decreasing chain of two factors or more between `largest` and 2: 4,3,2; 4,3; 4,2; 3,2.
[[nodiscard]] std::vector<Factors> chains_up_to(std::size_t largest) {
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

}  // namespace

StarPacking::StarPacking(const StarGraph& star, const Settings& settings)
    : star_(star), chain_(chain_of(star.symbols(), settings.numbers("k"))) {
  const bool automatically = settings.text("batch") == automatic;
  batch_ = settings.number("batch", 1);
  if (batch_ == 1 && !automatically) return;
  const std::string given = automatically ? std::string(automatic) : fmt::format("{}", batch_);
  if (chain_.size() != 3)
    throw InvalidParameter(fmt::format(
        "batch: {} is possible only with a single packing factor of at least 2", given));
  const std::uint64_t blocks = factorial(chain_[1]);
  const std::uint64_t packets = factorial(chain_[0]) / blocks;
  if (automatically) batch_ = std::min(blocks, packets);
  const std::uint64_t most = std::min(packets, max_region_blocks / blocks);
  if (batch_ < 1 || batch_ > most)
    throw InvalidParameter(fmt::format("batch: {} is not valid; expected 1..{}", batch_, most));
}

Settings StarPacking::chosen() const { return {{"k", factors_in(chain_)}, {"batch", batch_}}; }

std::optional<Variants> StarPacking::variants() const {
  Variants variants;
  std::vector<Settings> batched;
  const std::size_t n = star_.symbols();
  for (std::uint64_t k = 1; k < n; ++k) {
    variants.all.push_back({{"k", Factors{k}}});
    if (k > 1) batched.push_back({{"k", Factors{k}}, {"batch", std::string(automatic)}});
  }
  std::vector<Settings> chains;
  for (Factors& chain : chains_up_to(n - 1)) chains.push_back({{"k", std::move(chain)}});
  variants.cheapest_of = {std::move(chains), std::move(batched)};
  return variants;
}

}  // namespace lockstep
