// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The answer of a command: what it found, in each form that a user may ask for. The forms that are
/// asked for are made and written.
///
///     AnswerTarget target(options.output, options.report);  // before the runs
///     target.write({.text = [&](std::size_t page) { return text_of(result, page); },
///                   .csv = [&] { return csv_of(result); },
///                   .json = [&] { return json_of(result); },
///                   .document = [&] { return document_of(result); }});

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/report_files.hpp"

namespace lockstep::cli {

struct Answer {
  std::function<std::string(std::size_t page)> text;  ///< for a page so wide; empty: nothing to say
  std::function<std::string()> csv;
  std::function<std::string()> json;
  std::function<report::Document()> document{};  ///< for --report and --plot
};

/// --format --output, --report --plot
class AnswerTarget {
 public:
  /// Throws InvalidParameter for a format that is not known and files that cannot be written.
  explicit AnswerTarget(const OutputArguments& output, const ReportArguments& report = {});

  /// Throws InvalidParameter where CSV is asked for, of which `what` has none.
  void refuse_csv(std::string_view what) const;

  void write(const Answer& answer);

  [[nodiscard]] const Output& output() const noexcept { return output_; }

 private:
  Format format_;
  Output output_;
  ReportFiles files_;
};

}  // namespace lockstep::cli
