// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Text broken into lines that fit a terminal. Widths are in characters; colours take none.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::report {

[[nodiscard]] std::size_t width_of(std::string_view text);

/// `cell` in lines of at most `width` > 0: broken at blanks, else behind a mark within a word, else
/// anywhere. At least one line.
[[nodiscard]] std::vector<std::string> lines_of(std::string_view cell, std::size_t width);

/// A text whose lines are no wider than `width`; those that fit stay as they are. What is broken
/// goes on under the text behind the first gap: "memory       8.7 MiB predicted," /
/// "             7.5 MiB taken".
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width);

}  // namespace lockstep::report
