// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchange in any Cayley graph, one message per processor and step.
/// Model:   single-port, full-duplex.
/// Idea:    every processor keeps a queue and sends the same relative block through the same port
///          in every step, along a shortest route (the first port that lies on one); what arrives
///          at its destination is consumed, the rest joins the queue.
/// Cost:    s start-ups and s message times, s = status = sum of the distances from a node; no
///          algorithm takes fewer, whatever the queue discipline.
/// Source:  Dimakopoulos, "Collective communication problems in multiprocessors" (thesis), section
///          4.4: Fig. 4.5 and Theorem 4.11; disciplines of section 4.3.1.
/// Differs: message shift, which the thesis has for rings with a queue per direction, is used with
///          the one queue of single-port; e-cube routes of Fig. 4.6 correct dimension 0 first
///          (tests/papers/thesis_total_exchange_test.cpp).
///
/// Disciplines, which block of the queue leaves next (Definition 4.3: the same for all processors):
///
///     fifo            the one that joined first; at first the one for the node of the highest
///                     number (as numbers the group: v_{n-1} is at the head, then v_{n-2}, ...)
///     furthest-first  whose destination is furthest; of these the one that has come furthest, then
///                     as they joined
///     closest-first   whose destination is closest; ties as before
///     message-shift   fifo, but ordered furthest first at the start (section 4.3.2): the queue
///                     shifts through the network without ever being sorted again
///
/// All of them begin with the N - 1 blocks of a processor and take as many steps. They differ in
/// the blocks of others that wait: at most one by closest-first, as a block that is on its way is
/// the closest; nearly N by the others (tests/papers/thesis_total_exchange_test.cpp). Closest-first
/// is the default, as it needs the least memory and is the fastest: star:7 takes 16 MiB instead of
/// 210.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "topology/relative_routes.hpp"

namespace lockstep {

/// Which of the waiting blocks a processor sends next.
enum class QueueDiscipline : std::uint8_t { fifo, furthest_first, closest_first, message_shift };

inline constexpr std::array all_queue_disciplines{
    QueueDiscipline::fifo, QueueDiscipline::furthest_first, QueueDiscipline::closest_first,
    QueueDiscipline::message_shift};

/// In the order of the enumeration.
inline constexpr std::array<std::string_view, 4> queue_discipline_names{
    "fifo", "furthest-first", "closest-first", "message-shift"};

[[nodiscard]] constexpr std::string_view name_of(QueueDiscipline discipline) noexcept {
  return queue_discipline_names[static_cast<std::size_t>(discipline)];
}

/// Throws InvalidParameter where there is none of that name.
[[nodiscard]] QueueDiscipline queue_discipline(std::string_view name);

/// Of every algorithm that has queues.
[[nodiscard]] constexpr Parameter discipline_parameter(QueueDiscipline fallback) noexcept {
  return {.name = "discipline",
          .kind = Parameter::Kind::word,
          .placeholder = "NAME",
          .meaning =
              "Queue discipline: fifo, furthest-first, closest-first or message-shift (default: "
              "fifo for algorithms queues and queues-in-turn, message-shift for both-ways, else "
              "closest-first)",
          .noun = "queue discipline",
          .phrase = ", {}",
          .words = queue_discipline_names,
          .fallback = name_of(fallback)};
}

/// What one processor sends in a step: the block for `destination`, as its source sees it, which
/// has come as far as from `rest` on, as the processor sees it.
struct NodeInvariantSend {
  NodeId destination;
  NodeId rest;
  Port through;
};

/// Of all steps.
[[nodiscard]] std::vector<NodeInvariantSend> node_invariant_sends(const RelativeRoutes& routes,
                                                                  QueueDiscipline discipline);

class NodeInvariantExchange final : public Algorithm {
 public:
  using TopologyType = AnyCayley;
  static constexpr std::array parameters{discipline_parameter(QueueDiscipline::closest_first)};
  static constexpr AlgorithmInfo info{
      .name = "node-invariant",
      .operation = Operation::total_exchange,
      .model = port_models::single_port,
      .source = "Dimakopoulos, section 4.4 (Fig. 4.5, Theorem 4.11)",
      .costs = "D start-ups and message times",
      .claims = {.startups = Among::one_block, .message_times = Among::all},
      .summary = "keeps one queue per processor and uses shortest routes; steps = sum of distances",
      .parameters = parameters};

  /// Throws InvalidParameter where a processor's blocks do not fit a region.
  NodeInvariantExchange(const AnyCayley& group, const Settings& settings);

  [[nodiscard]] std::optional<Cost> promise() const override {
    return Cost{.startups = routes_->status(), .message_times = routes_->status()};
  }

  /// Queues of more steps than can be followed in a moment are taken to be as large as they can be.
  [[nodiscard]] Footprint footprint() const override;

  /// Every step is one send; status() steps. O(status log nodes).
  [[nodiscard]] NodeInvariantProgram program() const;

  [[nodiscard]] std::uint64_t planning_bytes() const override;

  /// What waits in a processor before the first step; the largest queue is reported.
  [[nodiscard]] std::optional<std::uint64_t> own_blocks() const override {
    return group_.node_count() - 1;
  }

 private:
  AnyCayley group_;
  QueueDiscipline discipline_;
  std::shared_ptr<const RelativeRoutes> routes_;
};

}  // namespace lockstep
