// SPDX-License-Identifier: Apache-2.0
#include "topology/searched_cut.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

using Neighbors = std::vector<std::vector<std::uint32_t>>;

/// Some of the nodes; one by one they join and leave.
class Side {
 public:
  explicit Side(const Neighbors& neighbors) : neighbors_(&neighbors), inside_(neighbors.size()) {}

  void move(std::uint32_t u) {
    cut_ = after(u);
    inside_[u] = static_cast<std::uint8_t>(inside_[u] == 0);
  }

  /// The cut after u changes sides.
  [[nodiscard]] Cut after(std::uint32_t u) const {
    Cut cut = cut_;
    const bool leaves = inside_[u] != 0;
    cut.nodes += leaves ? ~std::uint64_t{0} : 1;
    for (const std::uint32_t v : (*neighbors_)[u])
      cut.links += (inside_[v] != 0) == leaves ? 1 : ~std::uint64_t{0};
    return cut;
  }

  [[nodiscard]] const Cut& cut() const noexcept { return cut_; }

 private:
  const Neighbors* neighbors_;
  std::vector<std::uint8_t> inside_;
  Cut cut_{};
};

/// Node by node, what a power iteration finds after a random start: mostly a combination of the
/// eigenvectors of the smallest eigenvalues but 0 of the Laplacian matrix.
[[nodiscard]] std::vector<double> smooth_vector(const Neighbors& neighbors, std::mt19937& random) {
  constexpr int rounds = 200;
  std::size_t degree = 0;
  for (const auto& own : neighbors) degree = std::max(degree, own.size());
  std::vector<double> values(neighbors.size());
  for (double& value : values) value = static_cast<double>(random()) / 4294967296.0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> next(values.size());
    for (std::size_t u = 0; u < values.size(); ++u) {
      next[u] = static_cast<double>(2 * degree - neighbors[u].size()) * values[u];
      for (const std::uint32_t v : neighbors[u]) next[u] += values[v];
    }
    const double mean =
        std::accumulate(next.begin(), next.end(), 0.0) / static_cast<double>(next.size());
    double norm = 0;
    for (double& value : next) {
      value -= mean;
      norm += value * value;
    }
    if (norm <= 0) break;
    for (double& value : next) value /= std::sqrt(norm);
    values = std::move(next);
  }
  return values;
}

/// Whether `by` cuts fewer links than `now` for the pairs that it separates.
[[nodiscard]] bool improves(const Cut& now, const Cut& by, std::uint64_t nodes) {
  return by.nodes != 0 && by.nodes != nodes && narrower(now, by, nodes) != now;
}

/// The best cut of the sorted nodes.
[[nodiscard]] Side swept(const Neighbors& neighbors, const std::vector<double>& values) {
  std::vector<std::uint32_t> order(neighbors.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t u) { return values[u]; });
  Side side(neighbors);
  Side best(neighbors);
  for (const std::uint32_t u : order) {
    side.move(u);
    if (improves(best.cut(), side.cut(), neighbors.size())) best = side;
  }
  return best;
}

/// Every node changes sides once, always the one that leaves the narrowest cut; the narrowest cut
/// on the way counts. Again, until there is none narrower.
[[nodiscard]] Cut descended(Side best, std::uint64_t nodes) {
  for (bool improved = true; improved;) {
    improved = false;
    Side side = best;
    std::vector<std::uint32_t> left(nodes);
    std::iota(left.begin(), left.end(), 0U);
    while (!left.empty()) {
      std::size_t next = 0;
      Cut least;
      for (std::size_t i = 0; i < left.size(); ++i) {
        const Cut cut = side.after(left[i]);
        if (!improves(least, cut, nodes)) continue;
        least = cut;
        next = i;
      }
      side.move(left[next]);
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(next));
      if (!improves(best.cut(), side.cut(), nodes)) continue;
      best = side;
      improved = true;
    }
  }
  return best.cut();
}

}  // namespace

Cut searched_cut(const ErasedTopology& network) {
  constexpr int beginnings = 4;  // eigenvalues are often multiple
  const std::uint64_t nodes = network.node_count();
  if (nodes < 2 || nodes > most_nodes_of_searched_cuts ||
      nodes * network.max_degree() > most_ports_of_searched_cuts)
    return {};
  Neighbors neighbors(nodes);
  for (std::uint64_t u = 0; u < nodes; ++u)
    for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
      neighbors[u].push_back(
          static_cast<std::uint32_t>(index(network.neighbor(NodeId{u}, port(p)))));
  std::mt19937 random{1973};  // NOLINT(cert-msc51-cpp): the same cut in every run
  Cut cut;
  for (int i = 0; i < beginnings; ++i)
    cut =
        narrower(cut, descended(swept(neighbors, smooth_vector(neighbors, random)), nodes), nodes);
  return cut;
}

}  // namespace lockstep
