// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-reduces and scans of undivided blocks, or of few parts, in a line, which may be a dimension
/// of a product, and in products.
///
///     line_all_reduce(line, Ports::one);             // the best one known for this graph
///     all_reduce_by_dimensions(network, Ports::all, Rotated::yes);

#include "algorithm/by_dimensions.hpp"
#include "algorithm/pipeline.hpp"
#include "lockstep/collective/collective.hpp"
#include "lockstep/program/plan/transfers.hpp"

namespace lockstep {

/// Every contribution goes where the all-gather takes its block; every node adds them in the order
/// of the processors: all, or for a scan those before its own.
[[nodiscard]] Transfers gathered_and_added(const Transfers& all_gather, std::uint64_t processors,
                                           Operation operation);

/// A scan of a block in a part for each processor: this total exchange brings part j of all
/// contributions to processor j, which adds them up and sends the sums back the same way. Twice the
/// start-ups, 2/N times the message times.
[[nodiscard]] Transfers scan_by_exchange(const Transfers& total_exchange, std::uint64_t processors);

/// A complete graph, single-port, in ceil(log2 N) start-ups and message times: a node holds the sum
/// of the m nodes before it, and doubles m by the bits of N - 1 (Bar-Noy, Kipnis, Schieber 1993).
[[nodiscard]] Transfers census(std::uint64_t nodes);
/// An even cycle, single-port, N/2 start-ups and message times: neighbours add their blocks; then
/// each node passes on the sum that came last, over its two links in turn.
[[nodiscard]] Transfers pair_sums(std::uint64_t nodes);
/// A linear array: sums of those before go right, sums of those behind go left, part by part.
[[nodiscard]] Transfers two_sweeps(std::uint64_t nodes, std::uint32_t parts, Ports ports);

[[nodiscard]] Transfers line_all_reduce(const ErasedTopology& line, Ports ports);
[[nodiscard]] Transfers all_reduce_by_dimensions(const ErasedTopology& network, Ports ports,
                                                 Rotated rotated);

/// A scan, all-port, in as many start-ups as the diameter: the numbers up to r are added on their
/// shortest paths to r; equal sums go over an arc once.
[[nodiscard]] Transfers scan_over_shortest_paths(const ErasedTopology& network);

}  // namespace lockstep
