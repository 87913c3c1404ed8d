// SPDX-License-Identifier: Apache-2.0

/// Lists of edges with three words or more per line that other programs mean in another way.

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>

#include "lockstep/core/detail/whole_number.hpp"
#include "topology/graph_edge_lines.hpp"

namespace lockstep::graph_readers {
namespace {

using Words = EdgeWords::Words;

/// Readings of the lines of a list other than links with weights. Each line rules out some of them.
class OtherReadings {
 public:
  explicit OtherReadings(const Words& first) {
    for (const std::size_t column : {0U, 1U}) {
      marks_[column] = std::string(first[column]);
      is_marked_[column] = !is_decimal(first[column]);
    }
    (void)add(first);
  }

  /// False if no other reading is left.
  [[nodiscard]] bool add(const Words& words) {
    numbers_.clear();
    for (const std::string_view word : words) numbers_.push_back(whole_number(word));
    if (numbers_.size() < least_columns) return false;
    for (const std::size_t column : {0U, 1U})
      is_marked_[column] = is_marked_[column] && words[column] == marks_[column] &&
                           numbers_[1 - column] && numbers_[2];
    are_numbered_ = are_numbered_ && add_numbered();
    are_neighbours_ = are_neighbours_ && add_neighbours();
    return is_marked_[0] || is_marked_[1] || are_numbered_ || are_neighbours_;
  }

  void refuse(const GraphBuilder& graph, std::size_t line) {
    for (const std::size_t column : {0U, 1U})
      if (is_marked_[column])
        graph.fail(line,
                   "the lines may be links of '{}' with weights, or links with "
                   "'{}' in every line; write one link per line as 'u v'",
                   shown(marks_[column]), shown(marks_[column]));
    if (are_neighbours_ && owners_.size() > 1 && is_symmetric(std::move(neighbours_)))
      graph.fail(line,
                 "the lines may be links with weights, or lists of neighbours; write one link per "
                 "line as 'u v'");
    if (are_numbered_ && sorted_names(links_, 0) == sorted_names(links_, 1))
      graph.fail(line,
                 "the lines may be links with weights, or numbered links; write one link per line "
                 "as 'u v', without its number");
  }

 private:
  static constexpr std::size_t least_columns = 3;
  using Pair = std::array<std::uint64_t, 2>;

  /// "7 u v", and 8 in the next line.
  [[nodiscard]] bool add_numbered() {
    if (!numbers_[0] || !numbers_[1] || !numbers_[2]) return false;
    if (!links_.empty() && *numbers_[0] != last_number_ + 1) return false;
    last_number_ = *numbers_[0];
    links_.push_back({*numbers_[1], *numbers_[2]});
    return true;
  }

  /// A node and its neighbours.
  [[nodiscard]] bool add_neighbours() {
    if (!std::ranges::all_of(numbers_, [](const auto& number) { return number.has_value(); }) ||
        !owners_.insert(*numbers_[0]).second)
      return false;
    for (std::size_t i = 1; i < numbers_.size(); ++i) {
      const auto before = std::span(numbers_).first(i);
      if (std::ranges::find(before, numbers_[i]) != before.end()) return false;
      neighbours_.push_back({*numbers_[0], *numbers_[i]});
    }
    return true;
  }

  [[nodiscard]] static std::vector<std::uint64_t> sorted_names(const std::vector<Pair>& links,
                                                               std::size_t side) {
    std::vector<std::uint64_t> names;
    for (const Pair& link : links) names.push_back(link.at(side));
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }

  std::vector<std::optional<std::uint64_t>> numbers_;  // of the line
  std::array<std::string, 2> marks_;
  std::array<bool, 2> is_marked_{};
  bool are_numbered_ = true;
  std::uint64_t last_number_ = 0;
  std::vector<Pair> links_;
  bool are_neighbours_ = true;
  std::unordered_set<std::uint64_t> owners_;
  std::vector<Pair> neighbours_;
};

/// As many lines as words in each, the same in rows and columns.
void refuse_matrix(const GraphBuilder& graph, const Words& first, Lines rest) {
  const std::size_t line = rest.number();
  std::vector<std::vector<std::string>> rows{{first.begin(), first.end()}};
  EdgeWords splitter(graph);
  for (std::string_view text; next_link_line(rest, text);) {
    if (rows.size() == first.size()) return;
    const Words& words = splitter.split(text, rest.number());
    if (words.size() != first.size()) return;
    rows.emplace_back(words.begin(), words.end());
  }
  if (rows.size() != first.size()) return;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (rows[i][j] != rows[j][i]) return;
  graph.fail(line,
             "the lines may be links or the rows of a matrix; write one link per line, or use "
             "Matrix Market");
}

}  // namespace

void refuse_other_readings(const GraphBuilder& graph, const Words& first, Lines rest) {
  refuse_matrix(graph, first, rest);
  const std::size_t line = rest.number();
  OtherReadings readings(first);
  EdgeWords splitter(graph);
  for (std::string_view text; next_link_line(rest, text);)
    if (!readings.add(splitter.split(text, rest.number()))) return;
  readings.refuse(graph, line);
}

void refuse_nodes_with_labels(const GraphBuilder& graph, std::string_view text, Lines rest) {
  const std::size_t line = rest.number();
  std::unordered_set<std::string> nodes;
  std::vector<std::string> labels;
  EdgeWords splitter(graph);
  Lines above(text);
  for (std::string_view row; next_link_line(above, row) && above.number() < line;) {
    const Words& words = splitter.split(row, above.number());
    if (words.size() != 2 || !nodes.emplace(words[0]).second) return;
    labels.emplace_back(words[1]);
  }
  const auto is_node = [&](std::string_view word) { return nodes.contains(std::string(word)); };
  if (std::ranges::any_of(labels, is_node)) return;
  std::size_t links = 0;
  for (std::string_view row; next_link_line(rest, row); ++links) {
    const Words& words = splitter.split(row, rest.number());
    if (words.size() < 2 || !is_node(words[0]) || !is_node(words[1])) return;
  }
  if (links > 0)
    graph.fail(line,
               "the lines above '#' may be links, or nodes with labels (Trivial Graph Format); "
               "remove the line '#', or the nodes with labels");
}

}  // namespace lockstep::graph_readers
