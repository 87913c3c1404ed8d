// SPDX-License-Identifier: Apache-2.0
#include "core/input_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>

#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

[[noreturn]] void refuse_input(const std::string& path, std::string_view why) {
  throw InvalidParameter(fmt::format("cannot read '{}': {}", path, why));
}

/// Devices such as /dev/zero never end. Pipes are allowed: `file:<(command)`.
void check_kind(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) refuse_input(path, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) refuse_input(path, "it is a directory");
  if (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode))
    refuse_input(path, "it is a device; allowed: a file or a pipe");
}

[[nodiscard]] std::string size_text(std::uint64_t bytes) {
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;
  return bytes % mebibyte == 0 ? fmt::format("{} MiB", bytes / mebibyte)
                               : fmt::format("{} bytes", bytes);
}

/// zlib's reader copies files that are not compressed.
[[nodiscard]] std::string decompressed(const std::string& path, std::uint64_t most_bytes) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose_r);
  if (!file) refuse_input(path, std::strerror(errno));
  constexpr std::uint64_t piece = std::uint64_t{1} << 20U;
  std::string text;
  int read = 1;
  while (read > 0 && text.size() <= most_bytes) {
    const std::size_t before = text.size();
    text.resize(before + piece);
    read = gzread(file.get(), text.data() + before, static_cast<unsigned>(piece));
    text.resize(before + static_cast<std::size_t>(std::max(read, 0)));
  }
  if (text.size() > most_bytes)
    throw InvalidParameter(
        fmt::format("'{}' is larger than the allowed {}", path, size_text(most_bytes)));
  int problem = Z_OK;
  const char* what = gzerror(file.get(), &problem);
  if (problem == Z_ERRNO) refuse_input(path, std::strerror(errno));
  if (problem != Z_OK && problem != Z_STREAM_END)
    refuse_input(path, fmt::format("the gzip file is damaged ({})", what));
  return text;
}

}  // namespace

std::string input_text(const std::string& path, std::uint64_t most_bytes) {
  using namespace std::string_view_literals;
  check_kind(path);
  std::string text = decompressed(path, most_bytes);
  constexpr std::string_view utf8_mark = "\xEF\xBB\xBF";
  for (const std::string_view mark : {"\xFF\xFE"sv, "\xFE\xFF"sv, "\0\0\xFE\xFF"sv})
    if (text.starts_with(mark)) refuse_input(path, "it is UTF-16 or UTF-32; save it as UTF-8");
  if (text.starts_with(utf8_mark)) text.erase(0, utf8_mark.size());
  return text;
}

}  // namespace lockstep
