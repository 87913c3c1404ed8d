// SPDX-License-Identifier: Apache-2.0
#pragma once

/// 64-bit FNV-1a, the digest of golden tables and of what runs deliver.

#include <cstdint>

namespace lockstep::reference {

class Fnv1a {
 public:
  void byte(std::uint64_t value) noexcept {
    state_ = (state_ ^ (value & 0xFFU)) * 0x100'0000'01B3U;
  }
  void little_endian_32(std::uint64_t value) noexcept {
    for (unsigned shift = 0; shift < 32; shift += 8) byte(value >> shift);
  }
  [[nodiscard]] std::uint64_t value() const noexcept { return state_; }

 private:
  std::uint64_t state_ = 0xCBF2'9CE4'8422'2325U;
};

}  // namespace lockstep::reference
