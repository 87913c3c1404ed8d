// SPDX-License-Identifier: Apache-2.0

/// Broadcast in the complete graph of N nodes, in P - 1 + ceil(log2 N) steps of a part each: in
/// round i node r receives a part from node r - s[i mod q]. The skips s[0..q] are N, halved and
/// rounded up again and again. Sums of skips tell which part it is (J. L. Traff, "Optimal broadcast
/// schedules in logarithmic time", 2023; the rule below is another, checked for up to 1,100 nodes).

#include <algorithm>
#include <bit>
#include <bitset>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "algorithm/planned_algorithms.hpp"
#include "lockstep/core/expects.hpp"

namespace lockstep {
namespace {

class Skips {
 public:
  explicit Skips(std::uint64_t nodes)
      : rounds_(static_cast<std::size_t>(std::bit_width(nodes - 1))), skips_(rounds_ + 1, nodes) {
    for (std::size_t k = rounds_; k-- > 0;) skips_[k] = (skips_[k + 1] + 1) / 2;
  }

  [[nodiscard]] std::size_t rounds() const noexcept { return rounds_; }
  [[nodiscard]] std::uint64_t operator[](std::size_t k) const { return skips_[k]; }
  /// The number of the smallest skip in the greedy sum of y > 0.
  [[nodiscard]] std::size_t base(std::uint64_t y) const {
    std::size_t smallest = rounds_;
    for (std::size_t k = rounds_ + 1; k-- > 0;)
      if (y > 0 && skips_[k] <= y) {
        y -= skips_[k];
        smallest = k;
      }
    return smallest;
  }

 private:
  std::size_t rounds_;
  std::vector<std::uint64_t> skips_;
};

/// For each round of q a base of its own: by augmenting paths.
class DistinctBases {
 public:
  using Bases = std::bitset<64>;

  explicit DistinctBases(std::vector<Bases> allowed)
      : allowed_(std::move(allowed)), round_of_(Bases().size(), none) {}

  /// The base of each round; empty where there is no such choice.
  [[nodiscard]] std::optional<std::vector<std::size_t>> find() {
    for (std::size_t k = 0; k < allowed_.size(); ++k) {
      Bases seen;
      if (!give(k, seen)) return std::nullopt;
    }
    std::vector<std::size_t> bases(allowed_.size());
    for (std::size_t b = 0; b < round_of_.size(); ++b)
      if (round_of_[b] != none) bases[round_of_[b]] = b;
    return bases;
  }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  [[nodiscard]] bool give(std::size_t k, Bases& seen) {  // NOLINT(misc-no-recursion): q deep
    for (std::size_t b = 0; b < round_of_.size(); ++b) {
      if (!allowed_[k][b] || seen[b]) continue;
      seen[b] = true;
      if (round_of_[b] != none && !give(round_of_[b], seen)) continue;
      round_of_[b] = k;
      return true;
    }
    return false;
  }

  std::vector<Bases> allowed_;
  std::vector<std::size_t> round_of_;
};

/// The part that node r > 0 receives in each of q rounds, relative to the rounds done: base - q, or
/// base(r) in the round of base q.
[[nodiscard]] std::vector<std::int64_t> receptions_of(std::uint64_t r, std::uint64_t nodes,
                                                      const Skips& skips) {
  const std::size_t q = skips.rounds();
  const std::size_t own = skips.base(r);
  std::vector<DistinctBases::Bases> allowed(q);
  for (std::size_t k = 0; k < q; ++k) {
    for (std::uint64_t y = nodes + r - skips[k]; y > nodes + r - skips[k + 1]; --y)
      allowed[k][skips.base(y)] = true;
    allowed[k][own] = false;
  }
  auto bases = DistinctBases(allowed).find();
  // Otherwise some rounds draw the number below their interval. The sender has it only if it lies
  // in the interval of its round before, and it is not the root's.
  std::uint64_t may = 0;
  for (std::size_t k = 0; k < q; ++k)
    if (skips[k + 1] < 2 * skips[k] && skips[k + 1] != r) may |= std::uint64_t{1} << k;
  for (std::uint64_t rounds = 1; !bases && rounds <= may; ++rounds) {
    if ((rounds & ~may) != 0) continue;
    auto drawn = allowed;
    for (std::size_t k = 0; k < q; ++k)
      if ((rounds >> k & 1U) != 0) {
        drawn[k].reset();
        drawn[k][skips.base(nodes + r - skips[k + 1])] = true;
        drawn[k][own] = false;
      }
    bases = DistinctBases(drawn).find();
  }
  expects(bases.has_value(), "every node receives every part");
  std::vector<std::int64_t> parts;
  for (const std::size_t base : *bases)
    parts.push_back(base == q ? static_cast<std::int64_t>(own)
                              : static_cast<std::int64_t>(base) - static_cast<std::int64_t>(q));
  return parts;
}

[[nodiscard]] Transfers circulant(const PlanRequest& asked) {
  const std::uint64_t nodes = asked.network.node_count();
  const Skips skips(nodes);
  const auto q = static_cast<std::int64_t>(skips.rounds());
  const auto parts = static_cast<std::int64_t>(asked.parts);
  std::vector<std::vector<std::int64_t>> receptions(nodes);
  for (std::uint64_t r = 1; r < nodes; ++r) receptions[r] = receptions_of(r, nodes, skips);
  std::vector<std::vector<bool>> holds(nodes, std::vector<bool>(asked.parts));
  holds.front() = std::vector<bool>(asked.parts, true);
  Transfers plan = every_node_a_class(nodes);
  plan.parts = asked.parts;
  const std::int64_t begin = ((1 - parts) % q + q) % q;  // so that the last rounds are complete
  const auto place = [&](std::uint64_t r) { return (r + index(asked.root)) % nodes; };
  for (std::int64_t i = begin; i < begin + parts - 1 + q; ++i) {
    const auto k = static_cast<std::size_t>(i % q);
    std::vector<std::pair<std::uint64_t, std::size_t>> arrived;
    for (std::uint64_t r = 1; r < nodes; ++r) {
      const std::int64_t part = std::min(receptions[r][k] + i - i % q - begin, parts - 1);
      if (part < 0 || holds[r][static_cast<std::size_t>(part)]) continue;
      arrived.emplace_back(r, static_cast<std::size_t>(part));
      plan.move_part(static_cast<std::uint64_t>(i - begin), index(asked.root), everyone,
                     place(r + nodes - skips[k]), place(r), static_cast<std::uint64_t>(part));
    }
    for (const auto& [r, part] : arrived) holds[r][part] = true;
  }
  return plan;
}

}  // namespace

const PlannedAlgorithm circulant_broadcast = {
    .info = plain_info("circulant", Operation::broadcast, port_models::single_port, "Traff 2023",
                       {"P - 1 + log(2, N)", "(P - 1 + log(2, N))/P"},
                       "parts spread by skips of N/2, N/4, .., 1 in turn"),
    .networks = shapes::complete,
    .plan = circulant,
    .parts = Parts::open};

}  // namespace lockstep
