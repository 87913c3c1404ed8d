// SPDX-License-Identifier: Apache-2.0
#include "program/schedule_pieces.hpp"

#include <fmt/format.h>

#include "core/input_file.hpp"
#include "core/invalid.hpp"

namespace lockstep {
namespace {

constexpr std::size_t max_file_bytes = std::size_t{128} << 20U;

}  // namespace

std::string_view without_remark(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1))
    if (at == 0 || std::string_view(" \t\r\v\f;:").find(line[at - 1]) != std::string_view::npos)
      return trimmed(line.substr(0, at));
  return trimmed(line);
}

std::string_view next_piece(std::string_view& rest, std::string_view separators) {
  const std::size_t at =
      separators.size() == 1 ? rest.find(separators.front()) : rest.find_first_of(separators);
  const std::string_view piece = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view{} : rest.substr(at + 1);
  return piece;
}

std::string range_of(std::uint64_t first, std::uint64_t count) {
  if (count == 0) return {};
  std::string text = std::to_string(first);
  if (count > 1) (text += '-') += std::to_string(first + count - 1);
  return text;
}

std::string ranges_of(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t next = i + 1;
    while (next < numbers.size() && numbers[next] == numbers[next - 1] + 1) ++next;
    if (i != 0) text += ',';
    text += range_of(numbers[i], next - i);
    i = next;
  }
  return text;
}

std::string encoded(std::string_view text, std::string_view characters) {
  std::string word;
  for (const char c : text)
    word += characters.find(c) != characters.npos
                ? fmt::format("%{:02X}", static_cast<unsigned char>(c))
                : std::string(1, c);
  return word;
}

std::string decoded(std::string_view text) {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto code = text[i] == '%' && i + 2 < text.size()
                          ? whole_number(text.substr(i + 1, 2), 16)
                          : std::nullopt;
    name += code ? static_cast<char>(*code) : text[i];
    if (code) i += 2;
  }
  return name;
}

std::string encoded_topology(std::string_view name) {
  const std::size_t end = name.find_last_not_of(blank_characters) + 1;  // 0: blanks only
  return encoded(name.substr(0, end), "#%\n\r") + encoded(name.substr(end), " \t\r\v\f\n");
}

std::string printable(std::string_view word) {
  constexpr std::size_t most = 40;
  std::string text(word.substr(0, most));
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return word.size() > most ? text + "..." : text;
}

std::string quoted(std::string_view word) { return fmt::format("'{}'", printable(word)); }

void check_schedule_size(const std::string& file, std::string_view text) {
  if (text.size() > max_file_bytes)
    throw invalid("{}: larger than the allowed {} MiB", file, max_file_bytes >> 20U);
}

std::string schedule_file_text(const std::string& file) { return input_text(file, max_file_bytes); }

}  // namespace lockstep
