// SPDX-License-Identifier: Apache-2.0

/// Text -> the value of a parameter.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <optional>

#include "core/suggest.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

[[noreturn]] void refuse(const Parameter& parameter, std::string_view text,
                         std::string_view allowed) {
  throw InvalidParameter(fmt::format("{}: '{}' given, allowed {}", parameter.name, text, allowed));
}

/// The whole text as a number; empty, too, where it exceeds 64 bits.
[[nodiscard]] std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && at == end ? std::optional(number) : std::nullopt;
}

[[nodiscard]] bool has_word(const Parameter& parameter, std::string_view text) {
  return std::find(parameter.words.begin(), parameter.words.end(), text) != parameter.words.end();
}

[[nodiscard]] Setting count(const Parameter& parameter, const std::string& text) {
  if (has_word(parameter, text)) return text;
  const auto number = number_in(text);
  if (number && *number >= parameter.least) return *number;
  refuse(parameter, text,
         fmt::format("whole numbers from {} on{}{}", parameter.least,
                     parameter.words.empty() ? "" : ", or ", fmt::join(parameter.words, ", ")));
}

[[nodiscard]] Setting numbers(const Parameter& parameter, const std::string& text) {
  std::vector<std::uint64_t> list;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const auto number = number_in(std::string_view(text).substr(at, end - at));
    if (!number) refuse(parameter, text, parameter.form);
    list.push_back(*number);
    at = end + 1;
  }
  return list;
}

[[nodiscard]] Setting word(const Parameter& parameter, const std::string& text) {
  if (has_word(parameter, text)) return text;
  throw InvalidParameter(
      unknown(parameter.noun, text, {parameter.words.begin(), parameter.words.end()}));
}

/// The node with that number, as numbers are written (0011 is a label), else with that label.
[[nodiscard]] Setting node(const Parameter& parameter, const std::string& text,
                           const AnyTopology& topology) {
  const bool padded = text.size() > 1 && text.front() == '0';
  const auto number = padded ? std::nullopt : number_in(text);
  if (number && *number < topology.node_count()) return *number;
  // A number too large may be a label such as 3241; but not another name of a node, such as the
  // classes of Eisenstein-Jacobi networks have many.
  const auto node = topology.find(text);
  if (node && (!number || topology.label(*node) == text)) return index(*node);
  const std::uint64_t last = topology.node_count() - 1;
  refuse(parameter, text,
         fmt::format("a node of {}: a number from 0 to {}, or a label such as '{}'",
                     topology.name(), last, topology.label(NodeId{last})));
}

}  // namespace

Setting parse_setting(const Parameter& parameter, const std::string& text,
                      const AnyTopology& topology) {
  switch (parameter.kind) {
    case Parameter::Kind::count:
      return count(parameter, text);
    case Parameter::Kind::numbers:
      return numbers(parameter, text);
    case Parameter::Kind::word:
      return word(parameter, text);
    case Parameter::Kind::node:
      return node(parameter, text, topology);
    case Parameter::Kind::file:
      if (text.empty()) refuse(parameter, text, "the name of a file");
      return text;
  }
  return text;
}

}  // namespace lockstep
