// SPDX-License-Identifier: Apache-2.0

/// Networks that are written, and files of lines: edge lists, DIMACS, Matrix Market.

#include "property/network_file_writers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace lockstep::test {
namespace {

using reference::Random;
using Lines = std::vector<std::string>;
using Pair = std::array<std::size_t, 2>;

[[nodiscard]] std::string joined_lines(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

[[nodiscard]] KnownNetwork random_known_network(std::size_t number, Random& random) {
  KnownNetwork network;
  const std::size_t nodes = random.number(2, 9);
  const std::array<std::string_view, 5> styles{"n{}", "10.0.0.{}", "http://a.example/x#{}",
                                               "sw-{}%", "Caf\u00e9&{}"};
  for (std::size_t i = 0; i < nodes; ++i)
    network.names.push_back(
        number % 2 == 0 ? std::to_string(i + number / 2 % 2)
                        : fmt::format(fmt::runtime(styles[number / 2 % styles.size()]), 7 * i));
  for (std::size_t v = 1; v < nodes; ++v) network.links.push_back({random.number(0, v - 1), v});
  for (std::uint64_t more = random.number(0, nodes); more > 0; --more) {
    const Pair link{random.number(0, nodes - 1), random.number(0, nodes - 1)};
    if (link[0] < link[1] && std::ranges::find(network.links, link) == network.links.end())
      network.links.push_back(link);
  }
  if (number % 5 == 3) {  // lanes, the same of some links only
    const Pair lane = network.links.front();
    for (std::uint64_t more = random.number(1, 2); more > 0; --more) network.links.push_back(lane);
  }
  if (number % 5 == 4) network.switches.insert(random.number(0, nodes - 1));
  return network;
}

/// "u v" and what follows, a line for each link in either direction.
template <class Line>
[[nodiscard]] Lines link_lines(const KnownNetwork& network, bool both_directions, Random& random,
                               const Line& line) {
  Lines lines;
  Lines behind;
  const bool at_once = random.happens(50);
  std::map<Pair, bool> turned;  // lanes of a link in the same direction
  for (const auto& [u, v] : network.links) {
    const auto [found, is_new] = turned.emplace(Pair{u, v}, random.happens(40));
    const auto [from, to] = found->second ? std::pair(v, u) : std::pair(u, v);
    lines.push_back(line(from, to));
    if (both_directions) (at_once ? lines : behind).push_back(line(to, from));
  }
  lines.insert(lines.end(), behind.begin(), behind.end());
  return lines;
}

[[nodiscard]] std::string number_text(Random& random) {
  const std::array<std::string_view, 6> numbers{"3", "0.5", "1e-3", "-2", "17", "1.0"};
  return std::string(random.one_of(numbers));
}

/// A first line that may be counts of the rest is taken for counts: another link comes first.
void put_counts_behind(Lines& links, std::string_view between) {
  const std::size_t rest = links.size() - 1;
  const auto may_be_counts = [&](const std::string& link) {
    const std::string second = link.substr(link.find(between) + between.size());
    for (const std::size_t count : {rest, 2 * rest, rest / 2})
      if (second.starts_with(std::to_string(count))) return true;
    return false;
  };
  std::stable_partition(links.begin(), links.end(), std::not_fn(may_be_counts));
}

/// A second line for some of the links.
void repeat_some(Lines& lines, Random& random) {
  const std::size_t count = random.number(1, lines.size());
  for (std::size_t i = 0; i < count; ++i) lines.push_back(lines[i]);
}

}  // namespace

const std::vector<KnownNetwork>& known_networks() {
  static const std::vector<KnownNetwork> all = [] {
    Random random(40);
    std::vector<KnownNetwork> networks;
    for (std::size_t i = 0; i < 40; ++i) networks.push_back(random_known_network(i, random));
    return networks;
  }();
  return all;
}

KnownNetwork numbered(const KnownNetwork& network) {
  KnownNetwork other;
  for (std::size_t i = 0; i < network.names.size(); ++i)
    other.names.push_back(std::to_string(i + 1));
  for (const Pair& link : network.links)
    if (std::ranges::find(other.links, link) == other.links.end()) other.links.push_back(link);
  return other;
}

const std::vector<FileFormat>& file_formats() {
  using enum Verdict;
  static const std::vector<FileFormat> all{
      {"edge list",
       {{"tab", read, "separator"},
        {"comma", read, "separator"},
        {"comma and blank", read, "separator"},
        {"semicolon", read, "separator"},
        {"two blanks", read, "separator"},
        {"csv header", read, "separator"},
        {"gephi csv", either, "separator"},
        {"weights", read, "data"},
        {"networkx data", read, "data"},
        {"networkx weight", read, "data"},
        {"remark behind"},
        {"remark #"},
        {"remark %"},
        {"remark //"},
        {"konect header", read, "header"},
        {"snap header", read, "header"},
        {"snap one way", undirected, "header"},
        {"counts", counts, "header"},
        {"both directions"}},
       false,
       edge_list,
       [](const Habits& habits) -> std::string_view {
         return habits.contains("csv header") ? ".csv" : ".edges";
       }},
      {"DIMACS .col",
       {{"p col"},
        {"remarks"},
        {"colours"},
        {"both directions", read, "count"},
        {"both, counted once", read, "count"},
        {"counted twice", read, "count"},
        {"duplicates", read, "count"},
        {"self-loop", loops, "count"}},
       true,
       dimacs_col,
       [](const Habits&) -> std::string_view { return ".col"; }},
      {"DIMACS .gr",
       {{"remarks"},
        {"pace tw", read, "kind"},
        {"pace td", read, "kind"},
        {"counted once", read, "kind"},
        {"one way", undirected, "kind"}},
       true,
       dimacs_gr,
       [](const Habits&) -> std::string_view { return ".gr"; }},
      {"Matrix Market",
       {{"real", read, "field"},
        {"integer", read, "field"},
        {"complex", read, "field"},
        {"one %"},
        {"capitals"},
        {"remarks"},
        {"general", read, "entries"},
        {"both triangles", read, "entries"},
        {"upper triangle", read, "entries"},
        {"one triangle", undirected, "entries"},
        {"diagonal", loops}},
       true,
       matrix_market,
       [](const Habits&) -> std::string_view { return ".mtx"; }},
      {"GraphML",
       {{"prefix", read, "prefix"},
        {"prefix inside", read, "prefix"},
        {"single quotes"},
        {"no declaration"},
        {"latin-1", read, "encoding"},
        {"doctype"},
        {"comments"},
        {"cdata"},
        {"keys last"},
        {"edges first"},
        {"desc"},
        {"parse attributes"},
        {"edge ids"},
        {"ports"},
        {"labels"},
        {"label lines"},
        {"igraph"},
        {"weights"},
        {"undeclared data"},
        {"switch default"},
        {"booleans 1", read, "boolean"},
        {"booleans Python", read, "boolean"},
        {"blanks in booleans", read, "boolean"},
        {"both directions", read, "direction"},
        {"both arcs", read, "direction"},
        {"edges say undirected", read, "direction"},
        {"yed", read, "direction"},
        {"yed arrows", undirected, "direction"},
        {"one way", undirected, "direction"}},
       false,
       graphml,
       [](const Habits&) -> std::string_view { return ".graphml"; }},
      {"node-link JSON",
       {{"edges key", read, "list"},
        {"both keys", read, "list"},
        {"links first"},
        {"one line"},
        {"short head"},
        {"number ids"},
        {"escapes"},
        {"labels"},
        {"keys"},
        {"switch everywhere"},
        {"weights"},
        {"nan"},
        {"nested"},
        {"nulls"},
        {"repeated"},
        {"positions", read, "ends"},
        {"positions unmarked", read_if_words, "ends"},
        {"d3 positions", read_if_words, "ends"},
        {"d3 names", read, "ends"},
        {"both arcs", read, "direction"},
        {"one way", undirected, "direction"}},
       false,
       node_link_json,
       [](const Habits&) -> std::string_view { return ".json"; }}};
  return all;
}

std::string edge_list(const KnownNetwork& network, const Habits& habits, Random& random) {
  const auto has = [&](std::string_view habit) { return habits.contains(habit); };
  const bool is_csv = has("csv header") || has("gephi csv");
  std::string_view between = " ";
  if (has("tab")) between = "\t";
  if (has("comma") || is_csv) between = ",";
  if (has("comma and blank")) between = ", ";
  if (has("semicolon")) between = ";";
  if (has("two blanks")) between = "  ";
  const bool both = has("snap header") || (has("both directions") && !has("snap one way"));
  std::size_t number = 0;
  Lines links = link_lines(network, both, random, [&](std::size_t u, std::size_t v) {
    std::string line = network.names[u] + std::string(between) + network.names[v];
    if (has("gephi csv")) line += fmt::format(",Undirected,{},,1.0", number++);
    if (has("weights")) line += std::string(between) + number_text(random);
    if (has("networkx data")) line += std::string(between) + "{}";
    if (has("networkx weight")) line += std::string(between) + "{'weight': 3, 'kind': 'a b'}";
    if (has("remark behind")) line += " # a remark";
    return line;
  });
  if (!has("counts")) put_counts_behind(links, between);
  Lines lines;
  if (has("remark #")) lines.push_back("# made by hand 1 2");
  if (has("remark %")) lines.push_back("% made by hand");
  if (has("remark //")) lines.push_back("// made by hand");
  if (has("konect header")) {
    lines.push_back("% sym unweighted");
    lines.push_back(fmt::format("% {} {} {}", network.links.size(), network.names.size(),
                                network.names.size()));
  }
  if (has("snap header") || has("snap one way")) {
    lines.push_back("# Directed graph (each unordered pair of nodes is saved once): a.txt");
    lines.push_back(fmt::format("# Nodes: {} Edges: {}", network.names.size(), links.size()));
    lines.push_back("# FromNodeId\tToNodeId");
  }
  if (has("counts") && !is_csv)
    lines.push_back(fmt::format("{}{}{}", network.names.size(), between, links.size()));
  if (has("csv header")) lines.push_back(has("weights") ? "Source,Target,Weight" : "Source,Target");
  if (has("gephi csv")) lines.push_back("Source,Target,Type,Id,Label,Weight");
  lines.insert(lines.end(), links.begin(), links.end());
  for (const std::size_t u : network.switches) lines.push_back("# switches " + network.names[u]);
  return joined_lines(lines);
}

std::string dimacs_col(const KnownNetwork& network, const Habits& habits, Random& random) {
  const auto has = [&](std::string_view habit) { return habits.contains(habit); };
  Lines links = link_lines(
      network, has("both directions") || has("both, counted once"), random,
      [&](std::size_t u, std::size_t v) { return fmt::format("e {} {}", u + 1, v + 1); });
  if (has("duplicates")) repeat_some(links, random);
  if (has("self-loop")) links.push_back("e 1 1");
  std::size_t count = links.size();
  if (has("counted twice")) count *= 2;
  if (has("both, counted once")) count /= 2;
  Lines lines;
  if (has("remarks")) lines.push_back("c a remark 3 4");
  lines.push_back(
      fmt::format("p {} {} {}", has("p col") ? "col" : "edge", network.names.size(), count));
  if (has("remarks")) lines.insert(lines.end(), {"c", "c FILE: a.col"});
  if (has("colours"))
    for (std::size_t u = 0; u < network.names.size(); ++u)
      lines.push_back(fmt::format("n {} {}", u + 1, u % 3));
  lines.insert(lines.end(), links.begin(), links.end());
  return joined_lines(lines);
}

std::string dimacs_gr(const KnownNetwork& network, const Habits& habits, Random& random) {
  const auto has = [&](std::string_view habit) { return habits.contains(habit); };
  const bool pace = has("pace tw") || has("pace td");
  const Lines links =
      link_lines(network, !pace && !has("one way"), random, [&](std::size_t u, std::size_t v) {
        return pace ? fmt::format("{} {}", u + 1, v + 1)
                    : fmt::format("a {} {} {}", u + 1, v + 1, random.number(1, 99));
      });
  Lines lines;
  if (has("remarks")) lines.push_back("c a remark 3 4");
  lines.push_back(fmt::format("p {} {} {}",
                              has("pace td") ? "td"
                              : pace         ? "tw"
                                             : "sp",
                              network.names.size(),
                              has("counted once") && !pace ? links.size() / 2 : links.size()));
  if (has("remarks")) lines.push_back("c");
  lines.insert(lines.end(), links.begin(), links.end());
  return joined_lines(lines);
}

std::string matrix_market(const KnownNetwork& network, const Habits& habits, Random& random) {
  const auto has = [&](std::string_view habit) { return habits.contains(habit); };
  std::string_view field = "pattern";
  for (const std::string_view other : {"real", "integer", "complex"})
    if (has(other)) field = other;
  const bool general = has("general") || has("one triangle");
  const auto entry = [&](std::size_t u, std::size_t v) {
    std::string line = fmt::format("{} {}", u + 1, v + 1);
    if (field == "integer") line += fmt::format(" {}", random.number(1, 9));
    if (field == "real" || field == "complex") line += " -1.5e0";
    if (field == "complex") line += " 2";
    return line;
  };
  const bool both = has("general") || has("both triangles");
  Lines entries = link_lines(network, both, random, entry);
  if (!both) {
    entries.clear();
    for (const auto& [u, v] : network.links)
      entries.push_back(has("upper triangle") ? entry(u, v) : entry(v, u));
  }
  if (has("diagonal"))
    for (std::size_t u = 0; u < network.names.size(); ++u) entries.push_back(entry(u, u));
  Lines lines;
  lines.push_back(fmt::format("{}MatrixMarket {} coordinate {} {}", has("one %") ? "%" : "%%",
                              has("capitals") ? "MATRIX" : "matrix", field,
                              general ? "general" : "symmetric"));
  if (has("remarks")) lines.insert(lines.end(), {"% a remark", "%", "% 4 4 4"});
  lines.push_back(fmt::format("{0} {0} {1}", network.names.size(), entries.size()));
  lines.insert(lines.end(), entries.begin(), entries.end());
  return joined_lines(lines);
}

}  // namespace lockstep::test
