// SPDX-License-Identifier: Apache-2.0

/// Matrix Market: the pattern of a sparse matrix is the adjacency matrix of a network.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "topology/graph_readers.hpp"

namespace lockstep::graph_readers {
namespace {

constexpr std::string_view accepted_banner =
    "'%%MatrixMarket matrix coordinate FIELD SYMMETRY' with FIELD pattern, real, integer or "
    "complex and SYMMETRY general, symmetric, skew-symmetric or hermitian";

struct Banner {
  std::size_t values_of_an_entry;
  bool is_general;
};

[[nodiscard]] Banner banner_of(const GraphBuilder& graph,
                               const std::vector<std::string_view>& words) {
  const auto word = [&](std::size_t i) {
    return i < words.size() ? lower_case(words[i]) : std::string();
  };
  const std::string field = word(3);
  const std::string symmetry = word(4);
  const auto one_of = [](const std::string& text, auto... allowed) {
    return ((text == allowed) || ...);
  };
  if (!one_of(word(0), "%%matrixmarket", "%matrixmarket"))
    graph.fail(1, "the first line is not {}", accepted_banner);
  if (word(2) == "array")
    graph.fail(1, "a dense matrix ('array') is not supported; allowed: 'coordinate'");
  if (words.size() != 5 || word(1) != "matrix" || word(2) != "coordinate" ||
      !one_of(field, "pattern", "real", "double", "integer", "unsigned-integer", "complex") ||
      !one_of(symmetry, "general", "symmetric", "skew-symmetric", "hermitian"))
    graph.fail(1, "the first line is not {}", accepted_banner);
  const std::size_t values = field == "pattern" ? 0 : field == "complex" ? 2 : 1;
  return {values, symmetry == "general"};
}

void read_entry(GraphBuilder& graph, const Lines& lines, const std::vector<std::string_view>& words,
                std::size_t values) {
  constexpr std::array<std::string_view, 3> forms{"row column", "row column value",
                                                  "row column real-part imaginary-part"};
  const std::size_t line = lines.number();
  if (words.size() != 2 + values || !std::all_of(words.begin() + 2, words.end(), is_decimal))
    graph.fail(line, "'{}' given; allowed: '{}'", shown(trimmed(lines.line())), forms.at(values));
  if (values != 0) graph.note_each("ignored", "value", line);
  graph.add_link(numbered(graph, words[0], line), numbered(graph, words[1], line), line);
}

}  // namespace

void read_matrix(GraphBuilder& graph, std::string& text) {
  Lines lines(text);
  if (!lines.next()) graph.fail(1, "the first line is not {}", accepted_banner);
  const Banner banner = banner_of(graph, lines.words());
  std::optional<std::uint64_t> entries;
  std::size_t header = 1;
  while (lines.next()) {
    const std::vector<std::string_view>& words = lines.words();
    const std::size_t line = lines.number();
    if (words.empty() || words[0].front() == '%') continue;
    if (entries) {
      read_entry(graph, lines, words, banner.values_of_an_entry);
      continue;
    }
    if (words.size() != 3 || words[0] != words[1])
      graph.fail(line, "'{}' given; allowed: 'N N entries', a square matrix",
                 shown(trimmed(lines.line())));
    entries = number_in(graph, words[2], line);
    header = line;
    declare_from_one(graph, text, number_in(graph, words[0], line), *entries, line);
  }
  if (!entries) graph.fail(lines.number(), "no line with the sizes, 'N N entries'");
  if (graph.link_count() != *entries)
    graph.fail(header, "{} listed, but the header says {}",
               graph.link_count() == 1 ? "1 entry" : fmt::format("{} entries", graph.link_count()),
               *entries);
  graph.set_repeats(Repeats::once);
  if (banner.is_general) graph.links_are_arcs();
}

}  // namespace lockstep::graph_readers
