// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A large, page-aligned block of raw bytes that asks the kernel for huge pages: neighbours of a
/// node lie far apart, and address translation would otherwise cost more than the copy.
///
///     HugeBuffer memory(node_count * stride);
///     std::memset(memory.data(), 0xA5, memory.size());

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace lockstep {

class HugeBuffer {
 public:
  HugeBuffer() = default;

  /// `size` bytes, contents undefined. Throws std::bad_alloc.
  explicit HugeBuffer(std::size_t size);
  /// All bytes are zero. Memory is taken page by page when it is first used.
  [[nodiscard]] static HugeBuffer zeroed(std::size_t size);

  [[nodiscard]] std::byte* data() const noexcept { return bytes_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  struct Free {
    void operator()(std::byte* bytes) const noexcept { std::free(bytes); }
  };
  std::unique_ptr<std::byte, Free> bytes_;
  std::size_t size_ = 0;
};

}  // namespace lockstep
