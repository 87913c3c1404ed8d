// SPDX-License-Identifier: Apache-2.0
#include "lockstep/core/detail/huge_buffer.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

namespace lockstep {

namespace {

constexpr std::size_t huge_page = std::size_t{1} << 21U;
constexpr std::size_t cache_line = 64;

[[nodiscard]] std::size_t alignment_of(std::size_t size) {
  return size >= huge_page ? huge_page : cache_line;
}
/// Of the memory of a buffer.
[[nodiscard]] std::size_t rounded(std::size_t size) {
  return (size + alignment_of(size) - 1) / alignment_of(size) * alignment_of(size);
}

/// What buffers of whole huge pages gave back, while there are KeptBuffers.
class WaitingMemory {
 public:
  [[nodiscard]] static WaitingMemory& of_process() {
    static WaitingMemory memory;
    return memory;
  }

  void begin() {
    const std::scoped_lock lock(mutex_);
    ++keepers_;
  }
  void end() {
    const std::scoped_lock lock(mutex_);
    if (--keepers_ == 0) free_all();
  }

  /// Memory of that size. Null: none waits, and any that did is free.
  [[nodiscard]] std::byte* take(std::size_t size) {
    const std::scoped_lock lock(mutex_);
    for (Waiting** place = &first_; *place != nullptr; place = &(*place)->next) {
      Waiting* const found = *place;
      if (found->size != size) continue;
      *place = found->next;
      return reinterpret_cast<std::byte*>(found);
    }
    free_all();
    return nullptr;
  }
  [[nodiscard]] std::size_t bytes() {
    const std::scoped_lock lock(mutex_);
    std::size_t bytes = 0;
    for (const Waiting* place = first_; place != nullptr; place = place->next) bytes += place->size;
    return bytes;
  }
  /// Whether it waits now.
  [[nodiscard]] bool keep(std::byte* bytes, std::size_t size) {
    const std::scoped_lock lock(mutex_);
    if (keepers_ == 0) return false;
    first_ = new (bytes) Waiting{first_, size};
    return true;
  }

 private:
  /// At the beginning of the memory that waits.
  struct Waiting {
    Waiting* next;
    std::size_t size;
  };

  void free_all() {
    while (first_ != nullptr) std::free(std::exchange(first_, first_->next));
  }

  std::mutex mutex_;
  std::size_t keepers_ = 0;
  Waiting* first_ = nullptr;
};

}  // namespace

KeptBuffers::KeptBuffers() { WaitingMemory::of_process().begin(); }
KeptBuffers::~KeptBuffers() { WaitingMemory::of_process().end(); }
std::size_t KeptBuffers::bytes() { return WaitingMemory::of_process().bytes(); }

void HugeBuffer::GiveBack::operator()(std::byte* bytes) const noexcept {
  const bool kept = size >= huge_page && WaitingMemory::of_process().keep(bytes, rounded(size));
  if (!kept) std::free(bytes);
}

HugeBuffer::HugeBuffer(std::size_t size) : size_(size) {
  if (size == 0) return;
  std::byte* bytes = nullptr;
  if (size >= huge_page) bytes = WaitingMemory::of_process().take(rounded(size));
  if (bytes == nullptr)
    bytes = static_cast<std::byte*>(std::aligned_alloc(alignment_of(size), rounded(size)));
  if (bytes == nullptr) throw std::bad_alloc();
  bytes_ = {bytes, {size}};
  // Advice only: without huge pages everything works, more slowly.
  if (size >= huge_page) (void)::madvise(bytes, rounded(size), MADV_HUGEPAGE);
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
