// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The target of a result: stdout, or a file that appears whole or not at all. It is made before
/// the run, so that a file that cannot be written stops the request, not the result.
///
///     Output output("table.csv");        // throws InvalidParameter
///     output.write(text);                // on disk when it returns, or ResourceExhausted

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::cli {

/// The columns of a terminal: COLUMNS of the environment, else those that the terminal states, else
/// 80. Files and pipes have any_width (report/table.hpp).
[[nodiscard]] std::size_t page_of(int file) noexcept;

/// The name of a file with links followed, whether it exists or not: the same for all its names.
[[nodiscard]] std::string real_path(const std::string& path);

class Output {
 public:
  /// No path, and "-", is stdout. Throws InvalidParameter if the file cannot be written, or another
  /// output will write it: `option` is what asked for it.
  explicit Output(std::optional<std::string> path, std::string option = "output");
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();

  /// Once; to stdout as often as wanted. Throws ResourceExhausted where the device is full or gone.
  void write(const std::string& text);
  /// For readers: on a terminal no line is wider than it.
  void write_text(const std::string& text);

  [[nodiscard]] bool is_terminal() const;
  /// How wide a text may be: any_width unless it goes to a terminal.
  [[nodiscard]] std::size_t page() const;

 private:
  /// Throws InvalidParameter if the program has read the file.
  void check_not_read() const;

  std::string option_;   // without dashes
  std::string path_;     // as given
  std::string target_;   // links followed; empty for stdout
  std::string partial_;  // beside it until all is written; empty where the target is no plain file
};

/// Files that are not written whole are removed: before the program is ended from another thread.
void remove_partial_outputs();

/// Control characters as \x1b: arguments and file names may hold what a terminal would obey.
[[nodiscard]] std::string printable(std::string_view text);

/// To stderr, a line of its own, printable; broken where a terminal is narrower. Every error goes
/// this way. A stderr that cannot be written is ignored.
void print_note(const std::string& text);

/// Whether results on stdout may be coloured: a terminal, and no NO_COLOR.
[[nodiscard]] bool colour_wanted();

}  // namespace lockstep::cli
