// SPDX-License-Identifier: Apache-2.0
#include "report/wrap.hpp"

#include <algorithm>
#include <cctype>

#include "lockstep/core/expects.hpp"

namespace lockstep::report {
namespace {

constexpr char escape = '\x1b';

/// The first that is no colour, from `at` on.
[[nodiscard]] std::size_t behind_colours(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] == escape)
    at = std::min(text.find('m', at), text.size() - 1) + 1;
  return at;
}

/// The bytes of one character from `at` on, and of the colours before it.
[[nodiscard]] std::size_t bytes_of_character(std::string_view text, std::size_t at) {
  std::size_t end = behind_colours(text, at);
  if (end < text.size()) ++end;
  constexpr unsigned continuation = 0x80;  // of UTF-8
  constexpr unsigned kind = 0xC0;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & kind) == continuation) ++end;
  return end - at;
}

/// A word may be broken behind it: "single-port", not "--port" or "390,000".
[[nodiscard]] bool is_joint(std::string_view text, std::size_t at) {
  constexpr std::string_view marks = "-/,;:|=";
  const auto is = [&](int (*kind)(int), std::size_t i) {
    return i < text.size() && kind(static_cast<unsigned char>(text[i])) != 0;
  };
  if (marks.find(text[at]) == std::string_view::npos || at == 0) return false;
  const bool in_a_number = is(std::isdigit, at - 1) && is(std::isdigit, at + 1);
  return !in_a_number && is(std::isalnum, at - 1) && is(std::isalnum, at + 1);
}

/// The end of the first line of `text`, if it is at most `width` wide: the bytes of it.
[[nodiscard]] std::size_t first_line(std::string_view text, std::size_t width) {
  const std::size_t begin = text.find_first_not_of(' ');
  std::size_t at_blank = 0;
  std::size_t at_joint = 0;
  std::size_t at = 0;
  for (std::size_t columns = 0; at < text.size() && columns < width; ++columns) {
    if (text[at] == ' ' && at > begin) at_blank = at;
    if (is_joint(text, at)) at_joint = at + 1;
    at += bytes_of_character(text, at);
  }
  if (at == text.size() || text[at] == ' ') return at;
  if (at_blank != 0) return at_blank;
  return at_joint != 0 ? at_joint : at;
}

/// The column where a broken line continues: behind the first gap of two blanks within a line,
/// unless that is far to the right; else a little further in than the line.
[[nodiscard]] std::size_t hanging(std::string_view line, std::size_t width) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t gap = line.find("  ", indent);
  const std::size_t behind = line.find_first_not_of(' ', gap);
  if (gap != std::string_view::npos && behind != std::string_view::npos && behind <= width / 2)
    return behind;
  constexpr std::size_t further = 2;
  return indent + further <= width / 2 ? indent + further : 0;
}

}  // namespace

std::size_t width_of(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size(); at += bytes_of_character(text, at))
    if (behind_colours(text, at) < text.size()) ++columns;
  return columns;
}

std::vector<std::string> lines_of(std::string_view cell, std::size_t width) {
  expects(width > 0, "a line has room for a character");
  std::vector<std::string> lines;
  while (width_of(cell) > width) {
    const std::size_t end = first_line(cell, width);
    lines.emplace_back(cell.substr(0, end));
    cell.remove_prefix(std::min(cell.find_first_not_of(' ', end), cell.size()));
  }
  if (lines.empty() || !cell.empty()) lines.emplace_back(cell);
  return lines;
}

std::string wrapped(std::string_view text, std::size_t width) {
  expects(width > 0, "a line has room for a character");
  std::string all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (width_of(line) <= width) {
      all += line;
    } else {
      const std::size_t in = hanging(line, width);
      const std::size_t first = first_line(line, width);
      all += line.substr(0, line.find_last_not_of(' ', first - 1) + 1);
      const std::size_t rest = std::min(line.find_first_not_of(' ', first), line.size());
      for (const std::string& more : lines_of(line.substr(rest), width - in))
        all += "\n" + std::string(in, ' ') + more;
    }
    if (end < text.size()) all += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

}  // namespace lockstep::report
