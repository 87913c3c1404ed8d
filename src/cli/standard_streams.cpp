// SPDX-License-Identifier: Apache-2.0
#include "cli/standard_streams.hpp"

#include <fcntl.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX signals
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace lockstep::cli {
namespace {

std::atomic<bool> diagnostics_are_dropped = false;

}  // namespace

void drop_diagnostics() noexcept { diagnostics_are_dropped = true; }

void secure_standard_streams() noexcept {
  (void)::signal(SIGPIPE, SIG_IGN);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
    // A directory can neither be read nor written, not even through /dev/stdout. open() takes the
    // lowest free number, which is `stream`.
    (void)::open("/", O_RDONLY | O_DIRECTORY);  // NOLINT(cppcoreguidelines-pro-type-vararg)
  }
}

void write_diagnostic(std::string_view text) noexcept {
  if (diagnostics_are_dropped) return;
  while (!text.empty()) {
    const ssize_t count = ::write(STDERR_FILENO, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace lockstep::cli
