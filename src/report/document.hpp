// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A report that people look at: what a command found, as sections of tables and plots. A command
/// makes one from its results; the writer of HTML knows nothing of commands.
///
///     Document document{.title = "star:5 total-exchange", .verdict = "ok", .ok = true};
///     document.sections.push_back({.heading = "Steps", .plots = {messages_by_step}});
///     output.write(html_of(document));

#include <string>
#include <vector>

#include "lockstep/report/run_report.hpp"
#include "report/fields.hpp"
#include "report/plot.hpp"

namespace lockstep::report {

struct Section {
  std::string heading{};
  std::vector<std::string> sentences{};  ///< a paragraph each
  std::vector<Plot> plots{};             ///< empty ones are left out
  std::vector<Fields> rows{};            ///< a table: a row each, headed by the fields of the first
  std::vector<Table> tables{};           ///< others
  std::string text{};                    ///< as a terminal shows it
};

struct Document {
  std::string title;
  std::string verdict{};
  bool ok = true;
  Provenance provenance{};
  std::vector<Section> sections{};

  /// The plots of all sections, without empty ones.
  [[nodiscard]] std::vector<Plot> plots() const;
};

/// One file that loads nothing: style and script are in it. Without scripts everything can be read;
/// with them plots answer to pointer and arrow keys, tables are sorted, axes change their scale.
[[nodiscard]] std::string html_of(const Document& document);

}  // namespace lockstep::report
