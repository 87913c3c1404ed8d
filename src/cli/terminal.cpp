// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "lockstep/report/table.hpp"

namespace lockstep::cli {

std::size_t page_of(int file) noexcept {
  constexpr std::size_t usual = 80;
  constexpr std::size_t least = 20;  // no text can be read in less
  if (::isatty(file) == 0) return any_width;
  std::size_t columns = 0;
  if (const char* const wanted = std::getenv("COLUMNS"); wanted != nullptr) {
    const std::string_view text(wanted);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
    if (error != std::errc{} || end != text.data() + text.size()) columns = 0;
  }
  winsize size{};
  if (columns == 0 && ::ioctl(file, TIOCGWINSZ, &size) == 0) columns = size.ws_col;
  if (columns == 0) columns = usual;
  return columns < least ? least : columns;
}

}  // namespace lockstep::cli
