// SPDX-License-Identifier: Apache-2.0

/// lockstep list: what there is, by name; operations, algorithms and their parameters also those of
/// one network. The first CSV column is what a user types (shell completion reads it).

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/check_setting.hpp"
#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/gap_list.hpp"
#include "cli/graph_options.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "core/invalid.hpp"
#include "core/joined.hpp"
#include "core/suggest.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/machine/detail/channels.hpp"
#include "lockstep/machine/spsc_channels.hpp"
#include "lockstep/report/table.hpp"
#include "papers/paper.hpp"
#include "program/cost_formulas.hpp"
#include "report/fields.hpp"
#include "study/operation_matrix.hpp"
#include "study/term_list.hpp"

namespace lockstep::cli {
namespace {

struct ListedAlgorithm {
  AlgorithmInfo info;
  std::string networks;
};

/// The request: list everything, or what runs on a network, or what runs there for an operation.
struct Wanted {
  std::optional<AnyTopology> network{};
  std::optional<Operation> operation{};
  std::string network_name{};

  /// The network, or an example of every family.
  [[nodiscard]] std::vector<AnyTopology> networks() const {
    return network ? std::vector{*network} : study::example_networks();
  }

  [[nodiscard]] std::vector<ListedAlgorithm> algorithms() const {
    std::vector<ListedAlgorithm> found;
    if (!network)
      for (const AlgorithmEntry& entry : algorithm_catalog())
        found.push_back({entry.info, entry.networks.text()});
    else
      for (const OperationInfo& info : operation_catalog())
        if (!operation || *operation == info.operation)
          for (const AlgorithmInfo& one : algorithms_for(*network, info.operation))
            found.push_back({one, network_name});
    return found;
  }
};

template <class... Texts>
void add_row(Table& table, const Texts&... cells) {
  table.add({std::string(cells)...});
}

[[nodiscard]] Table topologies(const Wanted&) {
  Table table({{"topology"}, {"meaning"}, {"example"}, {"source"}});
  for (const TopologyInfo& info : topology_catalog())
    add_row(table, info.grammar, info.meaning, info.example, info.source);
  return table;
}

/// Networks on which it runs without a file of the user's, each once.
[[nodiscard]] std::string places_of(Operation operation,
                                    const std::vector<ListedAlgorithm>& algorithms) {
  std::vector<std::string_view> places;
  for (const ListedAlgorithm& listed : algorithms)
    if (listed.info.operation == operation &&
        std::ranges::none_of(listed.info.parameters, &Parameter::required) &&
        std::find(places.begin(), places.end(), listed.networks) == places.end())
      places.push_back(listed.networks);
  return joined(places, "; ");
}

[[nodiscard]] Table operations(const Wanted& wanted) {
  Table table({{"operation"}, {"meaning"}, {"runs_on"}, {"other_names"}});
  const std::vector<ListedAlgorithm> algorithms = wanted.algorithms();
  for (const OperationInfo& info : operation_catalog())
    if (const std::string places = places_of(info.operation, algorithms); !places.empty())
      add_row(table, name_of(info.operation), info.meaning, places, info.other_names);
  return table;
}

[[nodiscard]] Table port_model_list(const Wanted&) {
  Table table({{"port_model"}, {"sends"}, {"receptions"}, {"link"}, {"switching"}});
  const auto count = [](std::uint32_t messages) {
    return messages == port_models::any_number ? std::string("all ports")
                                               : fmt::format("{}", messages);
  };
  for (const PortModel& model : port_models::all)
    add_row(table, model.name, count(model.sends), count(model.receptions),
            model.duplex == Duplex::full ? "both directions" : "one direction per step",
            model.switching == Switching::packet ? "packet: one link per step"
                                                 : "wormhole: a whole route per step");
  return table;
}

[[nodiscard]] Table algorithms(const Wanted& wanted) {
  Table table({{"algorithm"},
               {"operation"},
               {"topologies"},
               {"port_model"},
               {"options"},
               {"summary"},
               {"source"},
               {"costs"}});
  for (const auto& [info, networks] : wanted.algorithms()) {
    add_row(table, info.name, name_of(info.operation), networks, info.model.name,
            joined(info.parameters, " ",
                   [](const Parameter& option) { return fmt::format("--{}", option.name); }),
            fmt::format("{}{}", info.summary,
                        info.commutative ? "; requires a commutative operator" : ""),
            info.source,
            info.claims.any() ? fmt::format("{}; {}", cost_text(info), info.claims.text())
                              : cost_text(info));
  }
  return table;
}

/// The words; of a number or file that may be given in their place, this too.
[[nodiscard]] std::string values_text(const Parameter& parameter) {
  std::vector<std::string_view> values;
  if (parameter.kind == Parameter::Kind::count) values.emplace_back("number");
  values.insert(values.end(), parameter.words.begin(), parameter.words.end());
  if (!parameter.open_word.empty()) values.push_back(parameter.open_word);
  if (values.empty() || parameter.kind == Parameter::Kind::file)
    values.push_back(parameter.placeholder);
  return joined(values, " ");
}

[[nodiscard]] Table parameters(const Wanted& wanted) {
  Table table({{"parameter"}, {"values"}, {"default"}, {"meaning"}});
  const std::vector<ListedAlgorithm> algorithms = wanted.algorithms();
  for (const Parameter& parameter : parameter_catalog())
    if (std::ranges::any_of(algorithms, [&](const ListedAlgorithm& listed) {
          return parameter_of(listed.info.parameters, parameter.name) != nullptr;
        }))
      add_row(table, parameter.name, values_text(parameter), std::string(parameter.default_text()),
              std::string(parameter.meaning));
  return table;
}

[[nodiscard]] Table channels(const Wanted&) {
  Table table({{"channel"}, {"meaning"}, {"memory"}, {"algorithms"}});
  table.add({"row", "one register per port, for steps in which all processors send alike",
             "16 bytes per arc", "where all processors make the same moves: the default there"});
  table.add({"slot", "one register per link direction; otherwise the default", "16 bytes per arc",
             "all except those that use wormhole switching"});
  table.add(
      {"spsc", "one boost::lockfree::spsc_queue per link direction; cross-checks the others",
       fmt::format("{} bytes per arc", SpscChannels::bytes({1, 1})),
       "some, such as packing, levelwise and tree; the error message lists the allowed kinds"});
  table.add({"mailbox", "one register per node, which receives at most one message per step",
             "16 bytes per node", "some in which a node receives at most one message per step"});
  table.add({"wormhole",
             "one register per link direction, for routes that hold all their links in a step; "
             "selected automatically",
             fmt::format("{} bytes per arc", WormholeChannels::bytes({1, 1})),
             "aggregation, aggregation-plus, schedules with routes"});
  return table;
}

/// Names of algorithms under a heading.
using NamedGroup = std::pair<std::string, std::vector<std::string_view>>;

/// The algorithms of an operation that need no file, by the headings of each.
template <class Headings>
[[nodiscard]] std::vector<NamedGroup> grouped_algorithms(Operation operation,
                                                         const Headings& headings) {
  std::vector<NamedGroup> groups;
  for (const AlgorithmEntry& entry : algorithm_catalog()) {
    if (entry.info.operation != operation ||
        std::ranges::any_of(entry.info.parameters, &Parameter::required))
      continue;
    for (const auto& heading : headings(entry.networks)) {
      auto group = std::ranges::find(groups, heading, &NamedGroup::first);
      if (group == groups.end()) group = groups.insert(groups.end(), {std::string(heading), {}});
      group->second.push_back(entry.info.name);
    }
  }
  return groups;
}

/// The names in lines that a reader takes in at a glance.
[[nodiscard]] std::vector<std::string> lines_of(const std::vector<std::string_view>& names) {
  constexpr std::size_t most_characters = 110;
  std::vector<std::string> lines;
  for (const std::string_view name : names)
    if (!lines.empty() && lines.back().size() + name.size() + 2 <= most_characters)
      lines.back().append(", ").append(name);
    else
      lines.emplace_back(name);
  return lines;
}

/// All algorithms by operation and heading; `lines` makes the cells of their names.
template <class Headings, class Lines>
[[nodiscard]] Table all_algorithms_by(const Headings& headings, const Lines& lines) {
  Table table({{"operation"}, {"networks"}, {"algorithms"}});
  for (const OperationInfo& info : operation_catalog())
    for (const auto& [networks, names] : grouped_algorithms(info.operation, headings))
      for (const std::string& line : lines(names))
        add_row(table, name_of(info.operation), networks, line);
  return table;
}

[[nodiscard]] Table coverage(const Wanted&) {
  return all_algorithms_by([](const auto& networks) { return networks.families(); }, lines_of);
}

[[nodiscard]] Table limits(const Wanted&) {
  return all_algorithms_by([](const auto& networks) { return std::vector{networks.text()}; },
                           [](const auto& names) { return std::vector{joined(names, ", ")}; });
}

[[nodiscard]] Table papers(const Wanted&) {
  Table table({{"paper"}, {"title"}});
  for (const lockstep::papers::Paper* const paper : lockstep::papers::all_papers())
    add_row(table, paper->name, paper->data().title());
  return table;
}

[[nodiscard]] Table matrix(const Wanted& wanted) {
  return study::operation_matrix(wanted.networks(), wanted.operation);
}
[[nodiscard]] Table subject_list(const Wanted&);

struct Subject {
  std::string_view name;
  std::string_view meaning;
  Table (*table)(const Wanted&);
  bool of_a_network = false;
  bool only_by_name = false;  ///< is no part of the list of everything
};

constexpr std::array list_subjects{
    Subject{"topologies", "networks and how to write them", topologies},
    Subject{"operations", "collective operations and their other names", operations, true},
    Subject{"algorithms", "algorithms: networks, options, cost", algorithms, true},
    Subject{"coverage", "algorithms of each operation, by families of networks", coverage},
    Subject{"limits", "networks that each algorithm supports, with limits", limits, false, true},
    Subject{"matrix",
            "default algorithm and port model of every operation on every network; "
            "refused: `run` gives the reason",
            matrix, true, true},
    Subject{"parameters", "parameters of algorithms: options of run, lists of sweep", parameters,
            true},
    Subject{"ports", "port models: what a node may send and receive per step", port_model_list},
    Subject{"channels", "kinds of channel between processors", channels},
    Subject{"papers", "papers that `reproduce` recomputes", papers},
    Subject{"columns", "names in CSV and JSON and their meaning",
            [](const Wanted&) { return study::column_list(); }},
    Subject{"terms", "words of reports and help and their meaning",
            [](const Wanted&) { return study::term_list(); }},
    Subject{"subjects", "this list", subject_list}};

Table subject_list(const Wanted&) {
  Table table({{"subject"}, {"meaning"}});
  for (const Subject& subject : list_subjects) add_row(table, subject.name, subject.meaning);
  return table;
}

/// "topologies, operations, .. or subjects"
[[nodiscard]] std::string names_of_subjects() {
  std::string names;
  for (std::size_t i = 0; i < list_subjects.size(); ++i) {
    if (i != 0) names += i + 1 < list_subjects.size() ? ", " : " or ";
    names += list_subjects[i].name;
  }
  return names;
}

struct ListOptions {
  std::string subject;
  std::optional<std::string> topology{};
  std::optional<std::string> operation{};
  bool gap = false;
  OutputArguments output{};
  ReportArguments report{};
};

[[nodiscard]] std::string everything(std::size_t page) {
  std::string text;
  for (const Subject& subject : list_subjects)
    if (subject.table != subject_list && !subject.only_by_name)
      text += (text.empty() ? "" : "\n") + subject.table({}).text(page);
  return text +
         "\nSizes may be ranges in a sweep: star:4..7\n"
         "A schedule file runs on any network: `lockstep run --help` shows its format\n";
}

[[nodiscard]] Wanted wanted_by(const ListOptions& options, const Subject& subject) {
  if (!options.topology) return {};
  if (!subject.of_a_network)
    throw invalid(
        "list {}: unexpected argument '{}'; only `list operations`, `list "
        "algorithms`, `list matrix` and `list parameters` accept a topology",
        subject.name, *options.topology);
  Wanted wanted{.network = make_topology(*options.topology), .network_name = *options.topology};
  print_reading_notes(wanted.network.value(), options.output.quiet);
  if (options.operation) wanted.operation = parse_operation(*options.operation);
  return wanted;
}

[[nodiscard]] std::string json_of(const Subject& subject, const Table& table,
                                  const Session& session) {
  nlohmann::ordered_json json =
      report::json_head("lockstep.list/1", provenance(session.command_line));
  json["subject"] = subject.name;
  json["rows"] = report::json_of(table);
  return report::json_text(json);
}

/// Throws InvalidParameter for options that the subject does not have.
void check_combination(const ListOptions& options) {
  if (options.gap && options.subject != "matrix")
    throw InvalidParameter("list: --gap needs the subject matrix: `lockstep list matrix --gap`");
  if (options.report.wanted() && !options.gap)
    throw InvalidParameter(
        "list: --report and --plot need the gap matrix: `lockstep list matrix --gap`");
}

int list(const ListOptions& options, const Session& session) {
  check_combination(options);
  if (options.subject.empty()) {
    const auto refused = []() -> std::string {
      throw InvalidParameter("list: --format csv and json need a subject: " + names_of_subjects());
    };
    AnswerTarget(options.output).write({.text = everything, .csv = refused, .json = refused});
    return code(Exit::ok);
  }
  const Subject& subject = named("list", options.subject, list_subjects, &Subject::name);
  if (options.gap) {
    const Wanted wanted = wanted_by(options, subject);
    return list_gaps({wanted.networks(), wanted.operation, options.output, options.report},
                     session);
  }
  const Table table = subject.table(wanted_by(options, subject));
  AnswerTarget(options.output)
      .write({.text =
                  [&](std::size_t page) {
                    return table.rows().empty() ? fmt::format("no {}\n", subject.name)
                                                : table.text(page);
                  },
              .csv = [&] { return table.csv(); },
              .json = [&] { return json_of(subject, table, session); }});
  return code(Exit::ok);
}

}  // namespace

Action declare_list(CLI::App& app, const Session& session) {
  const auto options = std::make_shared<ListOptions>();
  app.footer("Example: lockstep list algorithms star:6 total-exchange");
  app.add_option("subject", options->subject,
                 names_of_subjects() + " (default: all but limits, matrix and subjects)");
  app.add_option("topology", options->topology,
                 "List only the operations, algorithms, matrix or parameters of this network");
  app.add_option("operation", options->operation,
                 "List only the algorithms, matrix or parameters of this operation");
  OptionGroup{app}.flag("--gap", options->gap,
                        "With matrix: show the best time over its lower bound, by port model and\n"
                        "t_s/t_m, and the algorithm that reaches it");
  add_graph_options(app, options->topology);
  options->output.add_to(app);
  options->report.add_to(app);
  return [options, &session] { return list(*options, session); };
}

}  // namespace lockstep::cli
