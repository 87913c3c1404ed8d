// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Words, numbers and lines of a text, for all readers of schedule files.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/words.hpp"
#include "lockstep/core/detail/whole_number.hpp"

namespace lockstep {

// The first line of a schedule file.
inline constexpr std::string_view of_identity_version = "lockstep-schedule 1";
inline constexpr std::string_view by_node_version = "lockstep-schedule 2";
/// Both, for messages.
inline constexpr std::string_view schedule_versions =
    "'lockstep-schedule 1' (moves of one processor, which all others repeat) or "
    "'lockstep-schedule 2' (actions of every node)";

/// A line without its remark, which begins with '#' at the beginning, after a blank, or after the
/// end of an action.
[[nodiscard]] std::string_view without_remark(std::string_view line);

/// Up to one of the separators, which is dropped from `rest` with it.
[[nodiscard]] std::string_view next_piece(std::string_view& rest, std::string_view separators);

/// Consecutive numbers as files have them: 3-7; nothing where there are none.
[[nodiscard]] std::string range_of(std::uint64_t first, std::uint64_t count);
/// A list of numbers as files have it: 3,0-2,7.
[[nodiscard]] std::string ranges_of(const std::vector<std::uint64_t>& numbers);

/// These characters of a text are written as in a URL: "New York" is New%20York.
[[nodiscard]] std::string encoded(std::string_view text, std::string_view characters);
/// A % that begins no code stands for itself.
[[nodiscard]] std::string decoded(std::string_view text);
/// The name of a network in the line `topology`. Remarks and the end of the line bound it.
[[nodiscard]] std::string encoded_topology(std::string_view name);

/// Any bytes, made fit for a line of a message.
[[nodiscard]] std::string printable(std::string_view word);
/// The same in quotation marks.
[[nodiscard]] std::string quoted(std::string_view word);

/// Throws InvalidParameter where the text is too long for a schedule.
void check_schedule_size(const std::string& file, std::string_view text);
/// Throws InvalidParameter where the file cannot be read.
[[nodiscard]] std::string schedule_file_text(const std::string& file);

}  // namespace lockstep
