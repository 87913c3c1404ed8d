// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Rows on their way to stdout or a file: each is on disk before the next run begins, and no other
/// process writes to the file meanwhile.
///
///     RowFile file("grid.csv");           // InvalidParameter: in use, or not to be written
///     file.keep(0);                       // or a part of file.text()
///     file.add("5,3,229\n");              // ResourceExhausted: full; the file ends in a whole row

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace lockstep::study {

class RowFile {
 public:
  /// No path, and "-", is stdout. The file is created where there is none, and keeps what it holds.
  /// It is locked until this object, or the process, ends.
  explicit RowFile(std::optional<std::string> path);
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;
  ~RowFile();

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// Without a byte-order mark. Empty: stdout, a device or a pipe. Throws InvalidParameter for a
  /// compressed file, which no row can follow.
  [[nodiscard]] std::string text() const;
  /// Cuts off what follows these bytes of the text.
  void keep(std::size_t bytes_of_text);
  /// Throws ResourceExhausted where the device is full or gone.
  void add(const std::string& rows);

 private:
  [[nodiscard]] std::uint64_t size() const;

  std::string name_ = "stdout";
  int file_;
  bool is_regular_ = false;
};

}  // namespace lockstep::study
