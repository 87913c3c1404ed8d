// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A large, page-aligned block of raw bytes that asks the kernel for huge pages: neighbours of a
/// node lie far apart, and address translation would otherwise cost more than the copy.
///
///     HugeBuffer memory(node_count * stride);
///     std::memset(memory.data(), 0xA5, memory.size());

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace lockstep {

class HugeBuffer {
 public:
  HugeBuffer() = default;

  /// `size` bytes, contents undefined. Throws std::bad_alloc.
  explicit HugeBuffer(std::size_t size) : size_(size) {
    if (size == 0) return;
    const std::size_t alignment = size >= huge_page ? huge_page : cache_line;
    const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
    bytes_.reset(static_cast<std::byte*>(std::aligned_alloc(alignment, rounded)));
    if (!bytes_) throw std::bad_alloc();
    // Advice only: without huge pages everything works, more slowly.
    if (alignment == huge_page) (void)::madvise(bytes_.get(), rounded, MADV_HUGEPAGE);
  }

  [[nodiscard]] std::byte* data() const noexcept { return bytes_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  static constexpr std::size_t huge_page = std::size_t{1} << 21U;
  static constexpr std::size_t cache_line = 64;

  struct Free {
    void operator()(std::byte* bytes) const noexcept { std::free(bytes); }
  };
  std::unique_ptr<std::byte, Free> bytes_;
  std::size_t size_ = 0;
};

}  // namespace lockstep
