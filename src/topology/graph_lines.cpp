// SPDX-License-Identifier: Apache-2.0

/// Formats of graph files in which a line is a link: lists of edges, DIMACS, Matrix Market.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/detail/whole_number.hpp"
#include "topology/graph_readers.hpp"

namespace lockstep::graph_readers {
namespace {

using Number = GraphBuilder::Number;
using Words = std::vector<std::string_view>;

constexpr std::string_view blanks = " \t\r\v\f";

[[nodiscard]] std::string lower(std::string_view word) {
  std::string text(word);
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

[[nodiscard]] std::uint64_t number_in(const GraphBuilder& graph, std::string_view word,
                                      std::size_t line) {
  if (const std::optional<std::uint64_t> number = whole_number(word)) return *number;
  graph.fail(line, fmt::format("'{}' is not a whole number", shown(word)));
}

/// A file lists no more links than have place in it: checked before they take memory.
void check_room(const GraphBuilder& graph, std::string_view text, std::uint64_t links,
                std::size_t line) {
  constexpr std::size_t least_bytes_of_a_link = 4;  // "1 2" and the end of the line
  if (links > text.size() / least_bytes_of_a_link + 1)
    graph.fail(line, fmt::format("{} links or more expected, which do not fit in {} bytes",
                                 grouped(links), grouped(text.size())));
}

/// Nodes 1..N, of which there can be no more than links and one where all are connected.
void declare_from_one(GraphBuilder& graph, std::string_view text, std::uint64_t nodes,
                      std::uint64_t links, std::size_t line) {
  if (nodes == 0) graph.fail(line, "a graph without nodes");
  if (nodes - 1 > links)
    graph.fail(line, fmt::format("not connected: {} nodes, but only {} links", nodes, links));
  check_room(graph, text, links, line);
  graph.declare_numbers(nodes, 1, line);
}

/// A node by its number from 1.
[[nodiscard]] Number numbered(const GraphBuilder& graph, std::string_view word, std::size_t line) {
  const std::uint64_t number = number_in(graph, word, line);
  if (number == 0 || number > graph.node_count())
    graph.fail(line, fmt::format("unknown node {}; allowed: 1..{}", number, graph.node_count()));
  return static_cast<Number>(number - 1);
}

void check_link_count(const GraphBuilder& graph, std::uint64_t promised, std::string_view what,
                      std::size_t line) {
  if (graph.link_count() != promised)
    graph.fail(line, fmt::format("{} {} listed, but the header says {}", graph.link_count(), what,
                                 promised));
}

class EdgeReader {
 public:
  EdgeReader(GraphBuilder& graph, std::string_view text) : graph_(graph), text_(text) {}

  void read() {
    Lines lines(text_);
    while (lines.next()) {
      if (lines.line().find('#') == std::string_view::npos)
        read_link(lines.words(), lines.number());
      else
        read_comment(lines);
    }
    for (const auto& [name, line] : switches_) {
      const std::optional<Number> node = graph_.find(name);
      if (!node)
        graph_.fail(line, fmt::format("unknown node '{}' in the list of switches", shown(name)));
      graph_.set_switch(*node);
    }
    graph_.set_repeats(Repeats::both_ways);
    graph_.order_by_number();
  }

 private:
  void read_comment(Lines& lines) {
    const std::string_view line = lines.line();
    const std::size_t hash = line.find('#');
    Lines before(line.substr(0, hash));
    if (before.next() && !before.words().empty()) return read_link(before.words(), lines.number());
    Lines behind(line.substr(hash + 1));
    if (behind.next() && !behind.words().empty()) read_directive(behind.words(), lines.number());
  }

  void read_directive(const Words& words, std::size_t line) {
    const std::string first = lower(words.front());
    if (first == "directed") graph_.links_are_arcs();
    if (first == "ports" && words.size() == 1) has_ports_ = true;
    if (first == "nodes" && words.size() == 2) {
      if (const auto count = whole_number(words[1])) declare(*count, line);
    }
    if (first == "switches")
      for (std::size_t i = 1; i < words.size(); ++i) switches_.emplace_back(words[i], line);
  }

  void declare(std::uint64_t count, std::size_t line) {
    if (graph_.node_count() != 0) graph_.fail(line, "'# nodes' behind the first link");
    check_room(graph_, text_, std::max<std::uint64_t>(count, 1) - 1, line);  // if connected
    graph_.declare_numbers(count, 0, line);
    declared_ = true;
  }

  [[nodiscard]] Number node(std::string_view name, std::size_t line) {
    if (!declared_) return graph_.node(name, line);
    if (const std::optional<Number> known = graph_.find(name)) return *known;
    graph_.fail(line, fmt::format("unknown node '{}'; allowed: 0..{}", shown(name),
                                  graph_.node_count() - 1));
  }

  void read_link(const Words& words, std::size_t line) {
    if (words.empty()) return;
    const std::size_t expected = has_ports_ ? 4 : 2;
    if (words.size() != expected)
      graph_.fail(line, fmt::format("{}; expected {} ('{}')", counted(words.size(), "word"),
                                    expected, has_ports_ ? "u v port-of-u port-of-v" : "u v"));
    const Number u = node(words[0], line);
    const Number v = node(words[1], line);
    if (has_ports_)
      graph_.add_link(u, v, {port_in(words[2], line), port_in(words[3], line)}, line);
    else
      graph_.add_link(u, v, line);
  }

  [[nodiscard]] Number port_in(std::string_view word, std::size_t line) const {
    const std::uint64_t number = number_in(graph_, word, line);
    return static_cast<Number>(std::min<std::uint64_t>(number, GraphBuilder::no_port));
  }

  GraphBuilder& graph_;
  std::string_view text_;
  std::vector<std::pair<std::string_view, std::size_t>> switches_;
  bool declared_ = false;
  bool has_ports_ = false;
};

/// "p edge N M", "p col N M", "p sp N M"
struct Problem {
  std::uint64_t links;
  std::size_t line;
  bool arcs;
};

[[nodiscard]] Problem problem_of(GraphBuilder& graph, std::string_view text, const Words& words,
                                 std::size_t line) {
  const std::string kind = words.size() == 4 ? std::string(words[1]) : std::string();
  if (kind != "edge" && kind != "col" && kind != "sp")
    graph.fail(line, "not a problem line; allowed: 'p edge N M', 'p col N M' or 'p sp N M'");
  const Problem problem{number_in(graph, words[3], line), line, kind == "sp"};
  declare_from_one(graph, text, number_in(graph, words[2], line), problem.links, line);
  return problem;
}

}  // namespace

bool Lines::next() {
  if (rest_.empty()) return false;
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  line_ = rest_.substr(0, end);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  ++number_;
  return true;
}

const std::vector<std::string_view>& Lines::words() {
  words_.clear();
  for (std::size_t at = line_.find_first_not_of(blanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line_.find_first_of(blanks, at), line_.size());
    words_.push_back(line_.substr(at, end - at));
    at = line_.find_first_not_of(blanks, end);
  }
  return words_;
}

LineEnds::LineEnds(std::string_view text) {
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    ends_.push_back(at);
}

std::size_t LineEnds::line_of(std::size_t offset) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(ends_, offset) - ends_.begin()) + 1;
}

void read_edges(GraphBuilder& graph, std::string_view text) { EdgeReader(graph, text).read(); }

void read_dimacs(GraphBuilder& graph, std::string_view text) {
  constexpr std::string_view ignored = "cndvx";  // comments, colours, coordinates
  std::optional<Problem> problem;
  Lines lines(text);
  while (lines.next()) {
    const Words& words = lines.words();
    const std::size_t line = lines.number();
    if (words.empty() || (words[0].size() == 1 && ignored.find(words[0][0]) != ignored.npos))
      continue;
    if (words[0] == "p") {
      if (problem) graph.fail(line, "the problem line 'p ..' occurs twice");
      problem = problem_of(graph, text, words, line);
      continue;
    }
    if (!problem)
      graph.fail(line, fmt::format("'{}' comes before the problem line; expected one such as "
                                   "'p edge 5 7'",
                                   shown(lines.line())));
    const std::string_view form = problem->arcs ? "a u v weight" : "e u v";
    if (words[0] != form.substr(0, 1) || words.size() != (problem->arcs ? 4U : 3U))
      graph.fail(line, fmt::format("'{}' is not valid; expected '{}'", shown(lines.line()), form));
    graph.add_link(numbered(graph, words[1], line), numbered(graph, words[2], line), line);
  }
  if (!problem)
    graph.fail(std::max<std::size_t>(lines.number(), 1),
               "the problem line is missing; expected one such as 'p edge 5 7'");
  check_link_count(graph, problem->links, problem->arcs ? "arcs" : "edges", problem->line);
  if (problem->arcs)
    graph.links_are_arcs();
  else
    graph.set_repeats(Repeats::once);
}

void read_matrix(GraphBuilder& graph, std::string_view text) {
  Lines lines(text);
  const Words banner = lines.next() ? lines.words() : Words();
  const std::string symmetry = banner.size() == 5 ? lower(banner[4]) : std::string();
  if (banner.size() != 5 || banner[0] != "%%MatrixMarket" || lower(banner[1]) != "matrix" ||
      lower(banner[2]) != "coordinate" || lower(banner[3]) != "pattern" ||
      (symmetry != "general" && symmetry != "symmetric"))
    graph.fail(1,
               "the first line is not '%%MatrixMarket matrix coordinate pattern symmetric' (or "
               "general)");
  std::optional<std::uint64_t> entries;
  std::size_t header = 1;
  while (lines.next()) {
    const Words& words = lines.words();
    const std::size_t line = lines.number();
    if (words.empty() || words[0].front() == '%') continue;
    if (!entries) {
      if (words.size() != 3 || words[0] != words[1])
        graph.fail(line, fmt::format("'{}' given; allowed: 'N N entries', a square matrix",
                                     shown(lines.line())));
      entries = number_in(graph, words[2], line);
      header = line;
      declare_from_one(graph, text, number_in(graph, words[0], line), *entries, line);
      continue;
    }
    if (words.size() != 2)
      graph.fail(line, fmt::format("'{}' given; allowed: 'row column'", shown(lines.line())));
    graph.add_link(numbered(graph, words[0], line), numbered(graph, words[1], line), line);
  }
  if (!entries) graph.fail(std::max<std::size_t>(lines.number(), 1), "no line with the sizes");
  check_link_count(graph, *entries, "entries", header);
  if (symmetry == "general") graph.links_are_arcs();
  graph.set_repeats(Repeats::once);
}

}  // namespace lockstep::graph_readers
