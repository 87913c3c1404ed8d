// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Lower bounds of a collective on a network, by port model: the start-ups and message times that
/// no algorithm can beat. Both hold at once, so that startups t_s + message_times t_m bounds the
/// time.
///
///     lower_bound({Operation::total_exchange}, {120, 4, 6, 442}, port_models::single_port)
///         -> 7 start-ups, 442 message times      // the star graph on 5 symbols
///
/// There are two bounds. The first holds for every algorithm: blocks may be cut into any number of
/// parts that travel separately. The second, `undivided`, holds only for algorithms that keep
/// blocks whole. There a message holds a whole number of blocks: message times are rounded up, and
/// are at least the start-ups. With parts, a start-up may take any fraction of a message time.
/// Neither bound depends on an algorithm or on the size of blocks.
///
/// Notation: P processors without switches; a node of degree d sends at most s and receives at most
/// r messages per step, both at most d; c = min(s, r). In a step whose largest message is M blocks
/// a node sends at most s M and receives at most r M blocks, and all links together carry at most
/// M blocks per direction that they allow. This volume argument holds for parts of any size.
///   start-ups       One part of one block reaches distance d in d steps at the earliest. The
///                   processors that hold a part of a source grow at most (1 + s)-fold per step;
///                   the sources of which a processor holds a part grow at most (1 + r)-fold. In a
///                   broadcast a processor informs at most degree - 1 others, the root degree. With
///                   one send per step, at most (t over l) processors at l links have a part after
///                   t steps: for every d, the sum over l >= d bounds how many are d or more away.
///                   Parts change nothing here: each argument is about a single part.
///   message times   Volume through a node's ports: a total exchange and the root of a scatter send
///                   P - 1 blocks, an all-gather and the root of a gather receive P - 1, all others
///                   send or receive at least one. Where links are half-duplex, the sum of both
///                   passes the node's links. Volume through all ports or all links: every block
///                   uses as many links as its destination is away. A cut: a block per pair of
///                   processors on its two sides. Arc classes: of the arcs of one factor of a
///                   product, or of some generators of a group, every pair needs a number that no
///                   other arcs replace.
///                   A scan: sums that have to cross a cut (verify/scan_cut.hpp).
///   many-to-all     A processor receives all blocks but its own. For start-ups, a block is a
///                   broadcast from its home.
///   wormhole        A message reaches any node in one step and passes nodes without using their
///                   sends: of distances only the links that are held count, of start-ups only
///                   growth.
///   start-ups that save message times (broadcast, reduce, all-reduce, scan)
///                   What a processor sent up to step s has reached at most R(j) others if it was
///                   sent j - 1 steps before: R(j) processors are within j links, and at most
///                   (1 + s)^j - 1. Later steps bring the rest of the block. With l_i the largest
///                   message of step i and c messages per step at a processor, the other P - 1
///                   processors miss l_(s-j+1) (1 - R(j)/(P - 1)) on average, summed over j, of
///                   the sum of all l_i: block/c <= sum l_i - sum_j w_j l_(s-j+1) for every s,
///                   with w_j = 1 - R(j)/(P - 1). The mean over s gives the bound of LatencyBound.
///                   It counts what messages say of the block, so that sums may carry it, too.
/// Operations that contain a broadcast (scatter, all-gather, total exchange, all-reduce, scan): if
/// messages carry nothing but what comes from one processor, what is left is a broadcast, so that
/// its start-ups are a bound.
/// Mirror operations: read backwards in time, with every message going the other way, a gather is a
/// scatter, and sends and receptions of the port model are exchanged. In the same way a reduce is a
/// broadcast and a reduce-scatter an all-gather: the messages through which a contribution reaches
/// its result lead, backwards, from the node of the result to that of the contribution, and where
/// two contributions were combined one block is copied. Nodes that combine, switches as well as
/// processors, become nodes that copy. Hence these three have the bounds of their mirrors.
/// Other reductions, where messages hold contributions or combinations of them:
///   start-ups       In an all-reduce all need what all contribute: diameter and doubling. In a
///                   scan the last needs all contributions, and all others need the first.
///   message times   A contribution leaves its processor, a result arrives: one block. Every part
///                   of a block takes 2 (P - 1) messages in an all-reduce, as one-way gossip does
///                   (Harary, Schwenk 1974; Patarasuk, Yuan 2009), if processors alone combine.
/// Switches send, receive, copy, store and combine as processors do, under the same port model. In
/// networks that have some, only the arguments about growth, distances and the ports of one
/// processor hold, not those about the ports of all processors together.
///
/// Where nodes differ: the largest eccentricity that matters, the smallest degree for what every
/// node has to send or receive, the largest degree for growth, and sums over all nodes.
/// Source: derived; for the single-port star graph n! l(n,1), n! - 1 and ceil(log2 n!); broadcast
/// by all distances: Dimakopoulos, Theorem 3.3 (not its closed form, Corollary 3.4, which is
/// weaker); total exchange through a cut: section 4.1.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "lockstep/collective/collective.hpp"
#include "lockstep/program/cost.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep {

/// Message times grow where start-ups are few: what a part brings reaches the last processor
/// several steps behind the first. S steps take at least times / (1 - windows / (S + last - 1))
/// message times.
struct LatencyBound {
  Fraction times{};        ///< of a block through the ports of one processor
  Fraction windows{};      ///< shares of processors not reached after 1, 2, .. steps, summed
  std::uint64_t last = 0;  ///< how many of these shares are not 0; none: no such bound

  /// Precondition: 1 <= steps.
  [[nodiscard]] double message_times(std::uint64_t steps) const noexcept;
};

struct LowerBound {
  Cost least{};      ///< of every algorithm
  Cost undivided{};  ///< of algorithms that keep blocks whole; at least `least`
  // Which of the reasons above gives them: "diameter", "doubling", "distances", ..
  std::string_view startups_by{};  ///< the same of both
  std::string_view message_times_by{};
  std::string_view undivided_by{};  ///< the message times of `undivided`
  LatencyBound latency{};           ///< of `least`, where one block reaches all processors

  /// The bound of algorithms that cut each block into so many parts.
  [[nodiscard]] const Cost& of(std::uint64_t parts_per_block) const noexcept {
    return parts_per_block == 1 ? undivided : least;
  }

  /// Equal numbers.
  friend bool operator==(const LowerBound& a, const LowerBound& b) noexcept {
    return a.least == b.least && a.undivided == b.undivided;
  }
};

/// The inputs of the bounds on a node-symmetric network. They also hold for any other network,
/// given its largest degree and no sum of distances; for an operation with a root, given the root's
/// levels and the distance of the node that is farthest from it.
struct BoundInputs {
  std::uint64_t processors = 0;
  std::uint64_t degree = 0;
  std::uint64_t diameter = 0;  ///< 0: not known
  /// From one node to all others; of an odd-distance exchange, to the nodes at odd distance. 0: not
  /// known.
  std::uint64_t distance_sum = 0;
  /// Nodes at distance 0, 1, 2, .. from the root of a broadcast; empty: not known.
  std::vector<std::uint64_t> levels{};
  Cut cut{};                        ///< what a total exchange has to pass; without links: not known
  std::vector<ArcClass> classes{};  ///< of arcs that a total exchange has to use
  // Figures of networks whose nodes differ; 0: not known.
  std::uint64_t least_degree = 0;
  std::uint64_t root_degree = 0;
  std::uint64_t arcs = 0;            ///< sum of the degrees
  std::uint64_t pair_distances = 0;  ///< sum of `distance_sum` over all nodes
  /// Whether nodes besides the processors send and receive. The least degree and the root's are
  /// those of processors, `degree` is that of any node.
  bool has_switches = false;
};

/// The operation whose schedules are those of this one, read backwards. It has the same bounds
/// under the mirrored port model. Empty where there are bounds for the given operation itself.
[[nodiscard]] std::optional<Collective> mirror_with_bounds(const Collective& collective);
/// With sends and receptions exchanged.
[[nodiscard]] PortModel mirrored(PortModel model);

/// The inputs of the bounds on a network whose nodes differ, all of them processors. Sums of
/// distances of an odd-distance exchange are not known.
[[nodiscard]] BoundInputs bound_inputs(const Collective& collective,
                                       const DistanceFigures& network);

/// Empty where no processor can be reached: several processors without links, or no port usable;
/// and of collectives by pairs.
[[nodiscard]] std::optional<LowerBound> lower_bound(const Collective& collective,
                                                    const BoundInputs& network,
                                                    const PortModel& model);

/// The same for a network whose nodes differ, all of them processors. Empty for an odd-distance
/// exchange without its pattern, too.
[[nodiscard]] std::optional<LowerBound> lower_bound(const Collective& collective,
                                                    const DistanceFigures& network,
                                                    const PortModel& model);

/// The same among the algorithms whose messages hold at most so many blocks: the message times take
/// at least ceil(message_times / blocks) start-ups. Precondition: 1 <= largest_message_blocks.
[[nodiscard]] LowerBound with_messages_up_to(const LowerBound& bound,
                                             std::uint64_t largest_message_blocks);

}  // namespace lockstep
