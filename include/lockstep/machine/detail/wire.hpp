// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Values as the bytes that processes of one program exchange, which run on machines of one kind.
/// Internal.
///
///     WireWriter(bytes).put(step).put_all(std::span(violations));
///     WireReader in(bytes);
///     const auto step = in.take<std::uint64_t>();

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "lockstep/core/expects.hpp"
#include "lockstep/machine/processes.hpp"

namespace lockstep::detail {

template <class T>
concept Plain = std::is_trivially_copyable_v<T>;

class WireWriter {
 public:
  explicit WireWriter(Processes::Bytes& bytes) : bytes_(bytes) {}

  template <Plain T>
  WireWriter& put(const T& value) {
    return put_bytes(reinterpret_cast<const std::byte*>(&value), sizeof value);
  }
  /// Their number, and all of them.
  template <Plain T>
  WireWriter& put_all(std::span<const T> values) {
    put(std::uint64_t{values.size()});
    return put_bytes(reinterpret_cast<const std::byte*>(values.data()), values.size_bytes());
  }
  WireWriter& put_text(std::string_view text) { return put_all(std::span(text)); }
  WireWriter& put_bytes(const std::byte* from, std::size_t count) {
    bytes_.insert(bytes_.end(), from, from + count);
    return *this;
  }

 private:
  Processes::Bytes& bytes_;
};

class WireReader {
 public:
  explicit WireReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  [[nodiscard]] bool is_empty() const noexcept { return rest_.empty(); }

  template <Plain T>
  [[nodiscard]] T take() {
    T value;
    std::memcpy(&value, take_bytes(sizeof value), sizeof value);
    return value;
  }
  template <Plain T>
  [[nodiscard]] std::vector<T> take_all() {
    std::vector<T> values(take<std::uint64_t>());
    const std::byte* const from = take_bytes(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), from, values.size() * sizeof(T));
    return values;
  }
  [[nodiscard]] std::string take_text() {
    const std::vector<char> text = take_all<char>();
    return {text.begin(), text.end()};
  }
  [[nodiscard]] const std::byte* take_bytes(std::size_t count) {
    expects(count <= rest_.size(), "processes exchange messages of one form");
    const std::byte* const from = rest_.data();
    rest_ = rest_.subspan(count);
    return from;
  }

 private:
  std::span<const std::byte> rest_;
};

/// The bytes of each process, in the order of the processes.
[[nodiscard]] inline std::vector<Processes::Bytes> gathered_bytes(Processes& processes,
                                                                  const Processes::Bytes& own) {
  const std::vector<Processes::Bytes> out(processes.count(), own);
  std::vector<Processes::Bytes> in = out;
  processes.exchange(out, in);
  return in;
}
/// The same for the first process; none for the others.
[[nodiscard]] inline std::vector<Processes::Bytes> bytes_for_first(Processes& processes,
                                                                   Processes::Bytes own) {
  std::vector<Processes::Bytes> out(processes.count());
  std::vector<Processes::Bytes> in(processes.count());
  if (processes.rank() == 0)
    in[0] = std::move(own);
  else
    out[0] = std::move(own);
  processes.exchange(out, in);
  if (processes.rank() != 0) in.clear();
  return in;
}
/// The values of each process, in the order of the processes.
template <Plain T>
[[nodiscard]] std::vector<T> gathered(Processes& processes, std::span<const T> own) {
  Processes::Bytes bytes;
  WireWriter(bytes).put_all(own);
  std::vector<T> all;
  for (const Processes::Bytes& part : gathered_bytes(processes, bytes)) {
    const std::vector<T> values = WireReader(part).take_all<T>();
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}
template <Plain T>
[[nodiscard]] std::vector<T> gathered(Processes& processes, const T& own) {
  return gathered(processes, std::span(&own, 1));
}

}  // namespace lockstep::detail
