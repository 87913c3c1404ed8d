// SPDX-License-Identifier: Apache-2.0

/// lockstep sweep: a grid of runs, row by row.

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/sweep_grid.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/report/table.hpp"
#include "report/quantities.hpp"
#include "study/run_series.hpp"
#include "study/sweep_best.hpp"
#include "study/sweep_file.hpp"
#include "study/sweep_row.hpp"

namespace lockstep::cli {
namespace {

using report::cell_of;
using namespace study;  // NOLINT(google-build-using-namespace): it prints what an experiment found
using report::Fields;
using report::value_of;

/// The cells of the table as a reader sees them.
class SweepTable {
 public:
  explicit SweepTable(const RunSeries& series)
      : channels_(varies(series, [](const RunRequest& r) { return index_of(r.channel); })),
        threads_(varies(series, [](const RunRequest& r) { return r.workers; })),
        batches_(any(series, "batch")),
        disciplines_(any(series, "discipline")),
        table_(columns(series)) {}

  [[nodiscard]] std::string heading() const { return table_.text_heading(); }
  [[nodiscard]] std::string line(const Fields& row) const { return table_.text_line(cells(row)); }

 private:
  template <class Use>
  [[nodiscard]] static bool varies(const RunSeries& series, Use use) {
    for (std::size_t i = 1; i < series.size(); ++i)
      if (use(series.request(i)) != use(series.request(0))) return true;
    return false;
  }
  [[nodiscard]] static bool any(const RunSeries& series, std::string_view setting) {
    for (std::size_t i = 0; i < series.size(); ++i)
      if (series.request(i).settings.find(setting) != nullptr) return true;
    return false;
  }
  [[nodiscard]] static int index_of(ChannelKind kind) { return static_cast<int>(kind); }

  [[nodiscard]] std::vector<Table::Column> columns(const RunSeries& series) const {
    std::size_t name = 0;
    std::size_t algorithm = 0;
    std::size_t factors = 1;
    for (std::size_t i = 0; i < series.size(); ++i) {
      const RunRequest& request = series.request(i);
      name = std::max(name, request.topology.name().size());
      algorithm = std::max(algorithm, request.algorithm.size());
      factors = std::max(factors, 2 * request.settings.numbers("k").size());
    }
    constexpr auto right = Table::Align::right;
    std::vector<Table::Column> all{{"topology", Table::Align::left, name},
                                   {"algorithm", Table::Align::left, algorithm},
                                   {"k", Table::Align::left, factors - 1}};
    if (disciplines_) all.push_back({"discipline", Table::Align::left, 14});
    if (batches_) all.push_back({"batch", right, 5});
    all.push_back({"bytes", right, 5});
    if (channels_) all.push_back({"channel", Table::Align::left, 7});
    if (threads_) all.push_back({"threads", right, 7});
    const std::vector<Table::Column> rest{
        {"start-ups", right, 9},   {"message times", right, 13}, {"predicted", right, 10},
        {"ETI", right, 7},         {"time", right, 11},          {"wall", right, 9},
        {"messages/s", right, 10}, {"verified", right, 10},      {"result"}};
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
  }

  [[nodiscard]] static std::string count(const Fields& row, std::string_view name) {
    const auto& content = value_of(row, name);
    if (const auto* const fraction = std::get_if<Fraction>(&content))
      return report::count_text(*fraction);
    const auto* const value = std::get_if<std::uint64_t>(&content);
    return value == nullptr ? "-" : report::count_text(*value);
  }
  template <class Text>
  [[nodiscard]] static std::string number(const Fields& row, std::string_view name, Text text) {
    const auto* const value = std::get_if<double>(&value_of(row, name));
    return value == nullptr ? "-" : text(*value);
  }
  [[nodiscard]] static std::string predicted(const Fields& row) {
    const std::string startups = count(row, "predicted_startups");
    const std::string times = count(row, "predicted_message_times");
    if (startups == "-") return "not known";
    if (startups == count(row, "startups") && times == count(row, "message_times"))
      return "as counted";
    return startups + " / " + times;
  }

  [[nodiscard]] std::vector<std::string> cells(const Fields& row) const {
    const auto or_dash = [&](std::string_view name) {
      const std::string text = cell_of(value_of(row, name));
      return text.empty() ? "-" : text;
    };
    std::vector<std::string> cells{cell_of(value_of(row, "topology")),
                                   cell_of(value_of(row, "algorithm")), or_dash("k")};
    if (disciplines_) cells.push_back(or_dash("discipline"));
    if (batches_) cells.push_back(or_dash("batch"));
    cells.push_back(count(row, "bytes"));
    if (channels_) cells.push_back(cell_of(value_of(row, "channel")));
    if (threads_) cells.push_back(count(row, "threads"));
    const std::string note = cell_of(value_of(row, "note"));
    const std::string status = cell_of(value_of(row, "status"));
    const std::vector<std::string> rest{
        count(row, "startups"),
        count(row, "message_times"),
        predicted(row),
        number(row, "eti", [](double eti) { return fmt::format("{:.4f}", eti); }),
        number(row, "time", report::number_text),
        number(row, "wall_seconds", report::seconds_text),
        number(row, "messages_per_second", report::rate_text),
        count(row, "messages_verified"),
        note.empty() ? status : status + ": " + note};
    cells.insert(cells.end(), rest.begin(), rest.end());
    return cells;
  }

  bool channels_;
  bool threads_;
  bool batches_;
  bool disciplines_;
  Table table_;
};

/// What came of the whole sweep.
struct Outcome {
  std::vector<Fields> rows;  ///< of this call
  Exit exit = Exit::ok;
};

/// Every run that `skip` does not know, handed to `take` as soon as it is done.
[[nodiscard]] Outcome run_all(RunSeries& series, const SweepSetup& setup,
                              const std::function<bool(const RunRequest&)>& skip,
                              const std::function<void(const Fields&)>& take) {
  Outcome outcome;
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (skip && skip(series.request(i))) {
      series.pass_over(i);
      continue;
    }
    const Measured measured = series.measure(i);
    outcome.exit = worse(outcome.exit, measured.exit);
    if (measured.interrupted()) break;
    outcome.rows.push_back(sweep_row(series.request(i), measured, setup));
    if (take) take(outcome.rows.back());
  }
  return outcome;
}

[[nodiscard]] Exit sweep_csv(RunSeries& series, const SweepSetup& setup,
                             const SweepArguments& arguments) {
  const std::vector<std::string> columns = report::names_of(sweep_row({}, {}, setup));
  SweepFile file({arguments.output.file, arguments.resume}, columns,
                 report::names_of(sweep_key({}, setup)));
  Exit exit = Exit::ok;
  const auto status = std::find(columns.begin(), columns.end(), "status") - columns.begin();
  for (const CsvRow& row : file.earlier())
    exit = worse(exit, exit_of_status(row.at(static_cast<std::size_t>(status))).value_or(exit));
  const auto skip = [&](const RunRequest& request) {
    return file.done(report::cells_of(sweep_key(request, setup)));
  };
  const auto take = [&](const Fields& row) { file.add(report::cells_of(row)); };
  return worse(exit, run_all(series, setup, skip, take).exit);
}

[[nodiscard]] std::string ending(const std::vector<Fields>& rows) {
  const Table best = best_by_ratio(rows);
  return best.rows().empty() ? "" : "\n" + best.text();
}

/// On stdout line by line, in a file all at once.
[[nodiscard]] Exit sweep_text(RunSeries& series, const SweepSetup& setup,
                              const SweepArguments& arguments) {
  Output output(arguments.output.file);
  const SweepTable table(series);
  std::string all;
  const auto say = [&](const std::string& text) {
    if (arguments.output.file)
      all += text;
    else
      output.write(text);
  };
  say(table.heading());
  const Outcome outcome =
      run_all(series, setup, {}, [&](const Fields& row) { say(table.line(row)); });
  say(ending(outcome.rows));
  if (arguments.output.file) output.write(all);
  return outcome.exit;
}

[[nodiscard]] Exit sweep_json(RunSeries& series, const SweepSetup& setup,
                              const SweepArguments& arguments, const Session& session) {
  Output output(arguments.output.file);
  const Outcome outcome = run_all(series, setup, {}, {});
  auto json = report::json_head("lockstep.sweep/1", provenance(session.command_line));
  json["rows"] = nlohmann::ordered_json::array();
  for (const Fields& row : outcome.rows) json["rows"].push_back(report::json_of(row));
  json["best"] = nlohmann::ordered_json::array();
  for (const Fields& row : best_rows(outcome.rows)) json["best"].push_back(report::json_of(row));
  json["interrupted"] = outcome.exit == Exit::interrupted;
  json["ok"] = outcome.exit == Exit::ok;
  output.write(json.dump(2) + "\n");
  return outcome.exit;
}

int sweep(const SweepArguments& arguments, const Session& session) {
  const Format format = parse_format(arguments.output.format);
  if (arguments.resume && (format != Format::csv || !arguments.output.file))
    throw InvalidParameter("resume: given without --format csv and --output FILE");
  const SweepSetup setup{.repeats = parse_count("repeat", arguments.repeat, 1),
                         .costs = arguments.costs.parameters(),
                         .version = provenance(session.command_line).version};
  SeriesProgress progress(arguments.output.progress());
  RunSeries series(sweep_requests(arguments),
                   {.repeats = setup.repeats, .stop = session.stop, .display = &progress});
  Exit exit = Exit::ok;
  if (format == Format::csv) exit = sweep_csv(series, setup, arguments);
  if (format == Format::text) exit = sweep_text(series, setup, arguments);
  if (format == Format::json) exit = sweep_json(series, setup, arguments, session);
  if (exit == Exit::interrupted && !arguments.output.quiet)
    fmt::print(stderr, "lockstep: interrupted{}\n",
               format == Format::csv && arguments.output.file
                   ? "; the same command with --resume continues"
                   : "");
  return code(exit);
}

}  // namespace

Action declare_sweep(CLI::App& app, const Session& session) {
  const auto arguments = std::make_shared<SweepArguments>();
  arguments->add_to(app);
  app.footer(
      "Example: lockstep sweep star:4..6 total-exchange --k all --bytes 8,64,512\n"
      "ETI: the part of the time that is saved against packing with k = 1, for --ts and --tm.\n"
      "With --format csv every row is in --output FILE as soon as it is done.");
  return [arguments, &session] { return sweep(*arguments, session); };
}

}  // namespace lockstep::cli
