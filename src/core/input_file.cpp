// SPDX-License-Identifier: Apache-2.0
#include "core/input_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <zlib.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/invalid.hpp"

namespace lockstep {
namespace {

constexpr std::string_view gzip_mark = "\x1F\x8B";

[[noreturn]] void refuse_input(const std::string& path, std::string_view why) {
  throw invalid("cannot read '{}': {}", path, why);
}

/// Devices such as /dev/zero never end. Pipes are allowed: `file:<(command)`.
void check_kind(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) refuse_input(path, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) refuse_input(path, "it is a directory");
  if (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode))
    refuse_input(path, "it is a device; allowed: a file or a pipe");
}

/// The canonical paths of all files that were read.
struct ReadFiles {
  std::mutex mutex;
  std::set<std::string> paths;
};
[[nodiscard]] ReadFiles& read_files() {
  static ReadFiles files;
  return files;
}

void note_read(const std::string& path) {
  std::error_code problem;
  const std::filesystem::path whole = std::filesystem::canonical(path, problem);
  if (problem) return;  // a pipe
  ReadFiles& files = read_files();
  const std::scoped_lock lock(files.mutex);
  files.paths.insert(whole.string());
}

[[nodiscard]] std::string size_text(std::uint64_t bytes) {
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;
  return bytes % mebibyte == 0 ? fmt::format("{} MiB", bytes / mebibyte)
                               : fmt::format("{} bytes", bytes);
}

void check_input_size(const std::string& path, const std::string& text, std::uint64_t most_bytes) {
  if (text.size() > most_bytes)
    throw invalid("'{}' is larger than the allowed {}", path, size_text(most_bytes));
}

using InputFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// The next bytes of a file; none at its end.
void read_piece(std::FILE* file, const std::string& path, std::string& bytes) {
  constexpr std::size_t piece = std::size_t{1} << 16U;  // filled with zeros for every read
  bytes.resize(piece);
  bytes.resize(std::fread(bytes.data(), 1, piece, file));
  if (std::ferror(file) != 0) refuse_input(path, std::strerror(errno));
}

/// Joins the members of a gzip file. zlib's own reader of files drops whatever follows the first
/// member and is no gzip.
class Decompressor {
 public:
  Decompressor(const std::string& path, std::uint64_t most_bytes)
      : path_(path), most_bytes_(most_bytes) {
    constexpr int with_gzip_header = 16;
    if (inflateInit2(&stream_, MAX_WBITS + with_gzip_header) != Z_OK) throw std::bad_alloc();
  }
  ~Decompressor() { inflateEnd(&stream_); }
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  void add(std::string& bytes) {
    stream_.next_in = reinterpret_cast<Bytef*>(bytes.data());
    stream_.avail_in = static_cast<uInt>(bytes.size());
    while (stream_.avail_in > 0) {
      if (in_member_)
        inflate_some();
      else
        begin_member();
    }
  }
  [[nodiscard]] std::string take_text() {
    if (in_member_) refuse_input(path_, "the gzip file is damaged (unexpected end of file)");
    return std::move(text_);
  }

 private:
  void begin_member() {
    const Bytef first = *stream_.next_in;
    if (first == 0) {  // gzip files may be padded
      ++stream_.next_in;
      --stream_.avail_in;
      return;
    }
    if (first != static_cast<Bytef>(gzip_mark[0]))
      refuse_input(path_, "the gzip file has other data after its end; remove them");
    inflateReset(&stream_);
    in_member_ = true;
  }

  /// Until it needs more input or the member ends.
  void inflate_some() {
    constexpr std::size_t piece = std::size_t{1} << 16U;  // filled with zeros for every read
    int result = Z_OK;
    do {
      const std::size_t before = text_.size();
      text_.resize(before + piece);
      stream_.next_out = reinterpret_cast<Bytef*>(text_.data() + before);
      stream_.avail_out = piece;
      result = inflate(&stream_, Z_NO_FLUSH);
      text_.resize(before + piece - stream_.avail_out);
      check_input_size(path_, text_, most_bytes_);
    } while (result == Z_OK && stream_.avail_out == 0);
    if (result == Z_STREAM_END)
      in_member_ = false;
    else if (result != Z_OK && result != Z_BUF_ERROR)
      refuse_input(path_, fmt::format("the gzip file is damaged ({})",
                                      stream_.msg != nullptr ? stream_.msg : "unknown contents"));
  }

  const std::string& path_;
  std::uint64_t most_bytes_;
  z_stream stream_{};
  bool in_member_ = true;
  std::string text_;
};

/// The bytes of a file, decompressed if it is a gzip file.
[[nodiscard]] std::string file_contents(const std::string& path, std::uint64_t most_bytes) {
  const InputFile file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) refuse_input(path, std::strerror(errno));
  std::string piece;
  read_piece(file.get(), path, piece);
  if (piece.starts_with(gzip_mark)) {
    Decompressor decompressor(path, most_bytes);
    for (; !piece.empty(); read_piece(file.get(), path, piece)) decompressor.add(piece);
    return decompressor.take_text();
  }
  std::string text;
  for (; !piece.empty(); read_piece(file.get(), path, piece)) {
    text += piece;
    check_input_size(path, text, most_bytes);
  }
  return text;
}

}  // namespace

std::string input_text(const std::string& path, std::uint64_t most_bytes) {
  using namespace std::string_view_literals;
  check_kind(path);
  std::string text = file_contents(path, most_bytes);
  constexpr std::string_view utf8_mark = "\xEF\xBB\xBF";
  for (const std::string_view mark : {"\xFF\xFE"sv, "\xFE\xFF"sv, "\0\0\xFE\xFF"sv})
    if (text.starts_with(mark)) refuse_input(path, "it is UTF-16 or UTF-32; save it as UTF-8");
  if (text.starts_with(utf8_mark)) text.erase(0, utf8_mark.size());
  note_read(path);
  return text;
}

bool was_read(const std::string& path) {
  ReadFiles& files = read_files();
  const std::scoped_lock lock(files.mutex);
  return files.paths.contains(path);
}

}  // namespace lockstep
