// SPDX-License-Identifier: Apache-2.0
#include "lockstep/core/detail/huge_buffer.hpp"

#include <sys/mman.h>

#include <new>

namespace lockstep {

HugeBuffer::HugeBuffer(std::size_t size) : size_(size) {
  constexpr std::size_t huge_page = std::size_t{1} << 21U;
  constexpr std::size_t cache_line = 64;
  if (size == 0) return;
  const std::size_t alignment = size >= huge_page ? huge_page : cache_line;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  bytes_.reset(static_cast<std::byte*>(std::aligned_alloc(alignment, rounded)));
  if (!bytes_) throw std::bad_alloc();
  // Advice only: without huge pages everything works, more slowly.
  if (alignment == huge_page) (void)::madvise(bytes_.get(), rounded, MADV_HUGEPAGE);
}

}  // namespace lockstep
