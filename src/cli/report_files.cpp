// SPDX-License-Identifier: Apache-2.0
#include "cli/report_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

#include "core/invalid.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view converter = "rsvg-convert";

/// "svg", "pdf" or "png": what the name of the file ends in. Throws InvalidParameter.
[[nodiscard]] std::string plot_format(const std::string& file) {
  const std::string ending = fs::path(file).extension().string();
  for (const std::string_view format : {"svg", "pdf", "png"})
    if (ending.size() == format.size() + 1 && ending.ends_with(format)) return std::string(format);
  throw invalid("plot: '{}' does not end in a known format; expected .svg, .pdf or .png", file);
}

/// Among the folders of PATH.
[[nodiscard]] bool is_installed(std::string_view program) {
  const char* const path = std::getenv("PATH");
  for (const std::string& folder : split(path == nullptr ? "" : path, ':'))
    if (::access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  return false;
}

struct ClosePipe {
  void operator()(std::FILE* pipe) const noexcept { (void)::pclose(pipe); }
};

/// A file of its own, gone with the object.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& text)
      : name_(fs::temp_directory_path() / "lockstep-XXXXXX") {
    const int file = ::mkstemp(name_.data());
    const bool written =
        file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    if (file >= 0) (void)::close(file);
    if (written) return;
    if (file >= 0) (void)::unlink(name_.c_str());
    throw ResourceExhausted(fmt::format("plot: cannot write '{}'", name_));
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile() { (void)::unlink(name_.c_str()); }

  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
};

/// PNG at 300 dots per inch of a column of 5.2 inches. The temporary folder's name is quoted.
[[nodiscard]] std::string converted(const std::string& svg, const std::string& format) {
  const ScratchFile scratch(svg);
  const std::string command =
      fmt::format("{} --format {}{} '{}' 2>&1", converter, format,
                  format == "png" ? " --zoom 3.125 --dpi-x 300 --dpi-y 300" : "", scratch.name());
  const std::unique_ptr<std::FILE, ClosePipe> pipe(::popen(command.c_str(), "r"));
  std::string bytes;
  std::array<char, 65536> part{};
  for (std::size_t read = 0;
       pipe && (read = std::fread(part.data(), 1, part.size(), pipe.get())) > 0;)
    bytes.append(part.data(), read);
  const bool good = bytes.starts_with(format == "png" ? "\x89PNG" : "%PDF");
  if (!good)
    throw ResourceExhausted(fmt::format("plot: {} failed: {}", converter, bytes.substr(0, 200)));
  return bytes;
}

/// The sentence of a report about the end of its runs.
[[nodiscard]] std::string verdict_of(Exit exit) {
  switch (exit) {
    case Exit::ok:
      return "ok";
    case Exit::interrupted:
      return "INTERRUPTED: the rest was not run";
    case Exit::rule_broken:
      return "RULE VIOLATED: see the rows";
    case Exit::not_delivered:
      return "NOT DELIVERED or NOT AS PREDICTED: see the rows";
    default:
      return "some runs were refused: see the rows";
  }
}

}  // namespace

void ReportArguments::add_to(CLI::App& app) {
  const OptionGroup add{app, "Output"};
  add("--report", report, "FILE.html",
      "Write a self-contained HTML report with tables and interactive plots; works offline");
  add("--plot", plot, "FILE.svg|pdf|png", "Write one plot of the report as an image");
  add("--plot-number", number, "N", "Number of the plot that --plot writes; 1 is the first one");
}

void ComparedArguments::add_task_to(CLI::App& app, unsigned size) {
  add_topology_and_operation(app, topology, operation, size);
  OptionGroup{app}("--bytes", bytes, "BYTES", block_bytes_meaning);
}

void ComparedArguments::add_to(CLI::App& app, std::string_view default_port_model) {
  parameters.add_compared_to(app);
  machine.add_to(app, default_port_model);
  costs.add_to(app);
  output.add_to(app);
  report.add_to(app);
}

RunRequest ComparedArguments::base() const {
  RunRequest request{.topology = topology, .operation = parse_operation(operation)};
  parameters.apply_to(request);
  machine.apply_to(request);
  request.block_bytes = parse_block_bytes(bytes).value_or(definite_block_bytes(request));
  return request;
}

report::Document document_for(std::string title, Exit exit, const Session& session,
                              std::vector<report::Section> sections) {
  return {.title = std::move(title),
          .verdict = verdict_of(exit),
          .ok = exit == Exit::ok,
          .provenance = provenance(session.command_line),
          .sections = std::move(sections)};
}

ReportFiles::ReportFiles(const ReportArguments& arguments, const std::optional<std::string>& result)
    : arguments_(arguments) {
  if (arguments.report) report_.emplace(arguments.report, "report");
  if (arguments.plot) plot_.emplace(arguments.plot, "plot");
  if (arguments.report && !arguments.report->ends_with(".html"))
    throw invalid("report: '{}' does not end in .html", *arguments.report);
  for (const auto& [option, file] :
       {std::pair{"report", arguments.report}, std::pair{"plot", arguments.plot}})
    if (file && result && real_path(*file) == real_path(*result))
      throw invalid("--{} and --output name the same file", option);
  if (!plot_ && arguments.number != ReportArguments().number)
    throw InvalidParameter("--plot-number needs --plot FILE");
  if (!plot_) return;
  (void)parse_count("plot-number", arguments_.number, 1);
  const std::string format = plot_format(*arguments_.plot);
  if (format != "svg" && !is_installed(converter))
    throw invalid(
        "plot: .{} needs the program {} (Debian package librsvg2-bin); install it, or use .svg",
        format, converter);
}

void ReportFiles::write(const std::function<report::Document()>& document) {
  if (!arguments_.wanted()) return;
  const report::Document made = document();
  if (report_) report_->write(html_of(made));
  if (!plot_) return;
  const std::vector<report::Plot> plots = made.plots();
  const std::uint64_t number = parse_count("plot-number", arguments_.number, 1);
  if (plots.empty()) throw InvalidParameter("plot: these results have no plot");
  if (number > plots.size())
    throw invalid("plot-number: {} is too large; allowed: 1 to {}", number, plots.size());
  const std::string svg = svg_of(plots[number - 1]);
  const std::string format = plot_format(*arguments_.plot);
  plot_->write(format == "svg" ? svg : converted(svg, format));
}

}  // namespace lockstep::cli
