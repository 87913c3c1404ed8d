// SPDX-License-Identifier: Apache-2.0

/// Headers of lists of edges: counts of nodes and links, or names of columns.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>
#include <utility>

#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/detail/whole_number.hpp"
#include "topology/graph_edge_lines.hpp"

namespace lockstep::graph_readers {
namespace {

/// Names in the lines after a possible header.
struct ListedRest {
  std::unordered_set<std::string> names{};     // one more than `most` at most
  std::uint64_t smallest = ~std::uint64_t{0};  // number; not known where there is another name
  std::uint64_t largest = 0;
  bool all_numbers = true;
  std::size_t columns = 0;  // of the first line

  void add_name(std::string_view name) {
    names.emplace(name);
    const std::optional<std::uint64_t> number = whole_number(name);
    all_numbers = all_numbers && number.has_value();
    smallest = std::min(smallest, number.value_or(smallest));
    largest = std::max(largest, number.value_or(0));
  }
  /// Nodes that a header counts have names, or the numbers from 0 or 1 without gaps.
  [[nodiscard]] bool may_be_counted() const {
    return !all_numbers || (smallest <= 1 && largest - smallest + 1 == names.size());
  }
};

[[nodiscard]] std::uint64_t count_lines(Lines rest) {
  std::uint64_t lines = 0;
  for (std::string_view line; next_link_line(rest, line);) ++lines;
  return lines;
}

/// `most`: more names than these are not collected.
[[nodiscard]] ListedRest listed_in(const GraphBuilder& graph, Lines rest, std::uint64_t most) {
  ListedRest listed;
  EdgeWords splitter(graph);
  for (std::string_view line; listed.names.size() <= most && next_link_line(rest, line);) {
    const EdgeWords::Words& words = splitter.split(line, rest.number());
    if (listed.columns == 0) listed.columns = words.size();
    for (std::size_t i = 0; i < std::min<std::size_t>(words.size(), 2); ++i)
      listed.add_name(words[i]);
  }
  return listed;
}

using EdgeRows = std::vector<std::vector<std::string>>;

/// All lines that are left.
[[nodiscard]] EdgeRows rows_in(const GraphBuilder& graph, Lines rest) {
  EdgeRows rows;
  EdgeWords splitter(graph);
  for (std::string_view line; next_link_line(rest, line);) {
    const EdgeWords::Words& words = splitter.split(line, rest.number());
    rows.emplace_back(words.begin(), words.end());
  }
  return rows;
}

/// Line i lists the neighbours of node i, from 1, and every neighbour lists i: files of METIS.
[[nodiscard]] bool are_lists_of_neighbours(const EdgeRows& rows) {
  std::vector<std::array<std::uint64_t, 2>> pairs;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const std::string& word : rows[i]) {
      const std::optional<std::uint64_t> neighbour = whole_number(word);
      if (!neighbour || *neighbour == i + 1) return false;
      pairs.push_back({i + 1, *neighbour});
    }
  return is_symmetric(std::move(pairs));
}

/// Whether every link is listed as often in one direction as in the other.
[[nodiscard]] bool is_listed_both_ways(const GraphBuilder& graph, const Lines& rest) {
  std::vector<std::array<std::string, 2>> pairs;
  for (std::vector<std::string>& row : rows_in(graph, rest))
    if (row.size() >= 2) pairs.push_back({std::move(row[0]), std::move(row[1])});
  return is_symmetric(std::move(pairs));
}

/// The numbers of the first line, and of the second if each has one alone.
[[nodiscard]] std::optional<CountHeader> possible_header(const EdgeWords::Words& first,
                                                         Lines& rest) {
  std::vector<std::uint64_t> numbers;
  for (const std::string_view word : first) {
    const std::optional<std::uint64_t> number = whole_number(word);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  if (numbers.size() == 2) return CountHeader{1, numbers[0], numbers[1]};
  if (numbers.size() == 3 && numbers[0] == numbers[1])
    return CountHeader{1, numbers[0], numbers[2]};
  if (numbers.size() != 1) return std::nullopt;
  CountHeader header{1, numbers[0], {}};
  Lines ahead = rest;
  std::string_view second;
  if (!next_link_line(ahead, second)) return header;
  if (const std::optional<std::uint64_t> number = whole_number(second)) {
    rest = ahead;
    header.lines = 2;
    header.links = number;
  }
  return header;
}

/// Counts of nodes and links before a third number are no link with a weight.
void refuse_counts_and_more(const GraphBuilder& graph, const EdgeWords::Words& first,
                            const Lines& rest) {
  if (first.size() != 3 || first[0] == first[1]) return;
  const std::optional<std::uint64_t> nodes = whole_number(first[0]);
  const std::optional<std::uint64_t> links = whole_number(first[1]);
  if (!nodes || !links || *links != count_lines(rest)) return;
  if (listed_in(graph, rest, *nodes).names.size() != *nodes) return;
  graph.fail(rest.number(),
             "'{} {} {}' may be a link, or state {} and {}; remove the line if it "
             "states counts, or move it below other links",
             first[0], first[1], first[2], counted(*nodes, "node"), counted(*links, "link"));
}

}  // namespace

std::optional<CountHeader> count_header(const GraphBuilder& graph, const EdgeWords::Words& first,
                                        Lines rest) {
  const std::size_t line = rest.number();
  refuse_counts_and_more(graph, first, rest);
  const std::optional<CountHeader> header = possible_header(first, rest);
  constexpr std::uint64_t least_nodes = 2;
  if (!header || (header->nodes < least_nodes && first.size() > 1)) return std::nullopt;
  const std::uint64_t lines = count_lines(rest);
  const std::uint64_t links = header->links.value_or(lines);
  // Writers count links once or twice, and list them once or in both directions.
  const bool fits = links == lines || links == 2 * lines || 2 * links == lines;
  // In most lists the nodes are numbered without gaps: a number far above all others is none.
  const bool is_far = first.size() == 2 && links > header->nodes + 1;
  if (!fits && !is_far && first.size() > 1) return std::nullopt;
  const ListedRest listed = listed_in(graph, rest, header->nodes);
  const bool nodes_fit = listed.names.size() == header->nodes;
  if (fits && nodes_fit && lines == header->nodes && are_lists_of_neighbours(rows_in(graph, rest)))
    graph.fail(line,
               "the lines below may be links or lists of neighbours (METIS); write one link "
               "per line, without this header");
  if (fits && nodes_fit) {
    const bool may_be_link =
        first.size() == 2 && first[0] != first[1] && listed.columns == first.size();
    if (!may_be_link) return header;
    const bool has_both_names = listed.names.contains(std::string(first[0])) &&
                                listed.names.contains(std::string(first[1]));
    if (links <= lines && is_listed_both_ways(graph, rest)) return header;
    if (links == lines && has_both_names)
      graph.fail(line,
                 "'{} {}' may be a link, or state {} and {}; remove the line if "
                 "it states counts, or move it below other links",
                 first[0], first[1], counted(header->nodes, "node"), counted(links, "link"));
    if (!has_both_names && listed.may_be_counted() &&
        (links == lines || (links > lines && (is_far || !listed.all_numbers))))
      return header;
  }
  if (first.size() == 1)
    graph.fail(
        line, "{} stated{}; the list has {} and {}", counted(header->nodes, "node"),
        header->links ? fmt::format(" and {}", counted(links, "link")) : "",
        listed.names.size() > header->nodes ? "more nodes" : counted(listed.names.size(), "node"),
        counted(lines, "link"));
  if (is_far && nodes_fit && listed.all_numbers && listed.largest <= header->nodes)
    graph.fail(line,
               "'{} {}' may state {} and {}, but {} follow; correct the numbers, "
               "or remove the line",
               first[0], first[1], counted(header->nodes, "node"), counted(links, "link"),
               counted(lines, "link"));
  return std::nullopt;
}

std::optional<ColumnHeader> column_header(const EdgeWords::Words& first) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> ends{
      {{"source", "target"},
       {"from", "to"},
       {"src", "dst"},
       {"source", "destination"},
       {"fromnodeid", "tonodeid"},
       {"node1", "node2"},
       {"node_1", "node_2"},
       {"id_1", "id_2"}}};
  std::vector<std::string> names;
  for (const std::string_view word : first) names.push_back(lower_case(word));
  const auto column = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  };
  for (const auto& [source, target] : ends) {
    if (column(source) == names.size() || column(target) == names.size()) continue;
    const std::size_t type = column("type");
    return ColumnHeader{names.size(), column(source), column(target),
                        type == names.size() ? std::nullopt : std::optional(type)};
  }
  return std::nullopt;
}

}  // namespace lockstep::graph_readers
