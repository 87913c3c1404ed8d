// SPDX-License-Identifier: Apache-2.0

/// Lists of edges: two names per line, with what other programs write around them.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/joined.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/detail/whole_number.hpp"
#include "topology/graph_edge_lines.hpp"

namespace lockstep::graph_readers {
namespace {

/// Counts that a remark states: "# Nodes: 4 Edges: 8" of SNAP, "% 4 4 4" of KONECT.
struct StatedCounts {
  std::size_t line;
  std::uint64_t links;
  std::optional<std::uint64_t> nodes;
};

class EdgeReader {
  using Number = GraphBuilder::Number;
  using Words = EdgeWords::Words;

 public:
  EdgeReader(GraphBuilder& graph, std::string_view text)
      : graph_(graph), text_(text), splitter_(graph) {}

  void read() {
    Lines lines(text_);
    while (lines.next()) {
      const std::string_view line = trimmed(lines.line());
      if (line.empty()) continue;
      if (is_remark(line))
        read_remark(line, lines);
      else
        read_line(line, lines);
    }
    finish();
  }

 private:
  void read_line(std::string_view line, const Lines& lines) {
    const Words& words = splitter_.split(line, lines.number());
    if (!has_begun_) {
      has_begun_ = true;
      if (!has_ports_ && begins_with_header(words, lines)) return;
    }
    if (header_lines_ > 0) return void(--header_lines_);
    if (table_)
      read_row(words, lines.number());
    else
      read_link(words, lines);
  }

  /// The first line that is no remark.
  [[nodiscard]] bool begins_with_header(const Words& words, const Lines& lines) {
    if ((table_ = column_header(words))) {
      column_names_ = {std::string(words[table_->source]), std::string(words[table_->target])};
      header_line_ = lines.number();
      splitter_.allow_blanks();
      note_columns(words);
      return true;
    }
    if (words[0].starts_with('*'))
      graph_.fail(lines.number(),
                  "'{}' begins a Pajek file, which is not supported; "
                  "write one link per line as 'u v'",
                  shown(words[0]));
    if (declared_) return false;
    const std::optional<CountHeader> header = count_header(graph_, words, lines);
    if (!header) return false;
    graph_.note("read line {} as a header: {}{}", lines.number(), counted(header->nodes, "node"),
                header->links ? fmt::format(", {}", counted(*header->links, "link")) : "");
    header_lines_ = header->lines - 1;
    if (header->links) graph_.expect_links(lines.number(), *header->links, "link");
    return true;
  }

  void note_columns(const Words& words) {
    std::vector<std::string> ignored;
    for (std::size_t i = 0; i < words.size(); ++i)
      if (i != table_->source && i != table_->target && i != table_->type)
        ignored.push_back(fmt::format("'{}'", shown(words[i])));
    if (!ignored.empty())
      graph_.note("ignored the column{} {}", ignored.size() == 1 ? "" : "s", joined(ignored, ", "));
  }

  void read_remark(std::string_view remark, const Lines& lines) {
    const std::size_t line = lines.number();
    if (remark == "#" && has_begun_ && !table_ && !std::exchange(has_plain_remark_, true))
      refuse_nodes_with_labels(graph_, text_, lines);
    const char sign = remark.front();
    Lines rest(remark.substr(sign == '/' ? 2 : 1));
    if (!rest.next()) return;
    Words words = rest.words();
    words.erase(std::ranges::find_if(words, [](auto word) { return word.starts_with('#'); }),
                words.end());
    if (words.empty()) return;
    const std::string first = lower_case(words[0]);
    if (first == "matrixmarket" || first == "%matrixmarket")
      graph_.fail(line, "a Matrix Market file; name it .mtx, or write file:matrix=PATH");
    if (sign == '#') read_directive(first, words, line);
    if (sign == '%') read_konect(first, words, line);
    if (first == "directed" && words.size() > 1 && lower_case(words[1]) == "graph")
      graph_.links_are_arcs();  // of SNAP
    if (words.size() == 4 && first == "nodes:" && lower_case(words[2]) == "edges:")
      if (const auto nodes = whole_number(words[1]), links = whole_number(words[3]); nodes && links)
        counts_ = {line, *links, nodes};
  }

  void read_directive(const std::string& first, const Words& words, std::size_t line) {
    if (first == "directed" && words.size() == 1) graph_.links_are_arcs();
    if (first == "ports" && words.size() == 1) begin_ports(line);
    if (first == "nodes" && words.size() == 2)
      if (const auto count = whole_number(words[1])) declare(*count, line);
    if (first == "switches")
      for (std::size_t i = 1; i < words.size(); ++i) switches_.emplace_back(words[i], line);
    note_directive(first, words);
  }

  /// "# switches: a" and "# nodes = 4" are remarks. "# Nodes: 4 Edges: 8" states counts.
  void note_directive(const std::string& first, const Words& words) {
    const std::size_t end = std::min(first.find_first_of(":="), first.size());
    const bool has_sign =
        end < first.size() ||
        (words.size() > 1 && (words[1].starts_with(':') || words[1].starts_with('=')));
    const bool states_counts = words.size() == 4 && lower_case(words[2]) == "edges:";
    for (const std::string_view form : {"directed", "nodes N", "ports", "switches NAME.."})
      if (has_sign && !states_counts && form.substr(0, form.find(' ')) == first.substr(0, end) &&
          noted_forms_.insert(form).second)
        graph_.note("ignored the remark '# {}'; the directive is '# {}'", shown(joined(words, " ")),
                    form);
  }

  void begin_ports(std::size_t line) {
    if (has_begun_) graph_.fail(line, "'# ports' after the first link");
    has_ports_ = true;
  }

  /// "% sym unweighted", and below it "% 4 4 4": links, nodes (of a bipartite network: of either
  /// side).
  void read_konect(const std::string& first, const Words& words, std::size_t line) {
    const bool is_kind = first == "sym" || first == "asym" || first == "bip";
    if (is_kind && words.size() <= 2 && !has_begun_) {
      is_konect_ = true;
      if (first == "asym") graph_.links_are_arcs();
      if (first != "bip") return;
      is_bipartite_ = true;
      graph_.note("named the nodes of the two sides u1, u2, .. and v1, v2, .. (bipartite network)");
      return;
    }
    if (!is_konect_ || has_begun_ || words.size() > 3) return;
    std::array<std::optional<std::uint64_t>, 3> numbers;
    for (std::size_t i = 0; i < words.size(); ++i) numbers.at(i) = whole_number(words[i]);
    const auto& [links, left, right] = numbers;
    if (!links) return;
    counts_ = {line, *links, {}};
    if (left && right) counts_->nodes = is_bipartite_ ? *left + *right : *left;
  }

  void declare(std::uint64_t count, std::size_t line) {
    if (declared_) graph_.fail(line, "a second line '# nodes'");
    if (graph_.node_count() != 0) graph_.fail(line, "'# nodes' after the first link");
    check_room(graph_, text_, std::max<std::uint64_t>(count, 1) - 1, line);  // if connected
    graph_.declare_numbers(count, 0, line);
    declared_ = true;
  }

  [[nodiscard]] Number node(std::string_view name, std::size_t line) {
    if (!declared_) return graph_.node(name, line);
    if (const std::optional<Number> known = graph_.find(name)) return *known;
    graph_.fail(line, "unknown node '{}'; allowed: 0..{}", shown(name), graph_.node_count() - 1);
  }

  /// A line of a table with names of columns.
  void read_row(const Words& words, std::size_t line) {
    const bool has_data = words.size() == table_->columns + 1 && words.back().starts_with('{');
    if (has_data && words.back() != "{}") graph_.note_each("ignored", "attribute set", line);
    if (words.size() != table_->columns && !has_data)
      graph_.fail(line, "{}; expected {}, as in the header (line {})",
                  counted(words.size(), "column"), table_->columns, header_line_);
    for (const std::size_t column : {table_->source, table_->target})
      refuse_half_bracket(graph_, words[column], line);
    const Number u = node(words[table_->source], line);
    const Number v = node(words[table_->target], line);
    const std::string type = table_->type ? lower_case(words[*table_->type]) : "undirected";
    if (type != "directed" && type != "undirected")
      graph_.fail(line, "type '{}' given; allowed: Directed, Undirected", shown(type));
    graph_.add_link(u, v, line, {}, type == "directed");
  }

  void read_link(const Words& words, const Lines& lines) {
    const std::size_t line = lines.number();
    if (has_ports_) return read_link_with_ports(words, line);
    for (std::size_t i = 0; i < 2 && words.size() > 2; ++i) refuse_sign(graph_, words[i], line);
    if (words.size() > 2 && columns_ == 0 && !is_konect_)
      refuse_other_readings(graph_, words, lines);
    if (words.size() != 2 || columns_ > 2) check_columns(words, line);
    if (words[0].ends_with(':') && words[0].find(':') + 1 == words[0].size())
      graph_.fail(line,
                  "'{}' begins a list of neighbours; write one link per line as "
                  "'u v', or put the name in quotation marks",
                  shown(words[0]));
    const Number u =
        is_bipartite_ ? node(fmt::format("u{}", words[0]), line) : node(words[0], line);
    const Number v =
        is_bipartite_ ? node(fmt::format("v{}", words[1]), line) : node(words[1], line);
    graph_.add_link(u, v, line);
    columns_ = words.size();
  }

  /// More than two, or another number than in the lines before: a list of neighbours is no list of
  /// edges.
  void check_columns(const Words& words, std::size_t line) {
    constexpr std::string_view allowed =
        "two names, which numbers or data in braces may follow, the same in all lines";
    if (words.size() < 2 || (columns_ != 0 && words.size() != columns_))
      graph_.fail(line, "{}; expected {}{}", counted(words.size(), "word"), allowed,
                  columns_ > 0 ? fmt::format(" ({} so far)", columns_) : "");
    for (std::size_t i = 2; i < words.size(); ++i) {
      const bool is_data = words[i].starts_with('{');
      if (!is_data && !is_decimal(words[i]))
        graph_.fail(line, "'{}' after the two names; expected {}", shown(words[i]), allowed);
      if (is_data && words[i] != "{}") graph_.note_each("ignored", "attribute set", line);
      if (!is_data) graph_.note_each("ignored", i == 2 ? "weight" : "further number", line);
    }
    columns_ = words.size();
  }

  void read_link_with_ports(const Words& words, std::size_t line) {
    if (words.size() != 4)
      graph_.fail(line, "{}; expected 4 ('u v port-of-u port-of-v')",
                  counted(words.size(), "word"));
    const Number u = node(words[0], line);
    const Number v = node(words[1], line);
    graph_.add_link(u, v, line, {{port_in(words[2], line), port_in(words[3], line)}});
  }

  [[nodiscard]] Number port_in(std::string_view word, std::size_t line) const {
    const std::uint64_t number = number_in(graph_, word, line);
    return static_cast<Number>(std::min<std::uint64_t>(number, GraphBuilder::no_port));
  }

  void finish() {
    for (const auto& [name, line] : switches_) {
      const std::optional<Number> node = graph_.find(name);
      if (!node) graph_.fail(line, "unknown node '{}' in the list of switches", shown(name));
      graph_.set_switch(*node);
    }
    for (const std::string& name : column_names_)
      if (!name.empty() && graph_.find(name))
        graph_.fail(header_line_, "'{}' names a column here, and a node below", shown(name));
    check_counts();
    graph_.set_repeats(Repeats::both_ways);
    graph_.order_by_number();
  }

  void check_counts() {
    if (!counts_) return;
    graph_.expect_links(counts_->line, counts_->links, "link");
    if (counts_->nodes && *counts_->nodes != graph_.node_count())
      graph_.fail(counts_->line, "{} nodes stated, but {} occur in links", *counts_->nodes,
                  graph_.node_count());
  }

  GraphBuilder& graph_;
  std::string_view text_;
  EdgeWords splitter_;
  std::vector<std::pair<std::string_view, std::size_t>> switches_;
  std::set<std::string_view> noted_forms_;
  std::optional<ColumnHeader> table_;
  std::array<std::string, 2> column_names_;
  std::size_t header_line_ = 0;
  std::size_t header_lines_ = 0;  // of counts, still to come
  std::size_t columns_ = 0;       // 0: no link yet
  std::optional<StatedCounts> counts_;
  bool has_begun_ = false;  // a line that is no remark
  bool has_plain_remark_ = false;
  bool declared_ = false;
  bool has_ports_ = false;
  bool is_konect_ = false;
  bool is_bipartite_ = false;
};

}  // namespace

void read_edges(GraphBuilder& graph, std::string& text) { EdgeReader(graph, text).read(); }

}  // namespace lockstep::graph_readers
