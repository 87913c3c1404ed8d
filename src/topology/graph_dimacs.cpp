// SPDX-License-Identifier: Apache-2.0

/// DIMACS: graph colouring (.col), shortest paths (.gr), and the .gr files of the PACE challenges.

#include <algorithm>
#include <array>
#include <string>

#include "topology/graph_readers.hpp"

namespace lockstep::graph_readers {
namespace {

using DimacsWords = std::vector<std::string_view>;

/// "p edge N M" and lines of that form.
struct DimacsKind {
  std::string_view name;
  std::string_view letter;  // before the two nodes; empty in files of PACE
  std::string_view form;
  bool has_arcs = false;
};

constexpr std::array dimacs_kinds{
    DimacsKind{"edge", "e", "e u v"}, DimacsKind{"edges", "e", "e u v"},
    DimacsKind{"col", "e", "e u v"},  DimacsKind{"sp", "a", "a u v weight", true},
    DimacsKind{"td", "", "u v"},      DimacsKind{"tw", "", "u v"},
    DimacsKind{"tdp", "", "u v"},     DimacsKind{"cep", "", "u v"},
    DimacsKind{"ds", "", "u v"},      DimacsKind{"vc", "", "u v"},
};

class DimacsReader {
 public:
  DimacsReader(GraphBuilder& graph, std::string_view text) : graph_(graph), text_(text) {}

  void read() {
    Lines lines(text_);
    while (lines.next()) read_line(lines);
    if (kind_ == nullptr)
      graph_.fail(std::max<std::size_t>(lines.number(), 1),
                  "the problem line is missing; expected one such as 'p edge 5 7'");
    graph_.expect_links(line_, promised_, kind_->has_arcs ? "arc" : "edge");
    // A graph to be coloured has no parallel edges; roads have.
    if (kind_->has_arcs)
      graph_.links_are_arcs();
    else
      graph_.set_repeats(Repeats::once);
  }

 private:
  void read_line(Lines& lines) {
    constexpr std::string_view descriptors = "ndvx";  // colours, coordinates
    const DimacsWords& words = lines.words();
    const std::size_t line = lines.number();
    if (words.empty() || words[0] == "c" || is_remark(words[0])) return;
    if (kind_ != nullptr && !kind_->letter.empty() && words[0].size() == 1 &&
        descriptors.find(words[0][0]) != descriptors.npos)
      return graph_.note_each("ignored", "descriptor line", line);
    if (words[0] == "p") return read_problem(words, line);
    if (kind_ == nullptr)
      graph_.fail(line, "'{}' comes before the problem line; expected one such as 'p edge 5 7'",
                  shown(trimmed(lines.line())));
    read_link(lines, words);
  }

  void read_problem(const DimacsWords& words, std::size_t line) {
    if (kind_ != nullptr) graph_.fail(line, "the problem line 'p ..' occurs twice");
    const auto kind = std::ranges::find(
        dimacs_kinds, words.size() == 4 ? words[1] : std::string_view(), &DimacsKind::name);
    if (kind == dimacs_kinds.end())
      graph_.fail(line,
                  "not a problem line; allowed: 'p edge N M', 'p col N M', 'p sp N M', 'p td N M', "
                  "'p tw N M'");
    kind_ = &*kind;
    line_ = line;
    promised_ = number_in(graph_, words[3], line);
    declare_from_one(graph_, text_, number_in(graph_, words[2], line), promised_, line);
  }

  void read_link(const Lines& lines, const DimacsWords& words) {
    const std::size_t line = lines.number();
    const std::size_t first = kind_->letter.empty() ? 0 : 1;
    const bool has_weight = first != 0 && words.size() == first + 3;
    const bool may_lack_weight = !kind_->has_arcs && words.size() == first + 2;
    if ((first != 0 && words[0] != kind_->letter) || (!has_weight && !may_lack_weight) ||
        (has_weight && !is_decimal(words.back())))
      graph_.fail(line, "'{}' is not valid; expected '{}'", shown(trimmed(lines.line())),
                  kind_->form);
    if (has_weight) graph_.note_each("ignored", "weight", line);
    graph_.add_link(numbered(graph_, words[first], line), numbered(graph_, words[first + 1], line),
                    line);
  }

  GraphBuilder& graph_;
  std::string_view text_;
  const DimacsKind* kind_ = nullptr;
  std::size_t line_ = 0;  // of the problem
  std::uint64_t promised_ = 0;
};

}  // namespace

void read_dimacs(GraphBuilder& graph, std::string& text) { DimacsReader(graph, text).read(); }

}  // namespace lockstep::graph_readers
