// SPDX-License-Identifier: Apache-2.0

/// Text -> the value of a parameter, and the one check of values, however they were given.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "catalog/check_setting.hpp"
#include "core/invalid.hpp"
#include "core/joined.hpp"
#include "core/suggest.hpp"
#include "core/words.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/detail/whole_number.hpp"
#include "topology/node_names.hpp"

namespace lockstep {
namespace {

[[noreturn]] void refuse(const Parameter& parameter, const Setting& given,
                         std::string_view allowed) {
  throw invalid("{}: '{}' is not valid; expected {}", parameter.name, text_of(given), allowed);
}

[[nodiscard]] bool has_word(const Parameter& parameter, std::string_view text) {
  return std::ranges::find(parameter.words, text) != parameter.words.end();
}

void check_count(const Parameter& parameter, const Setting& given) {
  const auto* const number = std::get_if<std::uint64_t>(&given);
  const auto* const word = std::get_if<std::string>(&given);
  if (number != nullptr && *number >= parameter.least) return;
  std::vector<std::string_view> words(parameter.words.begin(), parameter.words.end());
  if (!parameter.open_word.empty()) words.push_back(parameter.open_word);
  if (word != nullptr && std::ranges::find(words, *word) != words.end()) return;
  refuse(parameter, given,
         fmt::format("a whole number of at least {}{}{}", parameter.least,
                     words.empty() ? "" : (words.size() == 1 ? ", or " : ", "),
                     joined(words, " or ")));
}

void check_numbers(const Parameter& parameter, const Setting& given) {
  const auto* const list = std::get_if<Numbers>(&given);
  if (list != nullptr && !list->empty()) return;
  const bool one = std::holds_alternative<std::uint64_t>(given);
  refuse(parameter, given,
         fmt::format("{}{}", one ? "a list (lockstep::Numbers): " : "", parameter.form));
}

void check_word(const Parameter& parameter, const Setting& given) {
  const auto* const word = std::get_if<std::string>(&given);
  if (word != nullptr && has_word(parameter, *word)) return;
  if (parameter.words.size() == 2 && has_word(parameter, "yes"))
    refuse(parameter, given, "yes or no");
  throw invalid(
      "{}: {}", parameter.name,
      unknown(parameter.noun, text_of(given), {parameter.words.begin(), parameter.words.end()}));
}

void check_node(const Parameter& parameter, const Setting& given, const AnyTopology& topology) {
  const auto* const node = std::get_if<std::uint64_t>(&given);
  const std::uint64_t last = topology.processor_count() - 1;
  if (node != nullptr && *node <= last) return;
  const bool is_switch = node != nullptr && *node < topology.node_count();
  refuse(parameter, is_switch ? Setting(node_text(topology, NodeId{*node})) : given,
         fmt::format("a {} of {}: {}{}", topology.node_count() == last + 1 ? "node" : "processor",
                     topology.name(), words_for_nodes(topology, last + 1),
                     is_switch ? "; this node is a switch" : ""));
}

[[nodiscard]] Setting count_in(const std::string& text) {
  const auto number = whole_number(text);
  return number ? Setting(*number) : Setting(text);
}

/// No list where a piece of the text is no number.
[[nodiscard]] Setting numbers_in(const std::string& text) {
  std::optional<Numbers> list = whole_numbers(text, ',');
  return list ? Setting(*std::move(list)) : Setting(text);
}

[[nodiscard]] Setting node_in(const std::string& text, const AnyTopology& topology) {
  const std::optional<ReadNode> read = read_node(topology, text);
  if (!read) return text;
  if (read->is_number) note_number(topology, read->node, topology.name());
  return index(read->node);
}

/// As text is read: what cannot be read as its kind stays text, which check_setting() refuses.
[[nodiscard]] Setting setting_in(const Parameter& parameter, const std::string& text,
                                 const AnyTopology& topology) {
  switch (parameter.kind) {
    case Parameter::Kind::count:
      return count_in(text);
    case Parameter::Kind::numbers:
      return numbers_in(text);
    case Parameter::Kind::node:
      return node_in(text, topology);
    case Parameter::Kind::word:
    case Parameter::Kind::file:
      break;
  }
  return text;
}

}  // namespace

const Parameter* parameter_of(std::span<const Parameter> parameters, std::string_view name) {
  const auto found = std::ranges::find(parameters, name, &Parameter::name);
  return found == parameters.end() ? nullptr : &*found;
}

void check_setting(const Parameter& parameter, const Setting& given, const AnyTopology& topology) {
  switch (parameter.kind) {
    case Parameter::Kind::count:
      return check_count(parameter, given);
    case Parameter::Kind::numbers:
      return check_numbers(parameter, given);
    case Parameter::Kind::word:
      return check_word(parameter, given);
    case Parameter::Kind::node:
      return check_node(parameter, given, topology);
    case Parameter::Kind::file:
      if (const auto* const name = std::get_if<std::string>(&given);
          name == nullptr || name->empty())
        refuse(parameter, given, "the name of a file");
      return;
  }
}

Setting parse_setting(const Parameter& parameter, const std::string& text,
                      const AnyTopology& topology) {
  Setting setting = setting_in(parameter, text, topology);
  check_setting(parameter, setting, topology);
  return setting;
}

}  // namespace lockstep
