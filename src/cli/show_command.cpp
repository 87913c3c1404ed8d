// SPDX-License-Identifier: Apache-2.0

/// lockstep show: a network, or one node of it, in the papers' labels.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/App.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "core/suggest.hpp"
#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/core/errors.hpp"
#include "papers/paper.hpp"
#include "report/quantities.hpp"

namespace lockstep::cli {
namespace {

using report::count_text;

/// What there is to say; the text and the JSON say the same.
struct Facts {
  AnyTopology topology;
  NodeId node;  ///< distances are counted from here
  bool node_given;
  std::optional<std::uint64_t> diameter;
  std::vector<std::uint64_t> levels;  ///< empty: too large
  std::optional<double> mean;         ///< over all nodes, the node itself included
};

[[nodiscard]] Facts facts_of(const std::string& name, const std::optional<std::string>& label) {
  AnyTopology topology = make_topology(name);
  NodeId node{0};
  if (label) {
    const std::optional<NodeId> found = topology.find(*label);
    if (!found)
      throw InvalidParameter(fmt::format("{}: no node '{}', allowed labels such as '{}' or '{}'",
                                         topology.name(), *label, topology.label(NodeId{0}),
                                         topology.label(NodeId{topology.node_count() - 1})));
    node = *found;
  }
  Facts facts{topology,    node, label.has_value(), topology.diameter(), topology.level_sizes(node),
              std::nullopt};
  double sum = 0;
  for (std::size_t d = 0; d < facts.levels.size(); ++d)
    sum += static_cast<double>(d) * static_cast<double>(facts.levels[d]);
  if (!facts.levels.empty()) facts.mean = sum / static_cast<double>(topology.node_count());
  return facts;
}

[[nodiscard]] std::string text_of(const Facts& facts) {
  const AnyTopology& topology = facts.topology;
  std::string text;
  const auto say = [&](std::string_view what, const std::string& value) {
    text += fmt::format("{:<12} {}\n", what, value);
  };
  say("topology", topology.name());
  say("nodes", count_text(topology.node_count()));
  const std::optional<std::uint64_t> links = topology.link_count();
  say("links", links ? count_text(*links) : "more than 2^64");
  say("degree", fmt::format("{}", topology.max_degree()));
  say("diameter", facts.diameter ? count_text(*facts.diameter) : "not computed: too large");
  say("symmetric", topology.symmetric() ? "yes, a Cayley graph" : "not known to be");
  say("node", fmt::format("{} (number {})", topology.label(facts.node), index(facts.node)));
  if (facts.levels.empty()) {
    say("distances", "not computed: too large");
  } else {
    say("distances",
        fmt::format("{} nodes at distance 0, 1, 2, ... from it", fmt::join(facts.levels, " ")));
    say("mean", fmt::format("{:.6g}, the node itself included", *facts.mean));
  }
  if (!facts.node_given && topology.degree(facts.node) > 16) return text;
  for (std::size_t p = 0; p < topology.degree(facts.node); ++p)
    say(p == 0 ? "neighbours" : "",
        fmt::format("{} through {}", topology.label(topology.neighbor(facts.node, port(p))),
                    topology.port_label(facts.node, port(p))));
  return text;
}

[[nodiscard]] std::string json_of(const Facts& facts) {
  using Json = nlohmann::ordered_json;
  const AnyTopology& topology = facts.topology;
  const std::optional<std::uint64_t> links = topology.link_count();
  Json neighbors = Json::array();
  for (std::size_t p = 0; p < topology.degree(facts.node); ++p) {
    const NodeId neighbor = topology.neighbor(facts.node, port(p));
    neighbors.push_back({{"port", p},
                         {"port_label", topology.port_label(facts.node, port(p))},
                         {"node", index(neighbor)},
                         {"label", topology.label(neighbor)},
                         {"reverse_port", index(topology.reverse_port(facts.node, port(p)))}});
  }
  const Json json{{"schema", "lockstep.topology/1"},
                  {"topology", topology.name()},
                  {"nodes", topology.node_count()},
                  {"links", links ? Json(*links) : Json(nullptr)},
                  {"degree", topology.max_degree()},
                  {"diameter", facts.diameter ? Json(*facts.diameter) : Json(nullptr)},
                  {"symmetric", topology.symmetric()},
                  {"node", {{"number", index(facts.node)}, {"label", topology.label(facts.node)}}},
                  {"distances", facts.levels.empty() ? Json(nullptr) : Json(facts.levels)},
                  {"mean_distance", facts.mean ? Json(*facts.mean) : Json(nullptr)},
                  {"neighbors", neighbors}};
  return json.dump(2) + "\n";
}

/// For Graphviz: every link once.
[[nodiscard]] std::string dot_of(const AnyTopology& topology) {
  constexpr std::uint64_t most_nodes = 5'040;
  if (topology.node_count() > most_nodes)
    throw InvalidParameter(fmt::format("{}: {} nodes, allowed {} with --format dot",
                                       topology.name(), topology.node_count(), most_nodes));
  std::string text = fmt::format("graph \"{}\" {{\n", topology.name());
  for (std::uint64_t u = 0; u < topology.node_count(); ++u) {
    if (topology.degree(NodeId{u}) == 0)
      text += fmt::format("  \"{}\";\n", topology.label(NodeId{u}));
    for (std::size_t p = 0; p < topology.degree(NodeId{u}); ++p) {
      const NodeId v = topology.neighbor(NodeId{u}, port(p));
      if (index(v) > u)
        text += fmt::format("  \"{}\" -- \"{}\" [label=\"{}\"];\n", topology.label(NodeId{u}),
                            topology.label(v), topology.port_label(NodeId{u}, port(p)));
    }
  }
  return text + "}\n";
}

[[nodiscard]] std::string formatted(const Facts& facts, const std::string& format) {
  if (format == "svg") return papers::drawing_of(facts.topology);
  if (format == "dot") return dot_of(facts.topology);
  return format == "json" ? json_of(facts) : text_of(facts);
}

struct ShowOptions {
  std::string topology;
  std::optional<std::string> node{};
  std::string format = "text";
  std::optional<std::string> file{};
};

int show(const ShowOptions& options) {
  static const std::vector<std::string_view> formats{"text", "json", "dot", "svg"};
  if (std::find(formats.begin(), formats.end(), options.format) == formats.end())
    throw InvalidParameter(unknown("format", options.format, formats));
  const Facts facts = facts_of(options.topology, options.node);
  Output output(options.file);
  output.write(formatted(facts, options.format));
  return code(Exit::ok);
}

}  // namespace

Action declare_show(CLI::App& app, const Session&) {
  const auto options = std::make_shared<ShowOptions>();
  app.add_option("topology", options->topology,
                 "Network, such as star:4; see `lockstep list topologies`")
      ->required();
  app.add_option("node", options->node,
                 "A node as the papers write it, such as 3241; -- before one that begins with -");
  app.add_option(
         "--format", options->format,
         "text, json, dot (Graphviz, small networks), or svg (a drawing: ej of one dimension)")
      ->type_name("FORMAT")
      ->capture_default_str();
  app.add_option("--output", options->file, "Write to a file, all or nothing; default: stdout")
      ->type_name("FILE");
  return [options] { return show(*options); };
}

}  // namespace lockstep::cli
