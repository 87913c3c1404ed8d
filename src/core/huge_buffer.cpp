// SPDX-License-Identifier: Apache-2.0
#include "lockstep/core/detail/huge_buffer.hpp"

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace lockstep {

namespace {
constexpr std::size_t huge_page = std::size_t{1} << 21U;
}  // namespace

HugeBuffer::HugeBuffer(std::size_t size) : size_(size) {
  constexpr std::size_t cache_line = 64;
  if (size == 0) return;
  const std::size_t alignment = size >= huge_page ? huge_page : cache_line;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  bytes_.reset(static_cast<std::byte*>(std::aligned_alloc(alignment, rounded)));
  if (!bytes_) throw std::bad_alloc();
  // Advice only: without huge pages everything works, more slowly.
  if (alignment == huge_page) (void)::madvise(bytes_.get(), rounded, MADV_HUGEPAGE);
}

HugeBuffer HugeBuffer::zeroed(std::size_t size) {
  HugeBuffer buffer(size);
  // The kernel takes the pages back, and gives empty ones when they are used.
  const std::size_t whole = size >= huge_page ? size / huge_page * huge_page : 0;
  if (whole != 0 && ::madvise(buffer.data(), whole, MADV_DONTNEED) == 0)
    std::memset(buffer.data() + whole, 0, size - whole);
  else if (size != 0)
    std::memset(buffer.data(), 0, size);
  return buffer;
}

}  // namespace lockstep
