// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchange in any commutative Cayley graph, through all ports at once.
/// Model:   all-port, full-duplex; all-port, half-duplex links.
/// Idea:    the hops of a block may be made in any order, so that its way is a job with a unit of
///          work on each of its ports; an edge colouring of jobs against ports is the timetable.
/// Cost:    L start-ups and L message times, L = what the busiest port has to send, or the longest
///          route. Eisenstein-Jacobi networks of alpha = D + (D + 1) rho in n dimensions:
///          L = N^(n-1) D (D + 1) (2 D + 1) / 6; half-duplex 2 L. No algorithm takes fewer.
/// Source:  derived: an open shop of unit tasks; D. Koenig 1916 on bipartite multigraphs.
/// Differs: from a plain choice among shortest routes: it is the choice that keeps the busiest
///          port's load least, and where none is even, some are a hop longer (balanced_routes.hpp;
///          tests/papers/ej_total_exchange_test.cpp).
///
/// On half-duplex links a port and the one that leads back are one machine: in a step all
/// processors use the one or all use the other, and a link carries one direction. A generator that
/// is its own inverse is no such pair; graphs that have one are left out, and those of more than
/// 1024 ports.

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "algorithm/checks.hpp"
#include "algorithm/total_exchange/balanced_routes.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/topology/any_cayley.hpp"

namespace lockstep {

/// Routes made into a timetable: blocks are jobs, ports are machines, every hop is a unit of work,
/// and an edge colouring says which of them are done in which step: in every step each machine has
/// at most one block to send, and each block is sent at most once.
[[nodiscard]] NodeInvariantSchedule coloured_schedule(const AnyCayley& group,
                                                      const BalancedRoutes& routes);

/// A hop of one processor's block in that timetable. The block is named by its destination as its
/// source sees it.
struct ColouredHop {
  std::uint32_t block = 0;
  Port through{};
  std::uint32_t step = 0;
};

/// All of them, in the order of the steps.
[[nodiscard]] std::vector<ColouredHop> coloured_timetable(const BalancedRoutes& routes);

/// Its steps.
[[nodiscard]] std::uint64_t coloured_steps(const BalancedRoutes& routes);
/// Most bytes held while it is made.
[[nodiscard]] std::uint64_t coloured_planning_bytes(const BalancedRoutes& routes);

template <Duplex duplex>
class EdgeColouringExchange final : public Algorithm {
  static constexpr bool full = duplex == Duplex::full;

 public:
  using TopologyType = AnyCayley;
  static constexpr AlgorithmInfo info{
      .name = full ? "edge-colouring" : "edge-colouring-half-duplex",
      .operation = Operation::total_exchange,
      .model = full ? port_models::all_port : port_models::all_port_half_duplex,
      .source = "Koenig 1916, open shop with unit tasks",
      .costs = "load of the busiest port, in start-ups and message times",
      .summary =
          full ? "colours hops in any order, all ports at once; steps = load of the busiest port"
               : "edge colouring, with each port and its reverse alternating"};

  /// Of more ports it would take long to find out whether they commute.
  static constexpr std::size_t most_ports = 1024;

  [[nodiscard]] static bool admits(const AnyCayley& group) {
    return group.max_degree() <= most_ports && is_commutative(group) &&
           (full || !has_self_inverse_generator(group));
  }

  /// Throws InvalidParameter where a processor's blocks do not fit a region, or there are more hops
  /// than can be planned. O(nodes * ports).
  EdgeColouringExchange(const AnyCayley& group, const Settings&) : group_(group) {
    check_count(info.name, group.name(), group.node_count(), "nodes", max_region_blocks - 1);
    routes_ = std::make_shared<const BalancedRoutes>(group, duplex);
    if (routes_->hops() > most_hops)
      throw InvalidParameter(
          fmt::format("{} on {}: the blocks of a processor make {} hops; allowed: up to {}",
                      info.name, group.name(), routes_->hops(), most_hops));
  }

  [[nodiscard]] std::optional<Cost> promise() const override {
    const std::uint64_t steps = coloured_steps(*routes_);
    return Cost{.startups = steps, .message_times = steps};
  }

  /// Memory of more hops than can be coloured in a moment is taken to be as much as it can be.
  [[nodiscard]] Footprint footprint() const override {
    constexpr std::uint64_t coloured_in_a_moment = 2'000'000;
    const std::uint64_t nodes = group_.node_count();
    const std::uint64_t steps = coloured_steps(*routes_);
    const std::uint64_t most_slots = nodes + 2 * group_.max_degree();
    return {.steps = steps,
            .hops = routes_->hops() * nodes,
            .blocks_per_processor = routes_->hops() <= coloured_in_a_moment
                                        ? plan_.look([this] { return plan(); }).regions().front()
                                        : most_slots,
            .plan_bytes = (2 * routes_->hops() + nodes - 1) * sizeof(Action) +
                          (steps + 1) * sizeof(std::uint64_t) + 2 * nodes * sizeof(NodeId) +
                          group_.translation_bytes(2 * nodes)};
  }

  [[nodiscard]] NodeInvariantProgram program() const {
    return {group_, plan_.take([this] { return plan(); })};
  }

  [[nodiscard]] std::uint64_t planning_bytes() const override {
    return coloured_planning_bytes(*routes_);
  }

  /// What waits in a processor before the first step; the largest queue is reported.
  [[nodiscard]] std::optional<std::uint64_t> own_blocks() const override {
    return group_.node_count() - 1;
  }

 private:
  static constexpr std::uint64_t most_hops = 100'000'000;

  [[nodiscard]] NodeInvariantSchedule plan() const { return coloured_schedule(group_, *routes_); }

  AnyCayley group_;
  std::shared_ptr<const BalancedRoutes> routes_;
  KeptPlan<NodeInvariantSchedule> plan_;
};

}  // namespace lockstep
