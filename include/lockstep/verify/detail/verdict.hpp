// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The result of the proof of delivery (verify/delivery.hpp): plain data, for reports.

#include <cstdint>
#include <optional>
#include <string_view>

#include "lockstep/collective/pattern.hpp"
#include "lockstep/program/host.hpp"

namespace lockstep {

/// A block that a collective expects and that never came.
using MissingPair = BlockPair;

enum class VerifyKind : std::uint8_t { automatic, exact, digest, off };

[[nodiscard]] std::string_view name_of(VerifyKind kind) noexcept;

/// The smallest and largest number of blocks that a processor received, and the expected
/// number.
struct Received {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  std::uint64_t expected = 0;

  friend bool operator==(const Received&, const Received&) = default;
};

/// The judgement on a run's deliveries.
struct DeliveryVerdict {
  std::uint64_t expected = 0;
  DeliveryTally tally{};
  std::uint64_t missing = 0;
  std::optional<MissingPair> first_missing{};  ///< only the exact ledger can name it
  std::optional<Received>
      received{};       ///< set if blocks are missing and all processors expect equally many
  bool checked = true;  ///< false: verification was off, nothing is proved
  /// The number of combinations by a user's operator, whose results cannot be checked, and the
  /// number that every algorithm needs. In blocks.
  std::uint64_t combined = 0;
  std::uint64_t to_combine = 0;

  /// Every expected block exactly once, byte for byte (unchecked: the right number of blocks, and
  /// enough of them combined).
  [[nodiscard]] bool complete() const noexcept {
    if (!checked) return tally.delivered == expected && combined >= to_combine;
    return tally.verified == expected && tally.delivered == expected && missing == 0 &&
           tally.corrupted == 0 && tally.duplicated == 0;
  }
};

}  // namespace lockstep
