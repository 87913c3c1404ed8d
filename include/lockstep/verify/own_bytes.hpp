// SPDX-License-Identifier: Apache-2.0
#pragma once

/// OwnBytes: blocks whose bytes a user gives, and what became of them, in place of those that are a
/// formula. Every delivery is held against what was put in. Laid out as collective/
/// buffer_layout.hpp says.
///
///     RunOptions options{.input = std::as_bytes(std::span(values))};       // of run()
///     const std::vector<std::byte>& arrived = report.result.output;

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/collective/buffer_layout.hpp"

namespace lockstep {

class OwnBytes {
 public:
  /// The input outlives this. Throws InvalidParameter where it has not the size that it needs.
  OwnBytes(const Collective& collective, std::uint64_t processors, std::size_t block_bytes,
           std::span<const std::byte> input);

  /// Of the output.
  [[nodiscard]] static std::uint64_t bytes(const Collective& collective, std::uint64_t processors,
                                           std::size_t block_bytes);

  /// The block of `origin` for `destination`; poison if there is none.
  void fill(std::byte* bytes, Origin origin, NodeId destination) const noexcept;
  [[nodiscard]] bool matches(const std::byte* bytes, Origin origin,
                             NodeId destination) const noexcept;
  /// Stores what arrived at `destination` as the block of `origin`. One worker per destination.
  void keep(const std::byte* bytes, Origin origin, NodeId destination) noexcept;

  [[nodiscard]] const std::vector<std::byte>& output() const noexcept { return output_; }
  [[nodiscard]] std::vector<std::byte> take_output() noexcept { return std::move(output_); }

 private:
  BufferLayout layout_;
  std::size_t block_bytes_;
  std::span<const std::byte> input_;
  std::vector<std::byte> output_;
};

}  // namespace lockstep
