// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A large, page-aligned block of raw bytes that asks the kernel for huge pages: neighbours of a
/// node lie far apart, and address translation would otherwise cost more than the copy.
///
///     HugeBuffer memory(node_count * stride);
///     std::memset(memory.data(), 0xA5, memory.size());

#include <cstddef>
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
  struct GiveBack {
    std::size_t size;

    void operator()(std::byte* bytes) const noexcept;
  };
  std::unique_ptr<std::byte, GiveBack> bytes_;
  std::size_t size_ = 0;
};

/// While there is one, the memory of a buffer that is given back waits for the next buffer of its
/// size: repetitions of a run find their pages in place. A buffer of any other size frees what
/// waits, so that never more memory is taken than one repetition needs.
///
///     const KeptBuffers kept;
///     for (std::uint64_t i = 0; i < repeats; ++i) results.push_back(run->execute(control));
class KeptBuffers {
 public:
  KeptBuffers();
  KeptBuffers(const KeptBuffers&) = delete;
  KeptBuffers& operator=(const KeptBuffers&) = delete;
  /// Frees what waits, if it is the last one.
  ~KeptBuffers();

  /// Memory that waits.
  [[nodiscard]] static std::size_t bytes();
};

}  // namespace lockstep
