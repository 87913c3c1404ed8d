// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The answer of a command that finds row after row, in each form that a user may ask for. Only the
/// form that is asked for is made.
///
///     const RowTarget target(options.output, {.resume = options.resume});  // before the runs
///     const Exit exit = target.write({.text = [&](const Say& say, std::size_t page) {..}, ..});

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "study/sweep_file.hpp"

namespace lockstep::cli {

struct RowAnswer {
  using Say = std::function<void(const std::string&)>;

  /// Line by line, as rows are found; a terminal is `page` columns wide.
  std::function<Exit(const Say&, std::size_t page)> text;
  std::function<Exit(const Say&)> json;  ///< all at once
  /// Each row is on disk before the next one is looked for.
  std::function<Exit(const study::SweepFile::Target&)> csv;
  std::function<Exit(const study::SweepFile::Target&)> ndjson;
};

/// --format --output --resume --overwrite
class RowTarget {
 public:
  /// The choice for a file that holds rows. With neither, it is refused.
  struct Earlier {
    bool resume = false;     ///< keep the rows, and do not look for them again
    bool overwrite = false;  ///< replace the rows
  };

  /// Throws InvalidParameter for a format that is not known, and where rows cannot be kept.
  RowTarget(const OutputArguments& output, Earlier earlier);

  /// Throws InvalidParameter where the format is another one than text, of which `option` is a
  /// form.
  void check_text(std::string_view option) const;

  /// On stdout text appears line by line, in a file all at once.
  [[nodiscard]] Exit write(const RowAnswer& answer) const;

  /// The same command with --resume continues what was interrupted.
  [[nodiscard]] bool can_resume() const noexcept { return format_ == Format::csv && rows_.path; }

 private:
  [[nodiscard]] Exit write_said(const RowAnswer& answer) const;

  Format format_;
  study::SweepFile::Target rows_;
};

}  // namespace lockstep::cli
