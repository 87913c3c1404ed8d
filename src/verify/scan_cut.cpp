// SPDX-License-Identifier: Apache-2.0
#include "verify/scan_cut.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "lockstep/core/ids.hpp"

namespace lockstep {
namespace {

/// Two sides, and what crosses from A to B.
class Sides {
 public:
  Sides(const ErasedTopology& network, const PortModel& model)
      : processors_(network.processor_count()),
        model_(model),
        neighbors_(network.node_count()),
        in_a_(network.node_count()),
        across_(network.node_count()) {
    for (std::uint64_t u = 0; u < neighbors_.size(); ++u)
      for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
        neighbors_[u].push_back(index(network.neighbor(NodeId{u}, port(p))));
  }

  [[nodiscard]] std::uint64_t nodes() const noexcept { return in_a_.size(); }
  [[nodiscard]] bool is_in_a(std::uint64_t node) const { return in_a_[node] != 0; }

  void move(std::uint64_t node) {
    sums_ -= sums_at(node);
    const bool leaves_a = is_in_a(node);
    std::uint64_t& own = across_[node];
    for (const std::uint64_t neighbor : neighbors_[node]) {
      count(neighbor, across_[neighbor], false);
      const bool crosses = is_in_a(neighbor) == leaves_a;  // from now on
      across_[neighbor] = crosses ? across_[neighbor] + 1 : across_[neighbor] - 1;
      count(neighbor, across_[neighbor], true);
    }
    count(node, own, false);
    in_a_[node] = leaves_a ? 0 : 1;
    own = neighbors_[node].size() - own;
    count(node, own, true);
    sums_ += sums_at(node);
  }

  /// Sums that have to cross, for each message that can in a step.
  [[nodiscard]] Fraction ratio() const {
    std::uint64_t messages = arcs_of_a_;
    if (model_.sends == 1) messages = std::min(messages, senders_);
    if (model_.receptions == 1) messages = std::min(messages, receivers_);
    return messages == 0 ? Fraction() : Fraction(sums_, messages);
  }

 private:
  /// Pairs (i, i + 1) across the cut in which the node is one of the two.
  [[nodiscard]] std::uint64_t sums_at(std::uint64_t node) const {
    if (node >= processors_) return 0;
    std::uint64_t sums = 0;
    if (node + 1 < processors_ && is_in_a(node) && !is_in_a(node + 1)) ++sums;
    if (node > 0 && is_in_a(node - 1) && !is_in_a(node)) ++sums;
    return sums;
  }
  /// The arcs of a node across the cut, counted in or out.
  void count(std::uint64_t node, std::uint64_t arcs, bool in) {
    const auto change = [in](std::uint64_t& sum, std::uint64_t by) {
      sum = in ? sum + by : sum - by;
    };
    if (arcs == 0) return;
    change(is_in_a(node) ? senders_ : receivers_, 1);
    if (is_in_a(node)) change(arcs_of_a_, arcs);
  }

  std::uint64_t processors_;
  PortModel model_;
  std::vector<std::vector<std::uint64_t>> neighbors_;
  std::vector<std::uint8_t> in_a_;
  std::vector<std::uint64_t> across_;  // of a node: arcs to the other side
  std::uint64_t arcs_of_a_ = 0;
  std::uint64_t senders_ = 0;    // nodes of A with such arcs
  std::uint64_t receivers_ = 0;  // and of B
  std::uint64_t sums_ = 0;
};

/// Moves nodes to the other side as long as that helps.
[[nodiscard]] Fraction improved(Sides& sides, std::mt19937_64& random) {
  std::vector<std::uint64_t> order(sides.nodes());
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  Fraction best = sides.ratio();
  for (bool moved = true; moved;) {
    moved = false;
    std::ranges::shuffle(order, random);
    for (const std::uint64_t u : order) {
      sides.move(u);
      if (const Fraction now = sides.ratio(); now > best) {
        best = now;
        moved = true;
      } else {
        sides.move(u);
      }
    }
  }
  return best;
}

}  // namespace

Fraction scan_cut(const ErasedTopology& network, const PortModel& model) {
  Fraction best{};
  if (model.switching != Switching::packet || network.processor_count() < 2) return best;
  constexpr std::uint64_t random_beginnings = 12;
  std::mt19937_64 random{1980};
  Sides sides(network, model);
  const auto begin = [&](const auto& in_a) {
    for (std::uint64_t u = 0; u < sides.nodes(); ++u)
      if (sides.is_in_a(u) != in_a(u)) sides.move(u);
    best = std::max(best, improved(sides, random));
  };
  // By a bit of the numbers, and by chance.
  for (unsigned bit = 0; (network.processor_count() - 1) >> bit != 0; ++bit)
    begin([bit](std::uint64_t u) { return (u >> bit & 1U) == 0; });
  for (std::uint64_t i = 0; i < random_beginnings; ++i)
    begin([&random](std::uint64_t) { return random() % 2 == 0; });
  return best;
}

}  // namespace lockstep
