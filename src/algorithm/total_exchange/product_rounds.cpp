// SPDX-License-Identifier: Apache-2.0
#include "algorithm/total_exchange/product_rounds.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <random>

#include "core/edge_colouring.hpp"
#include "core/invalid.hpp"
#include "lockstep/core/mixed_radix.hpp"

namespace lockstep {
namespace {

using Dimensions = std::span<const RoundDimension>;

/// H^2 and H^3: for a fixed offset in a dimension the round is a bijection of the others, and the
/// rounds of a job differ.
[[nodiscard]] std::uint64_t closed_round(const MixedRadix& jobs, std::uint64_t job, std::size_t i,
                                         std::uint64_t n) {
  const std::uint64_t a1 = jobs.digit(job, 0);
  const std::uint64_t a2 = jobs.digit(job, 1);
  if (jobs.digits() == 2) return i == 0 ? a2 : (a1 + a2) % n;
  const std::uint64_t a3 = jobs.digit(job, 2);
  if (i == 0) return a2 * n + a3;
  if (i == 1) return (a1 + a2) % n * n + a3;
  return (a1 + a2 + a3) % n * n + (a1 + a3) % n;
}

/// Jobs against (dimension, offset): a colour is a round.
[[nodiscard]] std::vector<std::uint32_t> coloured_rounds(const MixedRadix& jobs, std::uint64_t n) {
  std::vector<BipartiteEdge> edges;
  for (std::uint64_t job = 0; job < jobs.count(); ++job)
    for (std::size_t i = 0; i < jobs.digits(); ++i)
      if (const std::uint64_t offset = jobs.digit(job, i); offset != 0)
        edges.push_back(
            {static_cast<std::uint32_t>(job), static_cast<std::uint32_t>(i * n + offset)});
  std::vector<std::uint32_t> rounds(jobs.count() * jobs.digits());
  const std::vector<std::uint32_t> colours = edge_colouring(edges);
  for (std::size_t e = 0; e < edges.size(); ++e)
    rounds[edges[e].left * jobs.digits() + edges[e].right / n] = colours[e];
  return rounds;
}

/// Rounds of different lengths: dimension by dimension, the longest total first; for every offset a
/// matching of jobs and rounds that do not overlap with those that the job has.
class Matchings {
 public:
  Matchings(Dimensions dimensions, const MixedRadix& jobs, std::uint64_t steps)
      : dimensions_(dimensions), jobs_(jobs), steps_(steps) {
    order_.resize(dimensions.size());
    std::iota(order_.begin(), order_.end(), 0U);
    std::ranges::stable_sort(order_, std::greater(), [&](std::size_t i) { return total(i); });
  }

  [[nodiscard]] std::optional<std::vector<std::uint32_t>> found(std::mt19937_64& random) {
    begin_.assign(jobs_.count() * jobs_.digits(), unset);
    for (const std::size_t i : order_)
      for (std::uint64_t offset = 1; offset < dimensions_[i].size; ++offset)
        if (!match(i, offset, random)) return std::nullopt;
    return begin_;
  }

 private:
  static constexpr std::uint32_t unset = std::numeric_limits<std::uint32_t>::max();

  [[nodiscard]] std::uint64_t rounds(std::size_t i) const {
    return jobs_.count() / dimensions_[i].size;
  }
  [[nodiscard]] std::uint64_t total(std::size_t i) const {
    return rounds(i) * dimensions_[i].steps;
  }
  /// Rounds are spread evenly over all steps; those of the longest dimension without gaps.
  [[nodiscard]] std::uint64_t begin_of(std::size_t i, std::uint64_t round) const {
    return round * steps_ / rounds(i);
  }

  [[nodiscard]] bool is_free(std::uint64_t job, std::size_t i, std::uint64_t round) const {
    const std::uint64_t begin = begin_of(i, round);
    const std::uint64_t end = begin + dimensions_[i].steps;
    for (std::size_t j = 0; j < jobs_.digits(); ++j) {
      const std::uint64_t other = begin_[job * jobs_.digits() + j];
      if (other != unset && begin < other + dimensions_[j].steps && other < end) return false;
    }
    return true;
  }

  [[nodiscard]] bool match(std::size_t i, std::uint64_t offset, std::mt19937_64& random) {
    own_.clear();
    for (std::uint64_t job = 0; job < jobs_.count(); ++job)
      if (jobs_.digit(job, i) == offset) own_.push_back(job);
    std::shuffle(own_.begin(), own_.end(), random);
    job_of_.assign(rounds(i), unset);
    for (std::uint32_t k = 0; k < own_.size(); ++k) {
      seen_.assign(rounds(i), false);
      if (!augment(k, i)) return false;
    }
    for (std::uint64_t round = 0; round < rounds(i); ++round)
      begin_[own_[job_of_[round]] * jobs_.digits() + i] =
          static_cast<std::uint32_t>(begin_of(i, round));
    return true;
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as there are rounds
  bool augment(std::uint32_t k, std::size_t i) {
    for (std::uint64_t round = 0; round < seen_.size(); ++round) {
      if (seen_[round] || !is_free(own_[k], i, round)) continue;
      seen_[round] = true;
      if (job_of_[round] == unset || augment(job_of_[round], i)) {
        job_of_[round] = k;
        return true;
      }
    }
    return false;
  }

  Dimensions dimensions_;
  const MixedRadix& jobs_;
  std::uint64_t steps_;
  std::vector<std::size_t> order_;
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint64_t> own_;     // jobs that are matched now
  std::vector<std::uint32_t> job_of_;  // of a round, its place in own_
  std::vector<bool> seen_;
};

}  // namespace

RoundMap round_map(Dimensions dimensions) {
  std::vector<std::uint64_t> sizes;
  for (const RoundDimension& dimension : dimensions) sizes.push_back(dimension.size);
  const MixedRadix jobs(sizes);  // a digit is the offset in a dimension
  const std::uint64_t n = dimensions.front().size;
  const bool equal = std::ranges::all_of(dimensions, [n](const auto& d) { return d.size == n; });
  RoundMap map;
  for (const auto& [size, steps] : dimensions)
    map.steps = std::max(map.steps, jobs.count() / size * steps);
  if (!equal) {
    constexpr int most_tries = 40;
    std::mt19937_64 random(1916);
    Matchings matchings(dimensions, jobs, map.steps);
    for (int i = 0; i < most_tries; ++i)
      if (std::optional<std::vector<std::uint32_t>> found = matchings.found(random)) {
        map.begin = *std::move(found);
        return map;
      }
    throw invalid("rounds: none of {} tries found rounds for all offsets; use another algorithm",
                  most_tries);
  }
  const std::uint64_t length =
      std::ranges::max_element(dimensions, {}, &RoundDimension::steps)->steps;
  if (dimensions.size() > 3)
    map.begin = coloured_rounds(jobs, n);
  else
    for (std::uint64_t job = 0; job < jobs.count(); ++job)
      for (std::size_t i = 0; i < dimensions.size(); ++i)
        map.begin.push_back(static_cast<std::uint32_t>(closed_round(jobs, job, i, n)));
  for (std::uint32_t& begin : map.begin) begin *= static_cast<std::uint32_t>(length);
  return map;
}

}  // namespace lockstep
