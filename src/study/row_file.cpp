// SPDX-License-Identifier: Apache-2.0
#include "study/row_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/input_file.hpp"
#include "core/reader_gone.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep::study {
namespace {

[[nodiscard]] std::string rows_complaint(const std::string& name, const std::string& why) {
  return fmt::format("output: cannot write '{}': {}", name, why);
}

[[noreturn]] void refuse_rows(const std::string& name, const std::string& why) {
  throw InvalidParameter(rows_complaint(name, why));
}

/// False with errno where a part could not be written.
[[nodiscard]] bool write_whole(int file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = ::write(file, text.data() + done, text.size() - done);
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) done += static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

RowFile::RowFile(std::optional<std::string> path) : file_(STDOUT_FILENO) {
  if (!path || *path == "-") return;
  name_ = *std::move(path);
  if (name_.empty()) refuse_rows(name_, "no name given");
  if (std::filesystem::is_directory(name_)) refuse_rows(name_, "it is a directory");
  constexpr mode_t all_as_the_user_masks = 0666;
  file_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, all_as_the_user_masks);
  if (file_ < 0) refuse_rows(name_, std::strerror(errno));
  struct stat status {};
  is_regular_ = ::fstat(file_, &status) == 0 && S_ISREG(status.st_mode);
  // A file system without locks is used without them.
  if (!is_regular_ || ::flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  (void)::close(file_);
  refuse_rows(name_, "another process is writing rows to it; wait for it, or use another file");
}

RowFile::~RowFile() {
  if (file_ != STDOUT_FILENO) (void)::close(file_);
}

std::uint64_t RowFile::size() const {
  struct stat status {};
  return ::fstat(file_, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

std::string RowFile::text() const {
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30U;
  constexpr std::uint64_t mark_bytes = 3;
  if (!is_regular_) return {};
  std::string text = input_text(name_, most_bytes);
  if (size() != text.size() && size() != text.size() + mark_bytes)
    refuse_rows(name_, "it is compressed; decompress it first");
  return text;
}

void RowFile::keep(std::size_t bytes_of_text) {
  if (!is_regular_) return;
  const std::uint64_t mark = bytes_of_text == 0 ? 0 : size() - text().size();
  if (::ftruncate(file_, static_cast<off_t>(mark + bytes_of_text)) != 0)
    refuse_rows(name_, std::strerror(errno));
}

void RowFile::add(const std::string& rows) {
  const std::uint64_t before = is_regular_ ? size() : 0;
  if (write_whole(file_, rows)) return;
  const int error = errno;
  if (is_regular_) (void)!::ftruncate(file_, static_cast<off_t>(before));
  throw_write_error(error, rows_complaint(name_, std::strerror(error)));
}

}  // namespace lockstep::study
