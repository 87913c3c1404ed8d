// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The places of the blocks of a collective in two buffers of a user. One buffer holds all blocks
/// that are made, by all processors; the other one holds all that arrive. P processors, s origins:
///
///   operation                    in                        out
///   broadcast                    the root's block          [destination]: P blocks
///   scatter                      [destination]: P          [destination]: P
///   gather                       [origin]: P               [origin]: P
///   all-gather, many-to-all      [origin]: s               [destination][origin]: P s
///   total exchange, odd-distance exchange
///                                [origin][destination]     [destination][origin]: P P
///   multicast                    [origin]: s               one for each pair, as listed
///   partial exchange             one for each pair, as listed (Pattern::pairs), both
///   reduce                       [origin]: P               the result
///   all-reduce, scan             [origin]: P               [destination]: P
///   reduce-scatter               [origin][destination]     [destination]: P
///
/// A processor's block for itself is there from the start, as it is in MPI; what is not expected
/// has a place, too, and stays as it was.
///
///     const BufferLayout layout({Operation::all_gather}, 8);
///     layout.output_block(Origin{3}, NodeId{5}) == 43;     // in blocks

#include <cstdint>
#include <optional>

#include "lockstep/collective/collective.hpp"
#include "lockstep/core/ids.hpp"

namespace lockstep {

class BufferLayout {
 public:
  BufferLayout(const Collective& collective, std::uint64_t processors);

  [[nodiscard]] std::uint64_t input_blocks() const noexcept;
  [[nodiscard]] std::uint64_t output_blocks() const noexcept;
  // Empty where the collective has no such block.
  [[nodiscard]] std::optional<std::uint64_t> input_block(Origin origin,
                                                         NodeId destination) const noexcept;
  [[nodiscard]] std::optional<std::uint64_t> output_block(Origin origin,
                                                          NodeId destination) const noexcept;

 private:
  /// The number of a listed pair.
  [[nodiscard]] std::optional<std::uint64_t> listed(Origin origin,
                                                    NodeId destination) const noexcept;

  Collective collective_;
  std::uint64_t processors_;
  std::uint64_t origins_;
};

}  // namespace lockstep
