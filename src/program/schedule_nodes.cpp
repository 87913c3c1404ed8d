// SPDX-License-Identifier: Apache-2.0
#include "program/schedule_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lockstep/core/detail/whole_number.hpp"
#include "program/schedule_pieces.hpp"
#include "topology/node_names.hpp"

namespace lockstep {
namespace {

/// 4-6
struct NumberRange {
  std::uint64_t first;
  std::uint64_t last;
};

[[nodiscard]] std::optional<NumberRange> range_in(std::string_view word) {
  const std::size_t hyphen = word.find('-');
  if (hyphen == std::string_view::npos) return std::nullopt;
  const auto first = whole_number(word.substr(0, hyphen), 10);
  const auto last = whole_number(word.substr(hyphen + 1), 10);
  if (!first || !last || *first > *last) return std::nullopt;
  return NumberRange{*first, *last};
}

[[nodiscard]] std::string encoded(std::string_view name) {
  const bool like_a_range = range_in(name).has_value();
  std::string word;
  for (const char c : name) {
    const bool separates = std::string_view(" \t\r\v\f:;,#%").find(c) != std::string_view::npos;
    if (separates || (c == '-' && like_a_range))
      word += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      word += c;
  }
  return word;
}

/// A % that begins no code stands for itself.
[[nodiscard]] std::string decoded(std::string_view word) {
  std::string name;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const auto code = word[i] == '%' && i + 2 < word.size()
                          ? whole_number(word.substr(i + 1, 2), 16)
                          : std::nullopt;
    name += code ? static_cast<char>(*code) : word[i];
    if (code) i += 2;
  }
  return name;
}

/// The number that a word is, if it is written as numbers are.
[[nodiscard]] std::optional<std::uint64_t> plain(std::string_view word) {
  const auto number = whole_number(word, 10);
  return number && fmt::format("{}", *number) == word ? number : std::nullopt;
}

}  // namespace

ScheduleNodes::ScheduleNodes(const ErasedTopology& network, std::string file)
    : network_(network), file_(std::move(file)), named_(has_names(network)) {}

std::optional<NodeId> ScheduleNodes::find(std::string_view word, std::size_t line) {
  std::optional<ReadNode> read = read_node(network_, decoded(word));
  if (!read) read = read_node(network_, word);
  if (!read) return std::nullopt;
  if (read->is_number && !std::exchange(noted_, true))
    note_number(network_, read->node, fmt::format("{}:{}", file_, line));
  return read->node;
}

std::vector<std::string> ScheduleNodes::words_of(std::string_view list, std::size_t most) const {
  std::vector<std::string> words;
  while (!list.empty()) {
    const std::string_view piece = next_piece(list, ",");
    const std::optional<NumberRange> range = range_in(piece);
    if (words.size() + (range ? range->last - range->first : 0) >= most) return {};
    if (range && read_node(network_, piece)) return {};
    if (!range) words.emplace_back(piece);
    for (std::uint64_t i = 0; range && i <= range->last - range->first; ++i)
      words.push_back(fmt::format("{}", range->first + i));
  }
  return words;
}

std::string ScheduleNodes::allowed(std::uint64_t count) const {
  return named_ ? words_for_nodes(network_, count) : fmt::format("0..{}", count - 1);
}

std::string ScheduleNodes::word(NodeId node) const {
  return named_ ? encoded(unambiguous_name(network_, node)) : fmt::format("{}", index(node));
}

std::string ScheduleNodes::list_of(const std::vector<std::uint64_t>& nodes) const {
  std::string text;
  for (std::size_t i = 0; i < nodes.size();) {
    const std::string first = word(NodeId{nodes[i]});
    const std::optional<std::uint64_t> number = plain(first);
    std::size_t next = i + 1;
    while (number && next < nodes.size() &&
           plain(word(NodeId{nodes[next]})) == *number + (next - i))
      ++next;
    text += text.empty() ? first : "," + first;
    std::string range = fmt::format("{}-{}", first, word(NodeId{nodes[next - 1]}));
    if (named_ && next > i + 1 && read_node(network_, range)) next = i + 1;
    if (next > i + 1) text += range.substr(first.size());
    i = next;
  }
  return text;
}

}  // namespace lockstep
