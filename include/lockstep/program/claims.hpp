// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The quantity that an algorithm claims to need least of, and the schedules among which it is
/// least. `lockstep list algorithms` prints it, and tests/property/claim_laws_test.cpp holds it
/// against every other algorithm and the lower bounds.
///
///     Claims{.startups = Among::one_block}.text()
///         == "fewest start-ups among schedules of one block per message"

#include <cstdint>
#include <string>
#include <string_view>

#include "lockstep/program/settings.hpp"

namespace lockstep {

class ErasedTopology;

/// Schedules of one operation on one network, under the algorithm's port model. Each set contains
/// the next one.
enum class Among : std::uint8_t {
  none,       ///< nothing is claimed
  all,        ///< also those that divide blocks into parts
  undivided,  ///< those that keep blocks whole
  one_block   ///< those that keep blocks whole and send one block per message
};

struct Claims {
  Among startups = Among::none;       ///< no schedule of this set has fewer start-ups
  Among message_times = Among::none;  ///< no schedule of this set has fewer message times
  /// The networks on which the claims hold, such as "on fat trees", as the function decides; empty:
  /// every network that the algorithm runs on.
  std::string_view where{};
  bool (*holds)(const ErasedTopology& network, const Settings& settings) = nullptr;

  [[nodiscard]] constexpr bool any() const noexcept {
    return startups != Among::none || message_times != Among::none;
  }
  [[nodiscard]] bool hold_on(const ErasedTopology& network, const Settings& settings) const {
    return any() && (holds == nullptr || holds(network, settings));
  }
  /// Empty where nothing is claimed.
  [[nodiscard]] std::string text() const;
};

}  // namespace lockstep
