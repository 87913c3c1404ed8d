// SPDX-License-Identifier: Apache-2.0

/// lockstep reproduce: a paper's tables and figures, ours beside printed.

#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/reproduce_star.hpp"
#include "cli/run_series.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/cost/star_paper.hpp"
#include "lockstep/report/table.hpp"

namespace lockstep::cli {
namespace {

struct ReproduceOptions {
  std::string paper;
  std::optional<unsigned> table{};
  std::optional<unsigned> figure{};
  MachineArguments machine{};
  OutputArguments output{};
};

[[nodiscard]] std::vector<PaperRow> chosen_rows(const ReproduceOptions& options) {
  if (options.table) {
    switch (*options.table) {
      case 1:
        return star_paper::table1();
      case 2:
        return star_paper::table2();
      case 3:
        return star_paper::table3();
      default:
        throw InvalidParameter(fmt::format("table: {} given, allowed 1, 2, 3", *options.table));
    }
  }
  if (!options.figure) return star_paper::all();
  if (*options.figure != 2 && *options.figure != 3 && *options.figure != 4 && *options.figure != 6)
    throw InvalidParameter(fmt::format("figure: {} given, allowed 2, 3, 4, 6", *options.figure));
  return star_paper::figure(*options.figure);
}

[[nodiscard]] Table table_of(const std::vector<PaperRow>& rows) {
  using Align = Table::Align;
  Table table({{"where"},
               {"topology"},
               {"n", Align::right},
               {"k", Align::right},
               {"t_s/t_m", Align::right},
               {"quantity"},
               {"printed", Align::right},
               {"ours", Align::right},
               {"exact", Align::right},
               {"verdict"},
               {"erratum", Align::right}});
  const auto number = [](std::size_t value) {
    return value == 0 ? std::string() : std::to_string(value);
  };
  for (const PaperRow& row : rows)
    table.add({row.where, row.topology, number(row.n), number(row.k), row.ratio, row.quantity,
               row.printed, row.ours, row.exact, row.agrees ? "agrees" : "differs",
               number(row.erratum)});
  return table;
}

/// The sentences of the errata that the rows refer to.
[[nodiscard]] std::string errata_of(const std::vector<PaperRow>& rows) {
  std::set<unsigned> numbers;
  for (const PaperRow& row : rows)
    if (row.erratum != 0) numbers.insert(row.erratum);
  std::string text;
  for (const unsigned number : numbers)
    text += fmt::format("erratum {}: {}\n", number, star_paper::erratum(number).sentence);
  return text;
}

int reproduce(const ReproduceOptions& options, const Session& session) {
  const Format format = parse_format(options.output.format);
  if (options.paper != "star" && options.paper != "all")
    throw InvalidParameter(fmt::format("paper: '{}' given, allowed star, all", options.paper));
  std::vector<PaperRow> rows = chosen_rows(options);
  Output output(options.output.file);
  Exit exit = Exit::ok;
  if (!options.table && !options.figure) {
    RunRequest machine;
    options.machine.apply_to(machine);
    CountedRows counted = count_star_costs(machine, session.stop);
    exit = counted.exit;
    rows.insert(rows.end(), counted.rows.begin(), counted.rows.end());
  }
  std::size_t unexplained = 0;
  for (const PaperRow& row : rows)
    unexplained += static_cast<std::size_t>(!row.agrees && row.erratum == 0);
  const Table table = table_of(rows);
  if (format == Format::csv) output.write(table.csv());
  if (format == Format::json) output.write(table.json());
  if (format == Format::text)
    output.write(table.text() + "\n" + errata_of(rows) +
                 fmt::format("{} rows, {} differ without an erratum that explains it\n",
                             rows.size(), unexplained));
  if (unexplained != 0) exit = worse(exit, Exit::not_delivered);
  return code(exit);
}

}  // namespace

Action declare_reproduce(CLI::App& app, const Session& session) {
  const auto options = std::make_shared<ReproduceOptions>();
  app.add_option("paper", options->paper, "Paper: star, or all")->required();
  app.add_option("--table", options->table, "Only this table: 1, 2 or 3")->type_name("N");
  app.add_option("--figure", options->figure, "Only the data of this figure: 2, 3, 4 or 6")
      ->type_name("N");
  options->machine.add_to(app);
  options->output.add_to(app);
  app.footer("Without --table and --figure, T(n,k) up to n = 6 is counted by the machine as well.");
  return [options, &session] { return reproduce(*options, session); };
}

}  // namespace lockstep::cli
