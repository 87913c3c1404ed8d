// SPDX-License-Identifier: Apache-2.0
#include "cli/graph_options.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <memory>
#include <set>

#include "cli/output.hpp"
#include "core/invalid.hpp"
#include "core/suggest.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "topology/graph_file.hpp"

namespace lockstep::cli {
namespace {

/// As typed.
struct GraphArguments {
  std::string format{};
  bool undirected = false;
  bool drop_self_loops = false;

  /// The first that was given; empty: none.
  [[nodiscard]] std::string_view given() const {
    if (!format.empty()) return "--graph-format";
    if (undirected) return "--undirected";
    return drop_self_loops ? "--drop-self-loops" : "";
  }
};

/// The name of a file with what was given; `rest` begins behind "file:".
[[nodiscard]] std::string with_arguments(std::string_view rest, const GraphArguments& arguments) {
  GraphFileName name = parse_graph_file_name(rest);
  if (!arguments.format.empty()) {
    const auto& known = named("graph format", arguments.format, graph_format_names);
    const auto format = static_cast<GraphFormat>(&known - graph_format_names.data());
    if (name.format && *name.format != format)
      throw invalid("--graph-format {} contradicts 'file:{}'", known, rest);
    name.format = format;
  }
  name.options.undirected |= arguments.undirected;
  name.options.drop_self_loops |= arguments.drop_self_loops;
  return text_of(name);
}

/// "product(file:a,file:b)" has two files; that of a cayley:file: is another one.
[[nodiscard]] bool name_arguments(std::string& text, const GraphArguments& arguments) {
  constexpr std::string_view prefix = "file:";
  bool found = false;
  for (std::size_t at = text.find(prefix); at != std::string::npos;
       at = text.find(prefix, at + prefix.size()))
    if (at == 0 || text[at - 1] == '(' || text[at - 1] == ',' || text[at - 1] == ' ') {
      const std::size_t behind = at + prefix.size();
      text.replace(behind, text.npos, with_arguments(text.substr(behind), arguments));
      found = true;
    }
  return found;
}

template <class Apply>
void add(CLI::App& app, Apply apply) {
  const auto arguments = std::make_shared<GraphArguments>();
  const auto flag = [&app](const char* name, bool& value, const char* meaning) {
    app.add_flag_callback(
        name, [&value] { value = true; }, meaning);
  };
  app.add_option_function<std::string>(
         "--graph-format", [arguments](const std::string& given) { arguments->format = given; },
         "Format of a network file (file:PATH): edges, dimacs, graphml, matrix or node-link "
         "(default: determined by the file extension)")
      ->type_name("FORMAT");
  flag("--undirected", arguments->undirected,
       "Make each arc of a directed network file a link; an arc and its reverse are one link");
  flag("--drop-self-loops", arguments->drop_self_loops,
       "Drop the self-loops of a network file (default: refuse the file)");
  app.parse_complete_callback([arguments, apply] {
    const std::string_view given = arguments->given();
    if (!given.empty() && !apply(*arguments))
      throw invalid("{} needs a network file (file:PATH)", given);
  });
}

}  // namespace

void add_graph_options(CLI::App& app, std::string& text) {
  add(app, [&text](const GraphArguments& arguments) { return name_arguments(text, arguments); });
}

void add_graph_options(CLI::App& app, std::optional<std::string>& text) {
  add(app, [&text](const GraphArguments& arguments) {
    return text && name_arguments(*text, arguments);
  });
}

void add_graph_options(CLI::App& app, std::vector<std::string>& texts) {
  add(app, [&texts](const GraphArguments& arguments) {
    bool found = false;
    for (std::string& text : texts) found |= name_arguments(text, arguments);
    return found;
  });
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as products are nested
std::vector<std::string> reading_notes(const ErasedTopology& network) {
  std::vector<std::string> lines;
  if (const auto* const file = network.as<FileNetwork>())
    for (const std::string& note : file->reading().notes)
      lines.push_back(fmt::format("{}: {}", file->reading().file, note));
  for (const ErasedTopology& factor : network.factors())
    for (std::string& line : reading_notes(factor))
      if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  return lines;
}

void print_reading_notes(const ErasedTopology& network, bool quiet) {
  if (quiet) return;
  for (const std::string& line : reading_notes(network)) print_note("lockstep: " + line);
}

void print_reading_notes(const std::vector<RunRequest>& requests, bool quiet) {
  if (quiet) return;
  std::set<std::string> printed;
  for (const RunRequest& request : requests)
    for (const std::string& line : reading_notes(request.topology))
      if (printed.insert(line).second) print_note("lockstep: " + line);
}

}  // namespace lockstep::cli
