// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The words of a line, the blanks around them, and the pieces or numbers of a list.
///
///     trimmed(" a b\r") == "a b"
///     pieces_of("1,2,", ',')          // "1", "2", ""
///     std::string_view text = "a;b";
///     next_piece(text, ';') == "a";     // and text == "b"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "lockstep/core/detail/whole_number.hpp"

namespace lockstep {

inline constexpr std::string_view blank_characters = " \t\r\v\f";

[[nodiscard]] constexpr std::string_view trimmed(
    std::string_view text, std::string_view blanks = blank_characters) noexcept {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// The text before the first `separator`; removes both from `text`.
[[nodiscard]] constexpr std::string_view next_piece(std::string_view& text, char separator) {
  const std::string_view piece = text.substr(0, text.find(separator));
  text.remove_prefix(piece.size() == text.size() ? piece.size() : piece.size() + 1);
  return piece;
}

/// Appends the words of a text. Precondition: no separator is greater than the blank, which is one.
inline void append_words(std::string_view text, std::vector<std::string_view>& words,
                         std::string_view separators = blank_characters) {
  const auto separates = [separators](char c) {
    return c == ' ' || separators.find(c) != std::string_view::npos;
  };
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    if (separates(text[begin])) continue;
    std::size_t end = begin + 1;
    while (end < text.size() && (text[end] > ' ' || !separates(text[end]))) ++end;
    words.push_back(text.substr(begin, end - begin));
    begin = end;
  }
}

/// The texts between the separators; one more than there are separators.
[[nodiscard]] inline std::vector<std::string_view> pieces_of(std::string_view text,
                                                             char separator) {
  std::vector<std::string_view> pieces;
  for (;;) {
    const std::size_t end = text.find(separator);
    pieces.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

/// The numbers between the separators; empty where one of the texts is none.
[[nodiscard]] inline std::optional<std::vector<std::uint64_t>> whole_numbers(std::string_view text,
                                                                             char separator) {
  std::vector<std::uint64_t> numbers;
  for (const std::string_view piece : pieces_of(text, separator)) {
    const std::optional<std::uint64_t> number = whole_number(piece);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace lockstep
