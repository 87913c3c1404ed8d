// SPDX-License-Identifier: Apache-2.0
#include "program/schedule_nodes.hpp"

#include <fmt/format.h>

#include <utility>

#include "lockstep/core/detail/whole_number.hpp"
#include "program/schedule_pieces.hpp"
#include "topology/node_names.hpp"

namespace lockstep {
namespace {

[[nodiscard]] std::string encoded_node(std::string_view name) {
  return ScheduleNodes::range(name) ? encoded(name, " \t\r\v\f:;,#%-")
                                    : encoded(name, " \t\r\v\f:;,#%");
}

/// The number that a word is, if it is written as numbers are.
[[nodiscard]] std::optional<std::uint64_t> plain(std::string_view word) {
  const auto number = whole_number(word);
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

std::optional<ScheduleNodes::NumberRange> ScheduleNodes::range(std::string_view word) {
  const std::size_t hyphen = word.find('-');
  if (hyphen == std::string_view::npos) return std::nullopt;
  const auto first = whole_number(word.substr(0, hyphen));
  const auto last = whole_number(word.substr(hyphen + 1));
  if (!first || !last || *first > *last) return std::nullopt;
  return NumberRange{*first, *last};
}

bool ScheduleNodes::is_name(std::string_view word) const {
  return read_node(network_, word).has_value();
}

std::string ScheduleNodes::allowed(std::uint64_t count) const {
  return named_ ? words_for_nodes(network_, count) : fmt::format("0..{}", count - 1);
}

std::string ScheduleNodes::word(NodeId node) const {
  return named_ ? encoded_node(unambiguous_name(network_, node)) : fmt::format("{}", index(node));
}

std::string ScheduleNodes::list_of(const std::vector<std::uint64_t>& nodes) const {
  if (!named_) return ranges_of(nodes);
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
    if (next > i + 1 && read_node(network_, range)) next = i + 1;
    if (next > i + 1) text += range.substr(first.size());
    i = next;
  }
  return text;
}

}  // namespace lockstep
