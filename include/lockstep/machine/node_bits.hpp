// SPDX-License-Identifier: Apache-2.0
#pragma once

/// One bit per node, in words that workers share. Not for users.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "lockstep/core/huge_buffer.hpp"
#include "lockstep/core/ids.hpp"

namespace lockstep::detail {

class NodeBits {
 public:
  static constexpr std::uint64_t nodes_per_word = 64;

  explicit NodeBits(std::uint64_t nodes) : words_(bytes(nodes)) {
    if (words_.size() != 0) std::memset(words_.data(), 0, words_.size());
  }

  [[nodiscard]] static constexpr std::uint64_t words(std::uint64_t nodes) noexcept {
    return (nodes + nodes_per_word - 1) / nodes_per_word;
  }
  [[nodiscard]] static constexpr std::uint64_t bytes(std::uint64_t nodes) noexcept {
    return words(nodes) * sizeof(std::uint64_t);
  }
  [[nodiscard]] static constexpr std::uint64_t word_of(NodeId node) noexcept {
    return index(node) / nodes_per_word;
  }
  [[nodiscard]] static constexpr std::uint64_t bit_of(NodeId node) noexcept {
    return std::uint64_t{1} << (index(node) % nodes_per_word);
  }

  /// Every access says its order.
  [[nodiscard]] std::atomic_ref<std::uint64_t> word(std::uint64_t number) const noexcept {
    return std::atomic_ref(reinterpret_cast<std::uint64_t*>(words_.data())[number]);
  }

 private:
  HugeBuffer words_;
};

}  // namespace lockstep::detail
