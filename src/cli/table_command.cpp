// SPDX-License-Identifier: Apache-2.0

/// lockstep table: exchange tables of star graphs built, searched, checked and shown.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>
#include <thread>
#include <vector>

#include "algorithm/exchange_table/exchange_table.hpp"
#include "algorithm/exchange_table/table_file.hpp"
#include "algorithm/exchange_table/table_search.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/table_check.hpp"
#include "core/suggest.hpp"
#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "report/quantities.hpp"

namespace lockstep::cli {
namespace {

using report::count_text;
using report::seconds_text;

/// What is asked for: star:6 total.
struct TableArguments {
  std::string topology;
  std::string kind = "total";
  bool base = false;
  std::optional<std::string> file{};

  void add_to(CLI::App& app) {
    app.add_option("topology", topology, "Star graph, such as star:6")->required();
    app.add_option("kind", kind, "total, or odd for the nodes at odd distance only")
        ->type_name("KIND")
        ->required();
    const OptionGroup add{app};
    add.flag("--base", base, "Write only the base block, without the orbit blocks");
    add("--output", file, "FILE",
        "Write the result to this file, completely or not at all (default: stdout)");
    app.footer(
        fmt::format("Example: lockstep table {} star:6 odd --output odd.table", app.get_name()));
  }

  [[nodiscard]] TableKind full_kind() const {
    if (kind != "total" && kind != "odd")
      throw InvalidParameter(unknown("kind of table", kind, {"total", "odd"}));
    return table_kind(kind);
  }
};

[[nodiscard]] std::size_t symbols_of(const std::string& topology) {
  const AnyTopology network = make_topology(topology);
  const auto* const star = network.as<StarGraph>();
  if (star == nullptr)
    throw InvalidParameter(
        fmt::format("table: '{}' is not valid; expected a star graph such as star:6", topology));
  return star->symbols();
}

[[nodiscard]] std::string file_text(const ExchangeTable& table, const std::string& remark) {
  std::ostringstream text;
  write_exchange_table(text, table, remark);
  return text.str();
}

int build(const TableArguments& arguments, const Session& session) {
  const std::size_t symbols = symbols_of(arguments.topology);
  const TableKind kind = arguments.full_kind();
  Output output(arguments.file);
  output.write(file_text(optimal_exchange_table(symbols, arguments.base ? base_of(kind) : kind),
                         session.command_line));
  return code(Exit::ok);
}

struct SearchArguments {
  TableArguments table{};
  std::string seconds = "120";
  std::string seed = "1";
  std::optional<std::string> threads{};
  std::optional<std::string> fillers{};
  bool quiet = false;

  void add_to(CLI::App& app) {
    table.add_to(app);
    const OptionGroup add{app};
    add("--seconds", seconds, "SECONDS", "Time limit of the search");
    add("--seed", seed, "NUMBER", "Seed of the random choices");
    add("--threads", threads, "NUMBER",
        "Number of independent search workers (default: all cores); with 1, the seed determines\n"
        "the result");
    add("--fillers", fillers, "NUMBER,...",
        "Distances packed together with the exceptional nodes (default: 1,2; for odd 1,3)");
    add.flag("--quiet", quiet, "Print no progress and no summary");
  }

  [[nodiscard]] TableSearchOptions options() const {
    TableSearchOptions options;
    options.seconds = parse_number("seconds", seconds);
    options.seed = parse_count("seed", seed);
    options.workers = threads ? parse_count("threads", *threads, 1, max_workers)
                              : std::max(1U, std::thread::hardware_concurrency());
    if (fillers)
      for (const std::string& piece : split(*fillers))
        options.fillers.push_back(parse_count("fillers", piece, 1, Permutation::max_size));
    return options;
  }
};

[[nodiscard]] std::string summary_of(const TableSearchResult& result, std::size_t symbols,
                                     TableKind kind) {
  const std::string effort =
      fmt::format("{} after {} and {}", result.base ? "found" : "not found",
                  seconds_text(result.wall_seconds), counted(result.restarts, "descent"));
  return fmt::format("star:{} {}: base block of {} words in {} columns {}{}", symbols, name(kind),
                     count_text(result.words), count_text(result.columns), effort,
                     result.base ? ""
                                 : fmt::format("; the best attempt filled {} columns",
                                               count_text(result.full_columns)));
}

/// "searching: 12 descents, the best filled 99 columns, 14 s"
[[nodiscard]] std::string progress_of(const TableSearchProgress& counts, double seconds) {
  return fmt::format("searching: {} descents, the best filled {} columns, {}",
                     count_text(counts.restarts), count_text(counts.full_columns),
                     seconds_text(seconds));
}

int search(const SearchArguments& arguments, const Session& session) {
  const std::size_t symbols = symbols_of(arguments.table.topology);
  const TableKind kind = arguments.table.full_kind();
  TableSearchOptions options = arguments.options();
  if (!arguments.table.base && symbols > max_full_table_symbols)
    throw InvalidParameter(fmt::format(
        "table search: no full table for {} symbols; allowed: {}..{}, or --base for the base block",
        symbols, min_table_symbols, max_full_table_symbols));
  Output output(arguments.table.file);
  TableSearchProgress counts;
  options.progress = &counts;
  options.stop = session.stop;
  const TableSearchResult result = [&] {
    const StatusLine shown(
        [&](double seconds, std::size_t) { return progress_of(counts, seconds); },
        arguments.quiet ? StatusLine::Show::never : StatusLine::Show::on_terminal);
    return search_base_block(symbols, kind, options);
  }();
  if (!arguments.quiet) print_note(summary_of(result, symbols, kind));
  const bool interrupted = !result.base && session.stop.stop_requested();
  if (interrupted && !arguments.quiet) print_note("lockstep: INTERRUPTED");
  if (!result.base) return code(interrupted ? Exit::interrupted : Exit::not_delivered);
  output.write(
      file_text(arguments.table.base ? *result.base : assemble_exchange_table(*result.base),
                fmt::format("found with seed {} and {} workers: {}", options.seed, options.workers,
                            session.command_line)));
  return code(Exit::ok);
}

struct CheckArguments {
  std::vector<std::string> files;
  bool optimal = false;
  std::string format = "text";

  void add_to(CLI::App& app) {
    app.add_option("files", files, "Table files, in the format that `table build` writes")
        ->type_name("FILE...")
        ->required();
    const OptionGroup add{app};
    add.flag("--optimal", optimal, "Report more columns than the lower bound as a fault");
    add("--format", format, "FORMAT", "Output format: text (one line per fault) or json");
    app.footer(
        "Example: lockstep table check odd.table --optimal\n"
        "Exit codes: 0 all tables are valid; 1 a table has a fault; 2 a file cannot be read.");
  }
};

int check(const CheckArguments& arguments, const Session& session) {
  if (arguments.format != "text" && arguments.format != "json")
    throw InvalidParameter(unknown("format", arguments.format, {"text", "json"}));
  std::vector<CheckedFile> files;
  int exit = code(Exit::ok);
  for (const std::string& path : arguments.files) {
    files.push_back(check_file(path, arguments.optimal ? Demand::optimal : Demand::valid));
    exit = std::max(exit, code(files.back().exit()));
  }
  Output output(std::nullopt);
  if (arguments.format == "json") {
    output.write(json_of(files, session));
    return exit;
  }
  for (const CheckedFile& file : files) {
    if (file.unreadable.empty())
      output.write_text(text_of(file));
    else
      print_note("lockstep: " + file.unreadable);
  }
  return exit;
}

struct ShowArguments {
  std::string what;
  std::string kind = "total";

  void add_to(CLI::App& app) {
    app.add_option("table", what, "A file, or a star graph such as star:5")
        ->type_name("FILE|TOPOLOGY")
        ->required();
    OptionGroup{app}("kind", kind, "KIND",
                     "Kind of table of a star graph: total, odd, base-total or base-odd");
    app.footer("Example: lockstep table show star:4 odd");
  }
};

[[nodiscard]] bool is_topology(const std::string& what) { return what.rfind("star:", 0) == 0; }

int show_rows(const ShowArguments& arguments, const Session&) {
  ExchangeTableFile file;
  if (is_topology(arguments.what))
    file.table = optimal_exchange_table(symbols_of(arguments.what), table_kind(arguments.kind));
  else
    file = read_table_file(arguments.what);
  const ExchangeTable& table = file.table;
  const std::vector<TableFault> faults = check_exchange_table(file);
  std::string text;
  const auto say = [&](std::string_view what, const std::string& value) {
    text += fmt::format("{:<12} {}\n", what, value);
  };
  say("table", fmt::format("star:{} {}", table.symbols, name(table.kind)));
  say("columns", count_text(table.columns));
  say("bound", fmt::format("{}{}", count_text(lower_bound_columns(table.symbols, table.kind)),
                           is_base(table.kind) ? ", of the full table" : ""));
  say("words", count_text(word_count(table)));
  say("letters", count_text(letter_count(table)));
  if (faults.empty()) say("blanks", count_text(blank_count(table)));
  if (faults.empty()) say("optimal", check_optimality(table).empty() ? "yes" : "no");
  const std::string exceptional = exceptional_words_text(table);
  if (faults.empty()) say("exceptional", exceptional.empty() ? "none" : exceptional);
  for (const TableFault& fault : faults) say("fault", fault_text(fault, arguments.what));
  Output output(std::nullopt);
  output.write_text(text + "\n" + rows_text(table));
  return code(faults.empty() ? Exit::ok : Exit::not_delivered);
}

/// An action of `table`, with arguments of its own.
template <class Arguments>
void add_action(CLI::App& table, const char* name, const char* summary, Action& chosen,
                const Session& session, int (*act)(const Arguments&, const Session&)) {
  CLI::App& app = *table.add_subcommand(name, summary);
  const auto arguments = std::make_shared<Arguments>();
  arguments->add_to(app);
  app.callback([&chosen, &session, arguments, act] {
    chosen = [&session, arguments, act] { return act(*arguments, session); };
  });
}

}  // namespace

Action declare_table(CLI::App& app, const Session& session) {
  const auto chosen = std::make_shared<Action>();  // what stands behind `table`
  app.require_subcommand(0, 1);

  add_action(app, "build", "Write the built-in optimal table, n = 3..8", *chosen, session, build);
  add_action(app, "search", "Search an optimal table for any n", *chosen, session, search);
  add_action(app, "check", "Check table files; report the reason and place of every fault", *chosen,
             session, check);
  add_action(app, "show", "Show the rows as the paper prints them, columns, blanks and bound",
             *chosen, session, show_rows);
  // After the subcommands, which would inherit both.
  app.allow_extras();
  app.footer("Example: lockstep table show star:4 odd");
  return [chosen, &app] {
    if (*chosen) return (*chosen)();
    const std::vector<std::string> words = app.remaining();
    if (words.empty())
      throw InvalidParameter("table: no action given; expected build, search, check or show");
    throw InvalidParameter(
        unknown("action of table", words.front(), {"build", "search", "check", "show"}));
  };
}

}  // namespace lockstep::cli
