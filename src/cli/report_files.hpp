// SPDX-License-Identifier: Apache-2.0
#pragma once

/// --report and --plot of every command that measures or compares: the command makes a document of
/// what it found, and the rest is done here.
///
///     options.report.add_to(app);
///     ReportFiles files(options.report, output_file);  // before the runs: they must be writable
///     files.write([&] { return document_of(result); });

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "report/document.hpp"

namespace lockstep::cli {

/// A report on runs that ended so.
[[nodiscard]] report::Document document_for(std::string title, study::Exit exit,
                                            const Session& session,
                                            std::vector<report::Section> sections);

/// --report FILE.html --plot FILE.svg|pdf|png --plot-number N
struct ReportArguments {
  std::optional<std::string> report{};
  std::optional<std::string> plot{};
  std::string number = "1";

  void add_to(CLI::App& app);
  [[nodiscard]] bool wanted() const noexcept { return report || plot || number != "1"; }
};

/// The arguments that `compare` and `tune` share: a task, for which algorithms compete.
struct ComparedArguments {
  std::string topology;
  std::string operation;
  std::string bytes = "auto";
  ParameterArguments parameters{};
  MachineArguments machine{};
  CostArguments costs{};
  OutputArguments output{};
  ReportArguments report{};

  /// `size`: of the star graph in the example.
  void add_task_to(CLI::App& app, unsigned size);
  /// All else.
  void add_to(CLI::App& app, std::string_view default_port_model);
  [[nodiscard]] RunRequest base() const;
};

class ReportFiles {
 public:
  /// Throws InvalidParameter where a file cannot be written, or its format is not known, or the
  /// program that converts to it is not installed. `result`: where the command's own result goes, a
  /// file or stdout.
  ReportFiles(const ReportArguments& arguments, const std::optional<std::string>& result);

  /// Nothing where neither file is asked for: the document is not made then.
  void write(const std::function<report::Document()>& document);

 private:
  ReportArguments arguments_;
  std::optional<Output> report_;
  std::optional<Output> plot_;
};

}  // namespace lockstep::cli
