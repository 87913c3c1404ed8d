// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchange in the linear array L_n, both ways at once.
/// Model:   all-port, full-duplex.
/// Idea:    of what waits to go right a processor sends the message with the furthest destination,
///          of these the one from the smallest source; to the left the mirror image.
/// Cost:    floor(n^2 / 4) start-ups and message times: as many messages cross the middle link one
///          way, so no algorithm takes fewer.
/// Source:  Dimakopoulos, "Collective communication problems in multiprocessors" (thesis), section
///          4.2.
/// Differs: no processor looks at its queue: the step in which a message leaves is known. Counted
///          from 1, the message of k for n - d leaves processor j in step d j + k, for d = 0 in
///          step j - k + 1 (tests/papers/thesis_linear_array_test.cpp).
/// Program: not a schedule, since n^3 / 3 hops against 2 n^2 blocks: the list would be n times as
///          large as what a run takes.

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/mesh.hpp"

namespace lockstep {

class LinearFurthestFirst final : public Algorithm {
 public:
  using TopologyType = LinearArray;
  static constexpr AlgorithmInfo info{
      .name = "furthest-first",
      .operation = Operation::total_exchange,
      .model = port_models::all_port,
      .source = "Dimakopoulos, section 4.2",
      .costs = "floor(n^2/4) start-ups and message times: the lower bound",
      .summary =
          "both directions at once, furthest destinations first; keeps the middle link busy"};

  class Program {
   public:
    using Memory = NoMemory;
    static constexpr Activity activity = Activity::dense;

    explicit Program(std::uint64_t n) : n_(n) {}

    /// Of each direction: what waits, a slot for every step of a round; the own block, in turn.
    [[nodiscard]] std::vector<std::uint32_t> regions() const {
      const auto waiting = static_cast<std::uint32_t>(n_);
      return {waiting, waiting, 2, 2};
    }
    [[nodiscard]] std::uint64_t step_count() const noexcept { return n_ * n_ / 4; }

    template <class StepView>
    void operator()(StepView& here) const {
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

    /// What processor j sends in step t, both from 1; nothing once j (n - j) messages have left.
    [[nodiscard]] std::optional<Message> leaving(std::uint64_t j, std::uint64_t t) const noexcept {
      if (j == 0 || t == 0 || t > j * (n_ - j)) return std::nullopt;
      const std::uint64_t d = (t - 1) / j;
      return Message{.k = d == 0 ? j - t + 1 : (t - 1) % j + 1, .d = d};
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

    /// What my predecessor sent in the step before.
    template <class StepView>
    void take(StepView& here, Way way) const {
      const std::uint64_t j = place(index(here.node()) + 1, way);
      const std::uint64_t sent_in = here.step();  // from 1: the step before this one
      const std::optional<Message> message = leaving(j - 1, sent_in);
      if (!message) return;
      const auto arrival =
          here.take(port_to(way == Way::right ? Way::left : Way::right, here.node()));
      if (message->d == n_ - j)
        here.deliver(arrival, 0, node(message->k, way));
      else
        here.store(arrival, {waiting(way), slot_of_arrival(sent_in), 1});
    }

    template <class StepView>
    void send(StepView& here, Way way) const {
      const std::uint64_t j = place(index(here.node()) + 1, way);
      const std::uint64_t t = here.step() + 1;
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
  };

  /// Throws InvalidParameter where a processor's blocks do not fit a region.
  explicit LinearFurthestFirst(const LinearArray& array, const Settings& = {})
      : n_(array.node_count()) {
    if (n_ > max_region_blocks)
      throw InvalidParameter(fmt::format("furthest-first on {}: {} nodes; allowed: up to {}",
                                         array.name(), grouped(n_), grouped(max_region_blocks)));
  }

  [[nodiscard]] std::optional<Cost> promise() const override {
    return Cost{.startups = n_ * n_ / 4, .message_times = n_ * n_ / 4};
  }
  [[nodiscard]] Footprint footprint() const override {
    return {
        .steps = n_ * n_ / 4, .hops = n_ * (n_ * n_ - 1) / 3, .blocks_per_processor = 2 * n_ + 4};
  }
  [[nodiscard]] Program program() const { return Program(n_); }

 private:
  std::uint64_t n_;
};

}  // namespace lockstep
