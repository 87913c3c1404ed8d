// SPDX-License-Identifier: Apache-2.0

/// Lines, words, numbers and stated counts, for readers of formats in which a line is a link.

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

#include "core/words.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/detail/whole_number.hpp"
#include "topology/graph_readers.hpp"

namespace lockstep::graph_readers {

std::string lower_case(std::string_view word) {
  std::string text(word);
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_remark(std::string_view line) {
  return !line.empty() && (line.front() == '#' || line.front() == '%' || line.starts_with("//"));
}

bool is_decimal(std::string_view word) {
  std::string text = lower_case(word);
  std::ranges::replace(text, ',', '.');
  if (text.starts_with('+') || text.starts_with('-')) text.erase(0, 1);
  if (text == "nan" || text == "inf" || text == "infinity") return true;
  const std::size_t exponent = text.find('e');
  const auto digits_only = [](std::string_view part) {
    return !part.empty() && part.find_first_not_of("0123456789") == part.npos;
  };
  if (exponent != std::string::npos) {
    std::string_view power = std::string_view(text).substr(exponent + 1);
    if (power.starts_with('+') || power.starts_with('-')) power.remove_prefix(1);
    if (!digits_only(power)) return false;
    text.resize(exponent);
  }
  if (const std::size_t point = text.find('.'); point != std::string::npos) text.erase(point, 1);
  return digits_only(text);
}

bool Lines::next() {
  if (rest_.empty()) return false;
  line_ = next_piece(rest_, '\n');
  ++number_;
  return true;
}

const std::vector<std::string_view>& Lines::words() {
  words_.clear();
  append_words(line_, words_);
  return words_;
}

std::uint64_t number_in(const GraphBuilder& graph, std::string_view word, std::size_t line) {
  if (const std::optional<std::uint64_t> number = whole_number(word)) return *number;
  graph.fail(line, "'{}' is not a whole number", shown(word));
}

void check_room(const GraphBuilder& graph, std::string_view text, std::uint64_t links,
                std::size_t line) {
  constexpr std::size_t least_bytes_of_a_link = 4;  // "1 2" and the end of the line
  if (links > text.size() / least_bytes_of_a_link + 1)
    graph.fail(line, "{} links or more expected, which do not fit in {} bytes", grouped(links),
               grouped(text.size()));
}

void declare_from_one(GraphBuilder& graph, std::string_view text, std::uint64_t nodes,
                      std::uint64_t links, std::size_t line) {
  if (nodes == 0) graph.fail(line, "a graph without nodes");
  if (nodes - 1 > links)
    graph.fail(line, "not connected: {} nodes, but only {} links", nodes, links);
  check_room(graph, text, links - links / 2, line);  // some count both directions, and list one
  graph.declare_numbers(nodes, 1, line);
}

GraphBuilder::Number numbered(const GraphBuilder& graph, std::string_view word, std::size_t line) {
  const std::uint64_t number = number_in(graph, word, line);
  if (number == 0 || number > graph.node_count())
    graph.fail(line, "unknown node {}; allowed: 1..{}", number, graph.node_count());
  return static_cast<GraphBuilder::Number>(number - 1);
}

}  // namespace lockstep::graph_readers
