// SPDX-License-Identifier: Apache-2.0
#include "cli/output.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "cli/standard_streams.hpp"
#include "core/input_file.hpp"
#include "core/invalid.hpp"
#include "core/reader_gone.hpp"
#include "lockstep/core/detail/whole_number.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/report/table.hpp"
#include "report/wrap.hpp"

namespace lockstep::cli {

std::size_t page_of(int file) noexcept {
  constexpr std::size_t usual = 80;
  constexpr std::size_t least = 20;  // no text can be read in less
  if (::isatty(file) == 0) return any_width;
  std::size_t columns = 0;
  if (const char* const wanted = std::getenv("COLUMNS"); wanted != nullptr)
    columns = whole_number(wanted).value_or(0);
  winsize size{};
  if (columns == 0 && ::ioctl(file, TIOCGWINSZ, &size) == 0) columns = size.ws_col;
  if (columns == 0) columns = usual;
  return columns < least ? least : columns;
}

namespace {

namespace fs = std::filesystem;

struct Close {
  void operator()(std::FILE* file) const noexcept { (void)std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

[[nodiscard]] std::string complaint(const std::string& option, const std::string& path,
                                    const std::string& why) {
  return fmt::format("{}: cannot write '{}': {}", option, path, why);
}

/// The unfinished files of all outputs, with the options that asked for them.
struct PartialFiles {
  std::mutex mutex;
  std::map<std::string, std::string> options;

  /// Empty. False where the system refuses it, as errno says. Throws InvalidParameter where another
  /// output has it.
  [[nodiscard]] bool create(const std::string& name, const std::string& option) {
    const std::lock_guard lock(mutex);
    if (const auto other = options.find(name); other != options.end())
      throw invalid("--{} and --{} name the same file", option, other->second);
    const File file(std::fopen(name.c_str(), "wb"));
    if (file) options.emplace(name, option);
    return file != nullptr;
  }
  void forget(const std::string& name) {
    const std::lock_guard lock(mutex);
    options.erase(name);
  }
};
PartialFiles& partial_files() {
  static PartialFiles files;
  return files;
}

/// Whether every byte reached the file; closes it.
[[nodiscard]] bool write_all(File file, const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()) return false;
  if (std::fflush(file.get()) != 0) return false;
  return std::fclose(file.release()) == 0;
}

}  // namespace

std::string real_path(const std::string& path) {
  std::error_code problem;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path, problem), problem);
  return problem ? path : whole.string();
}

Output::Output(std::optional<std::string> path, std::string option) : option_(std::move(option)) {
  if (!path || *path == "-") return;
  path_ = std::move(*path);
  const auto refuse = [this](const std::string& why) {
    throw InvalidParameter(complaint(option_, path_, why));
  };
  if (path_.empty()) refuse("no name given");
  target_ = real_path(path_);
  std::error_code problem;
  const fs::file_status status = fs::status(target_, problem);
  if (fs::is_directory(status)) refuse("it is a directory");
  if (fs::exists(status) && ::access(target_.c_str(), W_OK) != 0) refuse(std::strerror(errno));
  if (fs::exists(status) && !fs::is_regular_file(status)) return;  // a device or pipe
  check_not_read();
  std::string partial = fmt::format("{}.partial-{}", target_, ::getpid());
  if (!partial_files().create(partial, option_)) refuse(std::strerror(errno));
  partial_ = std::move(partial);
}

Output::~Output() {
  if (partial_.empty()) return;
  partial_files().forget(partial_);
  (void)std::remove(partial_.c_str());
}

void remove_partial_outputs() {
  PartialFiles& files = partial_files();
  const std::lock_guard lock(files.mutex);
  for (const auto& [name, option] : files.options) (void)std::remove(name.c_str());
}

void Output::check_not_read() const {
  if (was_read(target_))
    throw InvalidParameter(complaint(option_, path_, "it was read; results do not replace it"));
}

void Output::write(const std::string& text) {
  const auto fail = [this](const std::string& path) {
    const int error = errno;
    throw_write_error(error, complaint(option_, path, std::strerror(error)));
  };
  if (target_.empty()) {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (!written || std::fflush(stdout) != 0) fail("stdout");
    return;
  }
  if (!partial_.empty()) check_not_read();
  File file(std::fopen(partial_.empty() ? target_.c_str() : partial_.c_str(), "wb"));
  if (!file || !write_all(std::move(file), text)) fail(path_);
  if (partial_.empty()) return;
  if (std::rename(partial_.c_str(), target_.c_str()) != 0) fail(path_);
  partial_files().forget(partial_);
  partial_.clear();
}

void Output::write_text(const std::string& text) { write(report::wrapped(text, page())); }

std::size_t Output::page() const { return is_terminal() ? page_of(STDOUT_FILENO) : any_width; }

bool Output::is_terminal() const { return target_.empty() && ::isatty(STDOUT_FILENO) != 0; }

std::string printable(std::string_view text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
    if (byte == 0xC2U && next >= 0x80U && next < 0xA0U)  // U+0080..9F; no other code point is so
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++i]));
    else if ((byte < 0x20U && text[i] != '\n') || byte == 0x7FU)
      shown += fmt::format("\\x{:02x}", byte);
    else
      shown += text[i];
  }
  return shown;
}

void print_note(const std::string& text) {
  write_diagnostic(report::wrapped(printable(text) + "\n", page_of(STDERR_FILENO)));
}

bool colour_wanted() {
  const char* const no_colour = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) != 0 && (no_colour == nullptr || *no_colour == '\0');
}

}  // namespace lockstep::cli
