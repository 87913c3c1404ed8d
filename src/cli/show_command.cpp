// SPDX-License-Identifier: Apache-2.0

/// lockstep show: a network, or one node of it, in the papers' labels.

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "cli/commands.hpp"
#include "cli/graph_dot.hpp"
#include "cli/graph_options.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "core/invalid.hpp"
#include "core/joined.hpp"
#include "core/suggest.hpp"
#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/detail/topology_model.hpp"
#include "lockstep/topology/metrics.hpp"
#include "papers/paper.hpp"
#include "report/fields.hpp"
#include "topology/disjoint_paths.hpp"
#include "topology/graph_builder.hpp"
#include "topology/graph_file.hpp"
#include "topology/node_names.hpp"

namespace lockstep::cli {
namespace {

using report::Fields;
using report::Unit;
using report::Value;

[[nodiscard]] NodeId node_of(const AnyTopology& topology, const std::string& name) {
  if (const std::optional<ReadNode> read = read_node(topology, name)) {
    if (read->is_number) note_number(topology, read->node, topology.name());
    return read->node;
  }
  const std::uint64_t last = topology.node_count() - 1;
  const std::string first_label = shown(topology.label(NodeId{0}));
  const std::string last_label = shown(topology.label(NodeId{last}));
  throw InvalidParameter(
      has_names(topology)
          ? fmt::format("{}: unknown node '{}'; allowed: names such as '{}' or '{}', and numbers "
                        "0..{}",
                        topology.name(), shown(name), first_label, last_label, last)
          : fmt::format("{}: unknown node '{}'; allowed: numbers 0..{} and labels such as '{}' or "
                        "'{}'",
                        topology.name(), shown(name), last, first_label, last_label));
}

[[nodiscard]] bool is_vertex_transitive(const AnyTopology& topology) {
  return topology.orbits().size() == 1;
}

/// Distances between all pairs of nodes; of a symmetric network those from one tell of all.
struct PairDistances {
  double sum = 0;
  double froms = 0;  ///< nodes that they were counted from
  double to = 0;     ///< nodes that they were counted to, from each
  bool of_all = false;
  bool nodes_differ = false;  ///< so that the network is not symmetric

  [[nodiscard]] Value mean() const { return sum / froms / to; }
  [[nodiscard]] Value mean_to_others() const { return to > 1 ? sum / froms / (to - 1) : Value(); }
};

/// Whether a search from each of `roots` nodes is short.
[[nodiscard]] bool can_search_from(const AnyTopology& topology, std::uint64_t roots) {
  const auto links = topology.link_count();
  return links && *links <= searchable_arcs / 2 / roots;
}

/// Empty where the network is too large to be searched; from that node alone where it is too large
/// to be searched from every node.
[[nodiscard]] std::optional<PairDistances> pair_distances(
    const AnyTopology& topology, const std::vector<std::uint64_t>& levels) {
  const std::uint64_t nodes = topology.node_count();
  const auto count = static_cast<double>(nodes);
  const bool transitive = is_vertex_transitive(topology);
  if (!transitive && can_search_from(topology, nodes)) {
    PairDistances all{.froms = count, .to = count, .of_all = true};
    const std::vector<NodeDistances>& figures = topology.distance_figures().nodes;
    for (const NodeDistances& node : figures) {
      all.sum += static_cast<double>(node.status);
      all.nodes_differ = all.nodes_differ || node != figures.front();
    }
    all.nodes_differ = all.nodes_differ || topology.orbits().size() > 1;
    return all;
  }
  if (levels.empty()) return std::nullopt;
  PairDistances own{.froms = 1, .to = count, .of_all = transitive};
  for (std::size_t d = 0; d < levels.size(); ++d)
    own.sum += static_cast<double>(d) * static_cast<double>(levels[d]);
  own.nodes_differ = topology.orbits().size() > 1;
  for (std::uint64_t u = 1; u < nodes && !transitive && !own.nodes_differ; ++u)
    own.nodes_differ = topology.degree(NodeId{u}) != topology.degree(NodeId{0});
  return own;
}

/// The same of the processors alone, in a network that has switches.
[[nodiscard]] std::optional<PairDistances> processor_distances(const AnyTopology& topology,
                                                               NodeId node) {
  if (topology.node_count() > searchable_nodes) return std::nullopt;
  const Network network = topology.network();
  const std::uint64_t processors = topology.processor_count();
  const bool all = can_search_from(topology, processors);
  PairDistances pairs{.froms = all ? static_cast<double>(processors) : 1,
                      .to = static_cast<double>(processors),
                      .of_all = all};
  for (std::uint64_t from = 0; from < (all ? processors : 1); ++from) {
    const std::vector<std::uint32_t> distances = distances_from(network, all ? NodeId{from} : node);
    for (std::uint64_t to = 0; to < processors; ++to) pairs.sum += distances[to];
  }
  return pairs;
}

/// The facts of text and JSON. Distances are counted from the node; they are not known if the
/// network is too large.
[[nodiscard]] Fields facts_of(const AnyTopology& topology, NodeId node) {
  const std::vector<std::uint64_t> levels = topology.level_sizes(node);
  const std::optional<PairDistances> pairs = pair_distances(topology, levels);
  const std::uint64_t switches = topology.node_count() - topology.processor_count();
  const std::optional<PairDistances> apart =
      switches == 0 ? pairs : processor_distances(topology, node);
  return {{"topology", topology.name()},
          {"nodes", topology.node_count(), Unit::count},
          {"links", topology.link_count(), Unit::count},
          {"degree", std::uint64_t{topology.max_degree()}, Unit::number},
          {"diameter", topology.diameter(), Unit::count},
          {"symmetric", is_vertex_transitive(topology) || (pairs && pairs->nodes_differ)
                            ? Value(is_vertex_transitive(topology))
                            : Value()},
          {"node/number", index(node), Unit::number},
          {"node/label", topology.label(node)},
          {"distances", levels.empty() ? Value() : Value(levels)},
          {"mean_distance", apart ? apart->mean() : Value()},
          {"mean_distance_to_others", apart ? apart->mean_to_others() : Value()},
          {"mean_of_all_nodes", apart ? Value(apart->of_all) : Value()},
          {"processors", topology.processor_count(), Unit::count},
          {"switches", switches, Unit::count},
          {"mean_distance_with_switches", switches != 0 && pairs ? pairs->mean() : Value()},
          {"mean_distance_to_others_with_switches",
           switches != 0 && pairs ? pairs->mean_to_others() : Value()}};
}

constexpr std::string_view facts_text =
    R"(topology     {topology}
nodes        {nodes}[, of which {some_switches} are switches]
links        [{links}|more than 2^64][ (further lanes: {parallel})]
degree       {degree}
diameter     [{diameter}|not computed: too large]
symmetry     {symmetry}
[mean         distance {mean}
]node         {node/label} (number {node/number})
[file         {file_notes}
][distances    {levels} (number of nodes at distance 0, 1, 2, ...)
|distances    not computed: too large
])";

/// A row per level of a network of switches; none where it has none.
[[nodiscard]] std::vector<Fields> level_rows(const AnyTopology& topology) {
  std::vector<Fields> rows;
  for (const Level& level : topology.levels())
    rows.push_back({{"level", std::uint64_t{rows.size()}, Unit::number, "above the processors"},
                    {"nodes", level.nodes, Unit::count},
                    {"children", level.children, Unit::count, "per node, on the level below"},
                    {"parents", level.parents, Unit::count, "per node, on the level above"},
                    {"lanes", level.lanes, Unit::count, "per link to a child"}});
  return rows;
}

[[nodiscard]] std::string level_lines(const AnyTopology& topology) {
  const std::vector<Fields> rows = level_rows(topology);
  if (rows.empty()) return {};
  return "\n" + table_text(std::vector<Fields>(rows.rbegin(), rows.rend()));
}

/// "3 between different nodes (2.85 with distance 0 to self)", as NetworkX counts and the papers
/// do.
[[nodiscard]] Value mean_text(const Fields& facts) {
  const auto with_itself = number_of(value_of(facts, "mean_distance"));
  if (!with_itself) return {};
  const auto of_all = number_of(value_of(facts, "mean_distance_with_switches"));
  const auto others = number_of(value_of(facts, "mean_distance_to_others"));
  if (!others) return {};  // of one node
  std::string text = fmt::format("{:.6g} between different {} ({:.6g} with distance 0 to self)",
                                 *others, of_all ? "processors" : "nodes", *with_itself);
  if (of_all)
    text += fmt::format("; {:.6g} between different nodes ({:.6g})",
                        number_of(value_of(facts, "mean_distance_to_others_with_switches")).value(),
                        *of_all);
  if (value_of(facts, "mean_of_all_nodes") == Value(false))
    text += "; from this node only (the network is too large for all nodes)";
  return text;
}

[[nodiscard]] std::string text_of(const AnyTopology& topology, NodeId node, bool node_given) {
  Fields facts = facts_of(topology, node);
  const auto* const file = topology.as<FileNetwork>();
  const bool has_lanes = file != nullptr && file->reading().parallel_links > 0;
  const std::vector<std::string> notes = reading_notes(topology);
  const auto* const levels = std::get_if<std::vector<std::uint64_t>>(&value_of(facts, "distances"));
  const Value& symmetric = value_of(facts, "symmetric");
  const Value& switches = value_of(facts, "switches");
  const Fields words{
      {"symmetry",
       symmetric == Value(true)
           ? topology.symmetric() ? "vertex-transitive (Cayley graph)" : "vertex-transitive"
       : symmetric == Value(false) ? "not vertex-transitive"
                                   : "not known"},
      {"some_switches", switches == Value(std::uint64_t{0}) ? Value() : switches, Unit::count},
      {"levels", levels != nullptr ? Value(joined(*levels, " ")) : Value()},
      {"mean", mean_text(facts)},
      {"parallel", has_lanes ? Value(file->reading().parallel_links) : Value(), Unit::count},
      {"file_notes", notes.empty() ? Value() : Value(joined(notes, "\n             "))}};
  append(facts, words);
  std::string text = report::fill(facts_text, facts);
  if (!node_given && topology.degree(node) > 16) return text + level_lines(topology);
  for (std::size_t p = 0; p < topology.degree(node); ++p)
    text +=
        fmt::format("{:<12} {} (number {}) through {}\n", p == 0 ? "neighbours" : "",
                    topology.label(topology.neighbor(node, port(p))),
                    index(topology.neighbor(node, port(p))), topology.port_label(node, port(p)));
  return text + level_lines(topology);
}

/// As text shows a node of a path: the label, with the number if the network has names.
[[nodiscard]] std::string on_path(const AnyTopology& topology, NodeId node) {
  return has_names(topology) ? node_text(topology, node) : topology.label(node);
}
[[nodiscard]] std::string text_of(const AnyTopology& topology, const Path& path) {
  return joined(path, has_names(topology) ? ", " : " ",
                [&](NodeId u) { return on_path(topology, u); });
}

/// A line per path: its links, and the nodes that it passes.
[[nodiscard]] std::string paths_text(const AnyTopology& topology,
                                     const std::vector<std::string>& ends) {
  const NodeId from = node_of(topology, ends.front());
  const NodeId to = node_of(topology, ends.back());
  const std::vector<Path> paths = disjoint_paths(topology, from, to);
  std::string text = fmt::format("\n{} node-disjoint {} from {} to {}\n", paths.size(),
                                 paths.size() == 1 ? "path" : "paths", on_path(topology, from),
                                 on_path(topology, to));
  for (const Path& path : paths)
    text += fmt::format("{}: {}\n", counted(path.size() - 1, "link"), text_of(topology, path));
  return text;
}

/// Numbers and labels of the nodes of each path, both ends included.
[[nodiscard]] nlohmann::ordered_json paths_json(const AnyTopology& topology,
                                                const std::vector<std::string>& ends) {
  auto all = nlohmann::ordered_json::array();
  for (const Path& path :
       disjoint_paths(topology, node_of(topology, ends.front()), node_of(topology, ends.back()))) {
    std::vector<std::uint64_t> numbers;
    std::vector<std::string> labels;
    for (const NodeId u : path) {
      numbers.push_back(index(u));
      labels.push_back(topology.label(u));
    }
    all.push_back(
        {{"links", path.size() - 1}, {"nodes", std::move(numbers)}, {"labels", std::move(labels)}});
  }
  return all;
}

[[nodiscard]] std::string json_of(const AnyTopology& topology, NodeId node,
                                  const std::vector<std::string>& path_ends,
                                  const Session& session) {
  std::vector<Fields> neighbours;
  for (std::size_t p = 0; p < topology.degree(node); ++p) {
    const NodeId neighbor = topology.neighbor(node, port(p));
    neighbours.push_back(
        {{"port", std::uint64_t{p}},
         {"port_label", topology.port_label(node, port(p))},
         {"node", index(neighbor)},
         {"label", topology.label(neighbor)},
         {"reverse_port", std::uint64_t{index(topology.reverse_port(node, port(p)))}}});
  }
  nlohmann::ordered_json json =
      report::json_head("lockstep.topology/2", provenance(session.command_line));
  json.update(json_tree(facts_of(topology, node)));
  json["neighbours"] = report::json_of(neighbours);
  if (const auto* const file = topology.as<FileNetwork>())
    json["file"] = {{"path", file->reading().file},
                    {"parallel_links", file->reading().parallel_links},
                    {"notes", file->reading().notes}};
  if (const auto levels = level_rows(topology); !levels.empty())
    json["levels"] = report::json_of(levels);
  if (!path_ends.empty()) json["disjoint_paths"] = paths_json(topology, path_ends);
  return report::json_text(json);
}

struct ShowOptions {
  std::string topology;
  std::optional<std::string> node{};
  std::optional<std::string> partition{};
  std::vector<std::string> paths{};
  std::string format = "text";
  std::optional<std::string> file{};
  bool quiet = false;
};

int show(const ShowOptions& options, const Session& session) {
  constexpr std::array<std::string_view, 7> formats{"text",  "json",    "dot",      "svg",
                                                    "edges", "graphml", "node-link"};
  const std::string_view format = named("format", options.format, formats);
  const AnyTopology topology = make_topology(options.topology);
  print_reading_notes(topology, options.quiet);
  const NodeId node = options.node ? node_of(topology, *options.node) : NodeId{0};
  const auto refuse_unless = [&](std::string_view other, std::string_view option) {
    if (format != "text" && format != other)
      throw invalid("{} has no {} output; use --format text or {}", option, format, other);
  };
  std::optional<papers::Partition> cut;
  if (options.partition) {
    refuse_unless("svg", "--partition");
    cut = papers::partition_of(topology, *options.partition);
  }
  if (options.paths.size() == 1)
    throw InvalidParameter("--paths: 1 node given; expected two nodes, such as --paths 0 5");
  if (!options.paths.empty()) refuse_unless("json", "--paths");
  if (options.node && format != "text" && format != "json")
    throw invalid("a node ('{}') cannot be shown with --format {}; use --format text or json",
                  *options.node, format);
  Output output(options.file);
  const StatusLine line(setting_up(topology.name()),
                        options.quiet ? StatusLine::Show::never : StatusLine::Show::on_terminal);
  std::string text;
  if (format == "text")
    text = text_of(topology, node, options.node.has_value()) + (cut ? cut->text : "") +
           (options.paths.empty() ? "" : paths_text(topology, options.paths));
  if (format == "json") text = json_of(topology, node, options.paths, session);
  if (format == "dot") text = dot_of(topology);
  if (const auto file = std::ranges::find(graph_format_names, format);
      file != graph_format_names.end())
    text = graph_text(topology, static_cast<GraphFormat>(file - graph_format_names.begin()));
  if (format == "svg") text = cut ? cut->svg : papers::drawing_of(topology);
  if (session.stop.stop_requested()) {  // rather than an answer that the program may not survive
    print_note("lockstep: INTERRUPTED");
    return code(Exit::interrupted);
  }
  format == "text" ? output.write_text(text) : output.write(text);
  return code(Exit::ok);
}

}  // namespace

Action declare_show(CLI::App& app, const Session& session) {
  const auto options = std::make_shared<ShowOptions>();
  app.footer("Example: lockstep show star:4 3241");
  app.add_option("topology", options->topology,
                 "Network, such as star:4; see `lockstep list topologies`")
      ->required();
  app.add_option(
      "node", options->node,
      "Node to show, by number or label, such as 3241, or by name in a network from a file; write "
      "-- before a label that begins with -");
  const OptionGroup add{app};
  add("--partition", options->partition, "HOW",
      "Partition of a torus into subtori and blocks, such as h=5 (text, svg)");
  app.add_option("--paths", options->paths,
                 "List node-disjoint paths between two nodes (text, json)")
      ->expected(1, 2)
      ->type_name("U V")
      ->group(add.name);
  add("--format", options->format, "FORMAT",
      "Output format: text, json, dot (Graphviz, small networks), svg (ej of one dimension, trees "
      "of switches, partitions), or a file that `file:PATH` reads: edges, graphml, node-link");
  add_graph_options(app, options->topology);
  add("--output", options->file, "FILE", whole_file_meaning);
  add.flag("--quiet", options->quiet, "Print no progress and no notes on stderr");
  return [options, &session] { return show(*options, session); };
}

}  // namespace lockstep::cli
