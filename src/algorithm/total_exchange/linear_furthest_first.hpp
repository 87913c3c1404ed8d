// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchange in the linear array L_n, both ways at once or in turn.
/// Model:   all-port, full-duplex (furthest-first); single-port, full-duplex (alternating).
/// Idea:    of what waits to go right a processor sends the message with the furthest destination,
///          of these the one from the smallest source; to the left the mirror image.
/// Source:  Dimakopoulos 1996, section 4.2. Single-port is this library's.
/// Differs: no processor looks at its queue: the step in which a message leaves is known. Counted
///          from 1, the message of k for n - d leaves processor j in step d j + k, for d = 0 in
///          step j - k + 1 (tests/papers/thesis_linear_array_test.cpp).
/// Program: not a schedule: it would list n^3 / 3 hops, while a run keeps 2 n^2 blocks. The list
///          would take about n times the memory of the run.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "algorithm/checks.hpp"
#include "algorithm/pipeline.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/mesh.hpp"
#include "program/largest_queue.hpp"

namespace lockstep {

class LinearExchangeProgram {
 public:
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count;

  LinearExchangeProgram(std::uint64_t n, Ports ports) : n_(n), in_turn_(ports == Ports::one) {}

  /// The regions of each direction: a slot of waiting blocks for every step of a round; the own
  /// block, in turn.
  [[nodiscard]] std::vector<std::uint32_t> regions() const {
    const auto waiting = static_cast<std::uint32_t>(n_);
    return {waiting, waiting, 2, 2};
  }
  [[nodiscard]] std::uint64_t step_count() const noexcept {
    const std::uint64_t last = n_ * n_ / 4;
    return in_turn_ ? 2 * last - (n_ % 2 == 0 ? 1 : 0) : last;
  }

  /// Empty where it takes longer than a moment to follow what leaves and what arrives.
  [[nodiscard]] std::optional<QueueFigures> largest_queue(std::uint64_t own_blocks) const {
    constexpr std::uint64_t followed_in_a_moment = 20'000'000;
    if (n_ * step_count() > followed_in_a_moment) return std::nullopt;
    QueueFigures largest{.blocks = own_blocks};
    for (std::uint64_t node = 1; node <= n_; ++node) {
      QueueFigures now = largest_at(node, own_blocks);
      largest = {std::max(largest.blocks, now.blocks), std::max(largest.foreign, now.foreign)};
    }
    return largest;
  }

  void operator()(auto& here) const {
    for (const Way way : {Way::right, Way::left}) {
      take(here, way);
      if (!here.last_call()) send(here, way);
    }
  }

 private:
  enum class Way : std::uint8_t { right, left };

  /// A message on its way: from the k-th processor to the d-th from the far end.
  struct Message {
    std::uint64_t k;
    std::uint64_t d;
  };

  /// Which step of the direction step t is, both from 1; 0: the direction has no turn.
  [[nodiscard]] std::uint64_t step_of(Way way, std::uint64_t t) const noexcept {
    if (!in_turn_) return t;
    if (n_ % 2 == 0 && t == step_count()) return n_ * n_ / 4;
    return t % 2 == (way == Way::right ? 1U : 0U) ? (t + 1) / 2 : 0;
  }
  /// From 1, in the direction of travel; the same turns it back.
  [[nodiscard]] std::uint64_t place(std::uint64_t node_from_1, Way way) const noexcept {
    return way == Way::right ? node_from_1 : n_ + 1 - node_from_1;
  }
  [[nodiscard]] NodeId node(std::uint64_t place_from_1, Way way) const noexcept {
    return NodeId{place(place_from_1, way) - 1};
  }
  /// Port 1 leads right, but at the left end there is no other.
  [[nodiscard]] static Port port_to(Way way, NodeId u) noexcept {
    return port(way == Way::right && u != NodeId{0} ? 1 : 0);
  }

  /// The message that processor j sends in step t, both from 1; nothing once j (n - j) messages
  /// have left.
  [[nodiscard]] std::optional<Message> leaving(std::uint64_t j, std::uint64_t t) const noexcept {
    if (j == 0 || t == 0 || t > j * (n_ - j)) return std::nullopt;
    const std::uint64_t d = (t - 1) / j;
    return Message{.k = d == 0 ? j - t + 1 : (t - 1) % j + 1, .d = d};
  }

  [[nodiscard]] QueueFigures largest_at(std::uint64_t node_from_1, std::uint64_t own_blocks) const {
    QueueFigures largest{.blocks = own_blocks};
    std::uint64_t own = own_blocks;
    std::uint64_t foreign = 0;
    for (std::uint64_t t = 1; t <= step_count(); ++t) {
      for (const Way way : {Way::right, Way::left}) {
        const std::uint64_t j = place(node_from_1, way);
        if (const auto sent = leaving(j, step_of(way, t))) --(sent->k == j ? own : foreign);
        const auto arrived = leaving(j - 1, step_of(way, t));
        foreign += arrived && arrived->d != n_ - j ? 1U : 0U;
      }
      largest = {std::max(largest.blocks, own + foreign), std::max(largest.foreign, foreign)};
    }
    return largest;
  }

  [[nodiscard]] static Region waiting(Way way) noexcept {
    return Region{static_cast<std::uint8_t>(way)};
  }
  [[nodiscard]] static Region own(Way way) noexcept {
    return Region{static_cast<std::uint8_t>(2 + static_cast<unsigned>(way))};
  }
  /// No message waits for n steps.
  [[nodiscard]] std::uint32_t slot_of_arrival(std::uint64_t t) const noexcept {
    return static_cast<std::uint32_t>(t % n_);
  }

  /// Takes the message that the predecessor sent in the step before.
  void take(auto& here, Way way) const {
    const std::uint64_t j = place(index(here.node()) + 1, way);
    const std::uint64_t sent_in = step_of(way, here.step());  // in the step before this one
    const std::optional<Message> message = leaving(j - 1, sent_in);
    if (!message) return;
    const auto arrival =
        here.take(port_to(way == Way::right ? Way::left : Way::right, here.node()));
    if (message->d == n_ - j)
      here.deliver(arrival, 0, node(message->k, way));
    else
      here.store(arrival, {waiting(way), slot_of_arrival(sent_in), 1});
  }

  void send(auto& here, Way way) const {
    const std::uint64_t j = place(index(here.node()) + 1, way);
    const std::uint64_t t = step_of(way, here.step() + 1);
    const std::optional<Message> message = leaving(j, t);
    if (!message) return;
    const auto [k, d] = *message;
    Blocks block{own(way), static_cast<std::uint32_t>(t % 2), 1};
    if (k == j)
      here.load(block.region, block.first, node(n_ - d, way));
    else  // it left my predecessor in its step d (j - 1) + k, or j - k
      block = {waiting(way), slot_of_arrival(d == 0 ? j - k : d * (j - 1) + k), 1};
    here.send(port_to(way, here.node()), block);
  }

  std::uint64_t n_;
  bool in_turn_;
};

template <Ports ports>
class LinearExchange final : public Algorithm {
  static constexpr bool all = ports == Ports::all;
  static constexpr std::string_view steps_by_formula =
      all ? "floor(N^2, 4)" : "(N^2 - 2 + N % 2)/2";

 public:
  using TopologyType = LinearArray;
  static constexpr AlgorithmInfo info{
      .name = all ? "furthest-first" : "alternating",
      .operation = Operation::total_exchange,
      .model = all ? port_models::all_port : port_models::single_port,
      .source = all ? "Dimakopoulos, section 4.2" : "Lockstep, after Dimakopoulos, section 4.2",
      .startups = steps_by_formula,
      .message_times = steps_by_formula,
      .claims = {.startups = Among::one_block, .message_times = Among::all},
      .summary =
          all ? "both directions at once, furthest destinations first; keeps the middle link busy"
              : "alternates directions step by step, furthest destinations first; the last steps "
                "of both coincide"};

  /// Throws InvalidParameter where a processor's blocks do not fit a region.
  explicit LinearExchange(const LinearArray& array, const Settings& = {}) : n_(array.node_count()) {
    check_count(info.name, array.name(), n_, "nodes");
  }

  [[nodiscard]] Footprint footprint() const override {
    return {.steps = steps(), .hops = n_ * (n_ * n_ - 1) / 3, .blocks_per_processor = 2 * n_ + 4};
  }
  [[nodiscard]] std::optional<std::uint64_t> own_blocks() const override { return n_ - 1; }
  [[nodiscard]] LinearExchangeProgram program() const { return {n_, ports}; }

 private:
  [[nodiscard]] std::uint64_t steps() const override { return program().step_count(); }

  std::uint64_t n_;
};

using LinearFurthestFirst = LinearExchange<Ports::all>;

}  // namespace lockstep
