// SPDX-License-Identifier: Apache-2.0

/// Total exchange at the bound in tori with one direction too much for a node-invariant schedule.
/// Model:   all-port, full-duplex.
/// Idea:    as edge-colouring: hops in any order, an edge colouring of blocks against ports. Where
///          n_i is even and N / n_i odd, one block is left over that goes n_i / 2 hops in dimension
///          i and loads one direction more than the other. Nodes with even coordinate send it up,
///          those with odd coordinate down: it uses each direction at every other node, so that two
///          of its steps also carry a colour, from half of the nodes each.
/// Source:  this library, after the open problems of Dimakopoulos, section 7.1; D. Koenig 1916.
/// Differs: nothing to differ from.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

#include "algorithm/planned_algorithms.hpp"
#include "algorithm/total_exchange/factor_exchange.hpp"
#include "algorithm/total_exchange/product_exchange.hpp"
#include "core/edge_colouring.hpp"
#include "lockstep/core/mixed_radix.hpp"

namespace lockstep {
namespace {

/// Sizes of a torus, the most significant first; empty where it is none.
[[nodiscard]] std::vector<std::uint64_t> torus_sizes(const ErasedTopology& network) {
  std::vector<std::uint64_t> sizes;
  if (!network.symmetric() || network.node_count() < 4) return sizes;
  for (const ErasedTopology& factor : prime_factors(network)) {
    const std::uint64_t n = factor.node_count();
    const bool counts_up =
        n == 2 ? factor.symmetric() && factor.max_degree() == 1 : is_ring(factor);
    if (!counts_up) return {};
    sizes.push_back(n);
  }
  return sizes;
}

/// The one dimension with a block left over.
[[nodiscard]] std::optional<std::size_t> uneven(const std::vector<std::uint64_t>& sizes) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const bool others_odd = std::ranges::count_if(sizes, [](auto n) { return n % 2 == 0; }) == 1;
    if (sizes[i] % 2 == 0 && sizes[i] >= 4 && others_odd) return i;
  }
  return std::nullopt;
}

struct ColouredMove {
  std::uint32_t block;
  std::uint32_t direction;  // of dimension i: 2 i up, 2 i + 1 down
  std::uint32_t colour;
};

class Plan {
 public:
  Plan(const std::vector<std::uint64_t>& sizes, std::size_t odd_one)
      : radix_(sizes), odd_one_(odd_one), way_(radix_.size(odd_one) / 2) {
    colour();
  }

  [[nodiscard]] Transfers exchange() {
    Transfers exchange = all_one_class(radix_.count());
    for (std::uint64_t u = 0; u < radix_.count(); ++u)
      exchange.class_of[u] = static_cast<std::uint32_t>(radix_.digit(u, odd_one_) % 2);
    exchange.representatives = {0, static_cast<std::uint32_t>(radix_.stride(odd_one_))};
    exchange.steps = colours_ + way_ - way_ / 2;
    for (const std::uint32_t source : exchange.representatives) {
      add_left_over(exchange, source);
      std::vector<std::uint64_t> places(radix_.count(), source);
      for (const ColouredMove& move : moves_) {
        std::uint64_t& place = places[move.block];
        const std::uint64_t to = neighbor(place, move.direction);
        exchange.move(step_of(move, place), source, sum(source, move.block), place, to);
        place = to;
      }
    }
    return exchange;
  }

 private:
  [[nodiscard]] std::uint64_t left_over() const { return way_ * radix_.stride(odd_one_); }
  [[nodiscard]] std::uint64_t neighbor(std::uint64_t u, std::uint32_t direction) const {
    const std::size_t i = direction / 2;
    const std::uint64_t own = radix_.digit(u, i);
    const std::uint64_t to = own + (direction % 2 == 0 ? 1 : radix_.size(i) - 1);
    return u + (to % radix_.size(i) - own) * radix_.stride(i);  // modulo 2^64
  }
  [[nodiscard]] std::uint64_t sum(std::uint64_t u, std::uint64_t v) const {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < radix_.digits(); ++i)
      all += (radix_.digit(u, i) + radix_.digit(v, i)) % radix_.size(i) * radix_.stride(i);
    return all;
  }

  /// All other blocks: those half way round go up and down in turn.
  void colour() {
    std::vector<bool> down(radix_.digits());
    std::vector<std::uint32_t> blocks(radix_.count() - 1);
    std::iota(blocks.begin(), blocks.end(), 1U);
    const auto hops = [&](std::uint32_t block) {
      std::uint64_t all = 0;
      for (std::size_t i = 0; i < radix_.digits(); ++i)
        all += std::min(radix_.digit(block, i), radix_.size(i) - radix_.digit(block, i));
      return all;
    };
    std::ranges::stable_sort(blocks, [&](auto a, auto b) { return hops(a) > hops(b); });
    std::vector<BipartiteEdge> edges;
    for (const std::uint32_t block : blocks) {
      if (block == left_over()) continue;
      for (std::size_t i = 0; i < radix_.digits(); ++i) {
        const std::uint64_t size = radix_.size(i);
        const std::uint64_t up = radix_.digit(block, i);
        const bool half = 2 * up == size && size > 2;
        if (half) down[i] = !down[i];
        const bool goes_down = half ? !down[i] : 2 * up > size;
        const auto direction = static_cast<std::uint32_t>(2 * i + (goes_down ? 1 : 0));
        edges.insert(edges.end(), goes_down ? size - up : up, {block, direction});
      }
    }
    colours_ = colours_needed(edges);
    const std::vector<std::uint32_t> colours = edge_colouring(edges);
    for (std::size_t e = 0; e < edges.size(); ++e)
      moves_.push_back({edges[e].left, edges[e].right, colours[e]});
    std::ranges::stable_sort(moves_, {}, &ColouredMove::colour);
  }

  /// Colour m < way / 2 shares steps 2 m and 2 m + 1 with the block left over, which uses the way
  /// up of nodes of parity 0 in the one, of parity 1 in the other, and the way down of the others.
  [[nodiscard]] std::uint32_t step_of(const ColouredMove& move, std::uint64_t place) const {
    const auto way = static_cast<std::uint32_t>(way_);
    if (move.colour >= way / 2) return move.colour - way / 2 + way;
    if (move.direction / 2 != odd_one_) return 2 * move.colour;
    const std::uint32_t up_is_free_for_odd = radix_.digit(place, odd_one_) % 2 == 1 ? 0 : 1;
    return 2 * move.colour +
           (move.direction % 2 == 0 ? up_is_free_for_odd : 1 - up_is_free_for_odd);
  }

  void add_left_over(Transfers& exchange, std::uint32_t source) const {
    const bool down = radix_.digit(source, odd_one_) % 2 == 1;
    std::uint64_t place = source;
    for (std::uint32_t hop = 0; hop < way_; ++hop) {
      const std::uint64_t to =
          neighbor(place, static_cast<std::uint32_t>(2 * odd_one_ + (down ? 1 : 0)));
      exchange.move(hop, source, sum(source, left_over()), place, to);
      place = to;
    }
  }

  MixedRadix radix_;
  std::size_t odd_one_;
  std::uint64_t way_;  // hops of the block left over
  std::uint32_t colours_ = 0;
  std::vector<ColouredMove> moves_;
};

constexpr NetworkShape uneven_torus{
    .text = "torus or ring",
    .plural = "tori and rings",
    .clause = " with exactly one even side (at least 4)",
    .is = [](const ErasedTopology& network) { return uneven(torus_sizes(network)).has_value(); },
    .searched = true,
    .wider = &shapes::cayley_graph,
    .family = "torus, ring"};

/// Those of the two representatives.
[[nodiscard]] std::optional<std::uint64_t> hops_in(const ErasedTopology& torus) {
  std::uint64_t hops = 0;
  for (const std::uint64_t n : torus_sizes(torus))
    hops += 2 * (torus.node_count() / n) * (n * n / 4);
  return hops;
}
constexpr NetworkQuantity planned_hops{.name = "hop", .unit = " in the plan", .of = hops_in};

}  // namespace

const PlannedAlgorithm parity_colouring = {
    .info = {.name = "parity-colouring",
             .operation = Operation::total_exchange,
             .model = port_models::all_port,
             .source = "Lockstep; Koenig 1916, open shop with unit tasks",
             .costs = "largest ceil(N floor(n_i^2/4) / (2 n_i)), in start-ups and message times",
             .summary =
                 "edge colouring; sends the block for the opposite node up or down by parity"},
    .networks = uneven_torus.up_to_nodes(std::uint64_t{1} << 16U)
                    .with(at_most(planned_hops, most_planned_transfers)),
    .plan = [](const PlanRequest& asked) {
      const std::vector<std::uint64_t> sizes = torus_sizes(asked.network);
      check_planned_transfers("parity-colouring on " + asked.network.name(),
                              *hops_in(asked.network));
      return Plan(sizes, *uneven(sizes)).exchange();
    }};

}  // namespace lockstep
