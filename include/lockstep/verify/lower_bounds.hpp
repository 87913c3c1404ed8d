// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What no algorithm can beat: start-ups and message times of a collective on a network, by port
/// model. The two bounds hold together.
///
///     lower_bound({Operation::total_exchange}, {120, 4, 6, 442}, port_models::single_port)
///         -> 7 start-ups, 442 message times      // the star graph on 5 symbols
///
/// Why they hold, for a node-symmetric network whose nodes are all processors and whose arcs carry
/// one message per step, with s sends and r receptions per node and step (at most the degree), c =
/// min(s, r):
///   start-ups       a block reaches a processor at distance d in d steps at the earliest; the
///                   processors that know of a source grow at most (1 + s)-fold in a step, the
///                   sources a processor knows of at most (1 + r)-fold. In a broadcast nobody
///                   need send where it received from, nor twice through a link: a processor
///                   informs at most degree - 1 others, the root degree of them. Where a node sends
///                   once in a step, the steps in which a block was passed on tell who has it: at
///                   most (t over l) processors have it after t steps over l links, so that sum
///                   over l >= d of (t over l) bounds how many of those d or more links away have
///                   it, for every d. How many a node receives from is of no matter there.
///   message times   in a step of messages of M blocks every node takes and gives up at most c M
///                   blocks, and at most degree/2 M on average where links are half-duplex. A total
///                   exchange moves every block over as many links as its destination is away, an
///                   all-gather brings every processor all blocks but its own, the root of a
///                   scatter sends all of them, that of a gather receives them. A start-up takes at
///                   least one message time.
///                   Where blocks are cut in parts, all this holds of the parts; the bound is said
///                   in blocks. Through the links between two sides of the network passes a block
///                   for every pair of processors, one on each side. Of the arcs of one factor of
///                   a product, or of some generators of a group, every pair needs a number that no
///                   other arcs take over: c messages a node and step, or as many as there are.
///   many-to-all     no node receives blocks faster than its ports let in: all but its own of the
///                   node that makes fewest. For start-ups a block is a broadcast.
///   wormhole        a message reaches any node in a step, and a link serves many in turn: of
///                   distances only the links that are held count, of start-ups only growth.
/// Reductions, where messages hold contributions or combinations of them:
///   start-ups       a reduce read backwards is a broadcast, sends and receptions changed places.
///   Of
///                   all others, of two processors one needs what the other contributes: the
///                   diameter. In an all-reduce and a reduce-scatter all need what all contribute;
///                   in a scan the last does, and what the first contributes goes to all: doubling.
///   message times   a contribution leaves its maker, a result is received: a block. In a
///                   reduce-scatter something leaves every processor for each of the others:
///                   backwards an all-gather. Of every block, or part of one, an all-reduce among P
///                   processors takes 2 (P - 1) messages, since one-way gossip takes as many
///                   (Harary, Schwenk 1974; Patarasuk, Yuan 2009).
///
/// Where nodes differ, every node by itself: the farthest from a source; what a node's own ports
/// take in or give up; all distances over all ports. Bounds of growth hold with the largest degree.
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

struct LowerBound {
  Cost least{};
  // Which of the reasons above gives them: "diameter", "doubling", "distances", ..
  std::string_view startups_by{};
  std::string_view message_times_by{};

  /// Of the numbers.
  friend bool operator==(const LowerBound& a, const LowerBound& b) noexcept {
    return a.least == b.least;
  }
};

/// What the bounds need to know of a node-symmetric network. They hold of any other network, too,
/// told its largest degree and no sum of distances; for a broadcast, the root's levels and the
/// distance of the node that is farthest from it.
struct NetworkFigures {
  std::uint64_t processors = 0;
  std::uint64_t degree = 0;
  std::uint64_t diameter = 0;      ///< 0: not known
  std::uint64_t distance_sum = 0;  ///< from one node to all others; 0: not known
  // Of an odd-distance exchange: among the nodes at odd distance.
  std::uint64_t parts_per_block = 1;  ///< that travel by themselves: finer message times
  /// Nodes at distance 0, 1, 2, .. from the root of a broadcast; empty: not known.
  std::vector<std::uint64_t> levels{};
  Cut cut{};                        ///< what a total exchange has to pass; without links: not known
  std::vector<ArcClass> classes{};  ///< of arcs that a total exchange has to use
};

/// Empty where no processor can be reached: several processors without links, or no port usable;
/// and of collectives by pairs.
[[nodiscard]] std::optional<LowerBound> lower_bound(const Collective& collective,
                                                    const NetworkFigures& network,
                                                    const PortModel& model);

/// The same for a network whose nodes differ, all of them processors. Empty for an odd-distance
/// exchange, too.
[[nodiscard]] std::optional<LowerBound> lower_bound(const Collective& collective,
                                                    const DistanceFigures& network,
                                                    std::uint64_t parts_per_block,
                                                    const PortModel& model);

/// The same among the algorithms whose messages hold at most so many blocks: the message times take
/// at least ceil(message_times / blocks) start-ups. Precondition: 1 <= largest_message_blocks.
[[nodiscard]] LowerBound with_messages_up_to(const LowerBound& bound,
                                             std::uint64_t largest_message_blocks);

}  // namespace lockstep
