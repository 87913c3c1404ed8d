// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The promise of a collective: which block must end at which processor. It is an operation, and a
/// pattern where the operation leaves something open (design, section 5).
///
///     const Collective exchange{Operation::total_exchange};
///     exchange.expects(source, destination)   // true for every ordered pair of two processors
///
/// Blocks are named by their origin. In all operations except many-to-all, origin i is processor i.
/// A block from a processor to itself crosses no link and is not counted.
///
/// Reductions combine the contributions with an associative operator, c0 o c1 o .. in the order of
/// the processors. A contribution is loaded like a block; in a reduce-scatter, it is loaded for the
/// processor of its result. Results are delivered and counted; the result of processor u is named
/// origin u.

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "lockstep/collective/pattern.hpp"
#include "lockstep/core/ids.hpp"

namespace lockstep {

/// Other names in the papers: all_gather = multinode broadcast, gossip, non-personalised all-to-all
/// broadcast; total_exchange = personalised all-to-all broadcast, all-to-all (MPI).
/// odd_distance_exchange: a total exchange among the pairs at odd distance, on bipartite networks.
/// many_to_all: s blocks, made anywhere, go to all processors (multinode broadcast with s sources).
/// multicast, partial_exchange: the pairs of the pattern, whatever they are (Pattern::pairs); a
/// block is the same for all its destinations, or another one for each (permutation routing,
/// h-relation, many-to-many).
/// scan: inclusive, result u is c0 o .. o cu.
enum class Operation : std::uint8_t {
  broadcast,
  scatter,
  gather,
  all_gather,
  total_exchange,
  odd_distance_exchange,
  many_to_all,
  multicast,
  partial_exchange,
  reduce,
  all_reduce,
  reduce_scatter,
  scan
};

[[nodiscard]] constexpr std::string_view name_of(Operation operation) noexcept {
  constexpr std::array<std::string_view, 13> names{
      "broadcast",   "scatter",        "gather",
      "all-gather",  "total-exchange", "odd-distance-exchange",
      "many-to-all", "multicast",      "partial-exchange",
      "reduce",      "all-reduce",     "reduce-scatter",
      "scan"};
  return names[index(operation)];
}

/// Whether it has one source or one sink; without one, every processor is both.
[[nodiscard]] constexpr bool has_root(Operation operation) noexcept {
  return operation == Operation::broadcast || operation == Operation::scatter ||
         operation == Operation::gather || operation == Operation::reduce;
}

/// Whether every processor has something for, or from, every other.
[[nodiscard]] constexpr bool is_all_to_all(Operation operation) noexcept {
  return operation == Operation::all_gather || operation == Operation::total_exchange ||
         operation == Operation::odd_distance_exchange || operation == Operation::many_to_all ||
         operation == Operation::reduce_scatter;
}

/// Whether it combines blocks.
[[nodiscard]] constexpr bool is_reduction(Operation operation) noexcept {
  return operation == Operation::reduce || operation == Operation::all_reduce ||
         operation == Operation::reduce_scatter || operation == Operation::scan;
}

/// Says which block each processor expects. It is queried for every delivery and therefore a small
/// value. The collective must outlive it.
struct Expectation {
  Operation operation{};
  NodeId root{};
  std::uint64_t origins = 0;
  const Bipartition* classes = nullptr;
  const NodeId* homes = nullptr;
  const PairList* pairs = nullptr;

  /// Whether the block of `origin` must end at `destination`, which is a processor.
  [[nodiscard]] bool operator()(Origin origin, NodeId destination) const noexcept {
    if (index(origin) >= origins) return false;
    switch (operation) {
      case Operation::broadcast:
      case Operation::scatter:
        return index(origin) == index(root) && destination != root;
      case Operation::gather:
        return destination == root && index(origin) != index(root);
      case Operation::all_gather:
      case Operation::total_exchange:
        return index(origin) != index(destination);
      case Operation::odd_distance_exchange:
        return classes != nullptr &&
               classes->is_odd(NodeId{index(origin)}) != classes->is_odd(destination);
      case Operation::many_to_all:
        return homes != nullptr && homes[index(origin)] != destination;
      case Operation::multicast:
      case Operation::partial_exchange:
        return pairs != nullptr && pairs->find(origin, destination).has_value();
      case Operation::reduce:
        return destination == root && index(origin) == index(root);
      case Operation::all_reduce:
      case Operation::reduce_scatter:
      case Operation::scan:
        return index(origin) == index(destination);
    }
    return false;
  }
};

struct Collective {
  Operation operation = Operation::total_exchange;
  NodeId root{0};  ///< root of broadcast, scatter, gather and reduce; unused otherwise
  /// Required by operations with needs_pattern(), which expect nothing without it.
  Pattern pattern{};

  /// Whether a block differs from destination to destination.
  [[nodiscard]] constexpr bool personalised() const noexcept {
    return operation == Operation::scatter || operation == Operation::gather ||
           operation == Operation::total_exchange || is_by_classes() ||
           operation == Operation::partial_exchange || operation == Operation::reduce_scatter;
  }

  /// Whether the operation alone does not define which blocks are expected where.
  [[nodiscard]] constexpr bool needs_pattern() const noexcept {
    return is_by_classes() || operation == Operation::many_to_all || is_by_pairs();
  }

  /// Whether the pattern lists the expected pairs.
  [[nodiscard]] constexpr bool is_by_pairs() const noexcept {
    return operation == Operation::multicast || operation == Operation::partial_exchange;
  }

  /// Whether only pairs at odd distance exchange blocks: a property of the network.
  [[nodiscard]] constexpr bool is_by_classes() const noexcept {
    return operation == Operation::odd_distance_exchange;
  }
  /// With the pattern that the network gives it, where it goes by classes and has none. Throws
  /// InvalidParameter where the network has no such classes.
  template <Topology T>
  [[nodiscard]] Collective on(const T& network) const {
    if (!is_by_classes() || pattern.classes() != nullptr) return *this;
    return {operation, root, Pattern::odd_distance(network)};
  }

  /// Whether a destination expects blocks of every origin (otherwise one block: block_for()).
  [[nodiscard]] constexpr bool every_source() const noexcept {
    return operation != Operation::broadcast && operation != Operation::scatter &&
           !is_reduction(operation);
  }
  /// The only block that `destination` may expect. Precondition: !every_source().
  [[nodiscard]] constexpr Origin block_for(NodeId destination) const noexcept {
    return is_reduction(operation) ? destination : root;
  }

  /// Whether every processor is a destination (otherwise the root alone is).
  [[nodiscard]] constexpr bool every_destination() const noexcept {
    return operation != Operation::gather && operation != Operation::reduce;
  }

  /// Null where the operation goes by none.
  [[nodiscard]] const PairList* pairs() const noexcept {
    return is_by_pairs() ? pattern.pairs() : nullptr;
  }

  [[nodiscard]] Expectation expectation(std::uint64_t processors) const noexcept {
    return {operation,
            root,
            pattern.origins(processors),
            pattern.classes(),
            pattern.homes() == nullptr ? nullptr : pattern.homes()->data(),
            pairs()};
  }
  /// Whether the block of `origin`, which there is, must end at `destination`.
  [[nodiscard]] bool expects(Origin origin, NodeId destination) const noexcept {
    return expectation(std::numeric_limits<std::uint64_t>::max())(origin, destination);
  }

  /// Counts the processors of one class of an odd-distance exchange.
  [[nodiscard]] std::uint64_t odd_processors(std::uint64_t processors) const noexcept {
    return pattern.classes() == nullptr ? processors / 2 : pattern.classes()->odd_among(processors);
  }
  /// Blocks that must be delivered among `processors` processors; of an odd-distance exchange
  /// without a pattern in a regular network, whose two classes are of equal size. 2^64 - 1 where
  /// there are more.
  [[nodiscard]] std::uint64_t deliveries(std::uint64_t processors) const noexcept {
    constexpr std::uint64_t whose_square_fits = std::uint64_t{1} << 32U;
    if (processors == 0) return 0;
    if (is_by_pairs()) return pairs() == nullptr ? 0 : pairs()->size();
    if (is_reduction(operation)) return every_destination() ? processors : 1;
    if (operation == Operation::many_to_all)
      return pattern.homes() == nullptr ? 0 : pattern.homes()->size() * (processors - 1);
    if (every_source() && every_destination() && processors > whose_square_fits)
      return std::numeric_limits<std::uint64_t>::max();
    if (is_by_classes()) {
      const std::uint64_t odd = odd_processors(processors);
      return 2 * odd * (processors - odd);
    }
    return every_source() && every_destination() ? processors * (processors - 1) : processors - 1;
  }
};

/// Throws InvalidParameter if the root, or the source or destination of a block, is not one of the
/// processors.
void check_collective(const Collective& collective, std::uint64_t processors);

}  // namespace lockstep
