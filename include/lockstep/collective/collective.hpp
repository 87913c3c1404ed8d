// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What a collective operation promises: which block must end at which processor.
///
///     const Collective exchange{Operation::total_exchange};
///     exchange.expects(source, destination)   // true for every ordered pair of two processors
///
/// A processor's block for itself never crosses a link and is not counted.

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/bipartition.hpp"

namespace lockstep {

/// Other names in the papers: all_gather = multinode broadcast, gossip, non-personalised all-to-all
/// broadcast; total_exchange = personalised all-to-all broadcast, all-to-all (MPI).
/// odd_distance_exchange: a total exchange among the pairs at odd distance, on bipartite networks.
enum class Operation : std::uint8_t {
  broadcast,
  scatter,
  gather,
  all_gather,
  total_exchange,
  odd_distance_exchange
};

[[nodiscard]] constexpr std::string_view name_of(Operation operation) noexcept {
  constexpr std::array<std::string_view, 6> names{
      "broadcast", "scatter", "gather", "all-gather", "total-exchange", "odd-distance-exchange"};
  return names[index(operation)];
}

/// Whether it has one source or one sink; without one, every processor is both.
[[nodiscard]] constexpr bool has_root(Operation operation) noexcept {
  return operation == Operation::broadcast || operation == Operation::scatter ||
         operation == Operation::gather;
}

struct Collective {
  Operation operation = Operation::total_exchange;
  NodeId root{0};  ///< of broadcast, scatter and gather; otherwise without meaning
  const Bipartition* classes = nullptr;  ///< of an odd-distance exchange, which without them
                                         ///< expects nothing; outlives this

  /// Whether a block differs from destination to destination.
  [[nodiscard]] constexpr bool personalised() const noexcept {
    return operation != Operation::broadcast && operation != Operation::all_gather;
  }

  /// Whether every processor is a source (otherwise the root alone is).
  [[nodiscard]] constexpr bool every_source() const noexcept {
    return operation != Operation::broadcast && operation != Operation::scatter;
  }

  /// Whether every processor is a destination (otherwise the root alone is).
  [[nodiscard]] constexpr bool every_destination() const noexcept {
    return operation != Operation::gather;
  }

  /// Whether the block of `source` must end at `destination`.
  [[nodiscard]] constexpr bool expects(NodeId source, NodeId destination) const noexcept {
    return source != destination && (every_source() || source == root) &&
           (every_destination() || destination == root) &&
           (operation != Operation::odd_distance_exchange ||
            (classes != nullptr && classes->is_odd(source) != classes->is_odd(destination)));
  }

  /// Blocks that must be delivered among `processors` processors; of an odd-distance exchange in a
  /// regular network, whose two classes are of equal size. 2^64 - 1 where there are more.
  [[nodiscard]] constexpr std::uint64_t deliveries(std::uint64_t processors) const noexcept {
    constexpr std::uint64_t whose_square_fits = std::uint64_t{1} << 32U;
    if (processors == 0) return 0;
    if (every_source() && every_destination() && processors > whose_square_fits)
      return std::numeric_limits<std::uint64_t>::max();
    if (operation == Operation::odd_distance_exchange) return processors / 2 * processors;
    return every_source() && every_destination() ? processors * (processors - 1) : processors - 1;
  }
};

}  // namespace lockstep
