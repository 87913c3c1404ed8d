// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the results of a reduction have to be, where the operation is addition in a group, exact to
/// the last bit: of the 8-byte words of a block modulo 2^64, and of the bytes that are left modulo
/// 256. Contributions are the formula of collective/payload.hpp, so a result is a sum that anybody
/// computes. One that lacks a contribution, has one twice or a foreign one, has the right bytes
/// with probability 2^-(8 bytes): the error is that contribution, or a difference of two.
///
///     ReductionResults results({.collective = {Operation::all_reduce}, .processors = 5040});
///     results.matches(bytes, NodeId{7});
///
/// The sum of a reduce or all-reduce is computed once; of a scan every 64th running sum is kept;
/// the results of a reduce-scatter are summed up where they are asked for, P contributions each.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "lockstep/collective/collective.hpp"
#include "lockstep/collective/payload.hpp"

namespace lockstep {

/// into <- left + right for `blocks` blocks, as said above; `into` may be one of them.
void add_blocks(std::byte* into, const std::byte* left, const std::byte* right,
                std::size_t block_bytes, std::uint64_t blocks) noexcept;

class ReductionResults {
 public:
  struct Parameters {
    Collective collective;
    std::uint64_t processors = 0;
    std::size_t block_bytes = 8;
    std::uint64_t seed = 1;
    std::uint64_t parts_per_block = 1;  ///< that are added by themselves
  };

  /// Precondition: the collective is a reduction.
  explicit ReductionResults(const Parameters& parameters);

  /// Taken by construction.
  [[nodiscard]] static std::uint64_t bytes(const Parameters& parameters);

  /// Whether `bytes` is the result that `destination` expects. By any worker.
  [[nodiscard]] bool matches(const std::byte* bytes, NodeId destination);

 private:
  using Sum = std::vector<std::byte>;

  [[nodiscard]] static std::uint64_t padded_bytes(const Parameters& parameters);
  [[nodiscard]] static std::uint64_t kept_sums(const Parameters& parameters);
  void add_contributions(Sum& sum, std::uint64_t first, std::uint64_t last,
                         NodeId destination) const;
  void fill_kept();
  [[nodiscard]] Sum result_for(NodeId destination);

  static constexpr std::uint64_t apart = 64;  // running sums that are kept

  Parameters of_;
  Payload payload_;
  std::once_flag filled_;
  std::vector<std::byte> kept_;  // sums, one after the other
};

}  // namespace lockstep
