// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The lines of a list of edges and their words, and the first lines that are headers.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "topology/graph_readers.hpp"

namespace lockstep::graph_readers {

/// Splits lines at blanks and tabs, at commas, or at semicolons: the same in the whole file. A word
/// in quotation marks or parentheses may hold any of these; data in braces is one word.
class EdgeWords {
 public:
  using Words = std::vector<std::string_view>;
  explicit EdgeWords(const GraphBuilder& graph) : graph_(&graph) {}

  /// Kept until the next call. Refuses a line whose separators are not clear.
  [[nodiscard]] const Words& split(std::string_view line, std::size_t number);
  /// Between commas or semicolons, words may hold blanks: the file has a header that names them.
  void allow_blanks() noexcept { blanks_allowed_ = true; }

 private:
  [[nodiscard]] bool split_at_blanks(std::string_view line, std::size_t number);
  void split_with_care(std::string_view line, std::size_t number);
  [[nodiscard]] char separator_in(std::string_view line, std::size_t number) const;
  [[nodiscard]] std::size_t end_of_group(std::string_view line, std::size_t begin,
                                         std::size_t number) const;
  [[nodiscard]] std::size_t add_word(std::string_view line, std::size_t begin, std::size_t number);
  [[nodiscard]] std::string_view unquoted(std::string_view word);
  void check_word(std::string_view word, std::size_t number) const;

  const GraphBuilder* graph_;
  std::optional<char> separator_;  // ' ', ',' or ';', as soon as a line says it
  bool blanks_allowed_ = false;
  Words words_;
  std::deque<std::string> kept_;  // words that are not as in the file
};

/// Refuses a word that is a sign between two names, such as -> or --.
void refuse_sign(const GraphBuilder& graph, std::string_view word, std::size_t line);
/// Refuses a word that is a part of a group in brackets, such as "[a".
void refuse_half_bracket(const GraphBuilder& graph, std::string_view word, std::size_t line);

/// Whether every pair occurs as often in one order as in the other.
template <class Name>
[[nodiscard]] bool is_symmetric(std::vector<std::array<Name, 2>> pairs) {
  std::vector<std::array<Name, 2>> reversed = pairs;
  for (auto& [u, v] : reversed) std::swap(u, v);
  std::ranges::sort(pairs);
  std::ranges::sort(reversed);
  return pairs == reversed;
}

/// The next line that is neither blank nor a remark, without blanks around it; false: none is left.
[[nodiscard]] bool next_link_line(Lines& lines, std::string_view& line);

/// First lines that state the size of the network.
struct CountHeader {
  std::size_t lines;
  std::uint64_t nodes;
  std::optional<std::uint64_t> links;
};
/// The first line "N", "N M" or "N N M", if it equals the counts of the rest and cannot be a link;
/// `rest`: the lines after it. Refuses a first line that may be both.
[[nodiscard]] std::optional<CountHeader> count_header(const GraphBuilder& graph,
                                                      const EdgeWords::Words& first, Lines rest);

/// Refuses a list with three words or more per line that may be no links with weights: a matrix,
/// lists of neighbours, links after a number or after a word. `first`: the first line of the
/// list; `rest`: the lines after it.
void refuse_other_readings(const GraphBuilder& graph, const EdgeWords::Words& first, Lines rest);
/// Refuses a list in which the lines above a line "#" may be nodes with labels, and those below may
/// be links of these nodes. `rest`: the lines after "#".
void refuse_nodes_with_labels(const GraphBuilder& graph, std::string_view text, Lines rest);

/// Positions of the columns in a table with a header such as "Source,Target,Type".
struct ColumnHeader {
  std::size_t columns;
  std::size_t source;
  std::size_t target;
  std::optional<std::size_t> type;
};
[[nodiscard]] std::optional<ColumnHeader> column_header(const EdgeWords::Words& first);

}  // namespace lockstep::graph_readers
